package models

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Names of files next to the folders of a set of models.
const (
	// MembersFile defines a set's members, in the format of detect.models.
	MembersFile = "members.yaml"
	// SumsFile holds the SHA-256 of every other file of the set in sha256sum's format. If it exists,
	// the members file need not list them.
	SumsFile = "SHA256SUMS"
)

//go:embed all:default
var shipped embed.FS

// defaultSources returns the models that come with the program.
func defaultSources() ([]source, error) {
	folder, err := fs.Sub(shipped, "default")
	if err != nil {
		return nil, err
	}
	sources, err := sealedSources(folder)
	if err != nil {
		return nil, fmt.Errorf("the models of the program: %w", err)
	}
	for i := range sources {
		sources[i].shipped = true
		sources[i].where = ""
	}
	return sources, nil
}

// sealedSources reads a set whose hashes are in SHA256SUMS.
func sealedSources(folder fs.FS) ([]source, error) {
	raw, err := fs.ReadFile(folder, SumsFile)
	if err != nil {
		return nil, err
	}
	sums, err := parseSums(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", SumsFile, err)
	}
	text, err := readSummed(folder, MembersFile, sums)
	if err != nil {
		return nil, err
	}
	defs, err := config.ParseModels(text, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", MembersFile, err)
	}
	sources := make([]source, 0, len(defs))
	for _, def := range defs {
		if def.Default || !fs.ValidPath(def.Folder) {
			return nil, fmt.Errorf("%s: want folders next to it, not %q", MembersFile, def.Folder)
		}
		files, err := fs.Sub(folder, def.Folder)
		if err != nil {
			return nil, err
		}
		if len(def.Sums) == 0 {
			def.Sums = below(sums, def.Folder)
		}
		if len(def.Sums) == 0 {
			return nil, fmt.Errorf("%s lists no file of %s", SumsFile, def.Folder)
		}
		sources = append(sources, source{name: config.MemberName(def.Folder), model: def, files: files})
	}
	return sources, nil
}
