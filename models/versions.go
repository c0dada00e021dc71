package models

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Version is a version of a model in a folder of models.
type Version struct {
	// Folder is the version's, below the folder that was looked through.
	Folder string `json:"folder"`
	Card   *Card  `json:"card,omitempty"`
	// Bytes is the size of the files that are read when it is loaded.
	Bytes int64 `json:"bytes"`
	// Problem says why the version can't be used: its card can't be read, or its files are not those
	// that were measured; "" if it can.
	Problem string `json:"problem,omitempty"`
	// Sums are the hashes of the files that are there.
	Sums map[string]string `json:"sha256,omitempty"`
}

// ID returns the name and the version: "names-lstm v3".
func (v *Version) ID() string {
	if v.Card == nil {
		return v.Folder
	}
	return fmt.Sprintf("%s v%d", v.Card.Name, v.Card.Version)
}

// maxDepth is the maximum depth of versions below the scanned folder.
const maxDepth = 5

// Scan finds the versions below a folder: every folder with a model or a card.json, ordered by
// name and version. "default" means the built-in models.
func Scan(dir string) ([]Version, error) {
	if dir != config.ModelsDefault {
		return scan(os.DirFS(dir))
	}
	folder, err := fs.Sub(shipped, "default")
	if err != nil {
		return nil, err
	}
	return scan(folder)
}

func scan(root fs.FS) ([]Version, error) {
	var versions []Version
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.Count(name, "/") >= maxDepth || len(name) > 1 && path.Base(name)[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() && isVersion(root, name):
			versions = append(versions, look(root, name))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(versions, func(a, b Version) int {
		switch {
		case a.Card == nil || b.Card == nil:
			return cmp.Or(compareBool(a.Card == nil, b.Card == nil), cmp.Compare(a.Folder, b.Folder))
		default:
			return cmp.Or(cmp.Compare(a.Card.Name, b.Card.Name), a.Card.Version-b.Card.Version, cmp.Compare(a.Folder, b.Folder))
		}
	})
	return versions, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func isVersion(root fs.FS, name string) bool {
	for _, file := range append([]string{CardFile}, weights...) {
		if info, err := fs.Stat(root, path.Join(name, file)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// ReadVersion reads the version in one folder.
func ReadVersion(folder string) (Version, error) {
	v := look(os.DirFS(folder), ".")
	v.Folder = folder
	if v.Card == nil {
		return v, fmt.Errorf("%s: %s", folder, v.Problem)
	}
	return v, nil
}

// look reads a version's card and compares its hashes with the files.
func look(root fs.FS, name string) Version {
	v := Version{Folder: filepath.FromSlash(name)}
	folder, err := fs.Sub(root, name)
	if err == nil {
		v.Card, err = ReadCard(folder)
	}
	if err == nil {
		v.Sums, err = HashFolder(folder)
	}
	if err == nil {
		err = v.Card.matches(v.Sums)
	}
	if err != nil {
		v.Problem = err.Error()
	}
	for _, file := range read {
		if info, err := fs.Stat(root, path.Join(name, file)); err == nil {
			v.Bytes += info.Size()
		}
	}
	return v
}

// matches reports whether a folder's files are those listed in the card.
func (c *Card) matches(sums map[string]string) error {
	for _, name := range read {
		want, listed := c.Sums[name]
		sum, there := sums[name]
		switch {
		case listed && !there:
			return fmt.Errorf("%s is missing", name)
		case there && !listed && name == parityFile:
		case there && !listed:
			return fmt.Errorf("%s is not in the card", name)
		case !strings.EqualFold(want, sum):
			return fmt.Errorf("%s is not the file listed in the card: train or measure it again", name)
		}
	}
	return nil
}

// errNone is returned if there is nothing to choose from.
var errNone = errors.New("no version is there: folders with a model and " + CardFile + " are looked for")
