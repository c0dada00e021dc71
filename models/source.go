package models

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
)

// source is a definition of a model with its files.
type source struct {
	name    string // of the model, for messages and metrics
	model   config.Model
	files   fs.FS
	where   string // the folder, for messages
	shipped bool   // comes with the program
}

// expand replaces the word default by the built-in models and gives each model a unique name.
func expand(defs []config.Model) ([]source, error) {
	var sources []source
	for _, def := range defs {
		if !def.Default {
			sources = append(sources, source{
				name: config.MemberName(def.Folder), model: def, files: os.DirFS(def.Folder), where: def.Folder,
			})
			continue
		}
		own, err := defaultSources()
		if err != nil {
			return nil, err
		}
		if def.Fast {
			own = slices.DeleteFunc(own, func(s source) bool { return isNetwork(kindOf(s.files)) })
		}
		sources = append(sources, own...)
	}
	seen := map[string]int{}
	for i := range sources {
		name := sources[i].name
		if seen[name]++; seen[name] > 1 {
			sources[i].name = name + "-" + strconv.Itoa(seen[name])
		}
	}
	return sources, checkNames(sources)
}

// checkNames returns an error if two members have the same name, which identifies their finds.
func checkNames(sources []source) error {
	seen := map[string]bool{}
	for _, s := range sources {
		for _, m := range s.model.Members {
			if seen[m.Name] {
				return fmt.Errorf("two members are called %q: give them names of their own under members", m.Name)
			}
			seen[m.Name] = true
		}
	}
	return nil
}

// choose keeps only the members with these names, built-in and learned ones alike; names with a
// hyphen before each are removed instead. Nil means all.
func (p *Plan) choose(sources []source, names []string) error {
	if names == nil {
		p.sources = sources
		return nil
	}
	var learned []string
	for _, s := range sources {
		for _, m := range s.model.Members {
			learned = append(learned, m.Name)
		}
	}
	names, err := named(names, slices.Concat(ensemble.DetectorNames(), learned))
	if err != nil {
		return err
	}
	p.builtin = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.Contains(ensemble.DetectorNames(), name)
	})
	for _, s := range sources {
		s.model.Members = slices.DeleteFunc(slices.Clone(s.model.Members), func(m config.Member) bool {
			return !slices.Contains(names, m.Name)
		})
		if len(s.model.Members) > 0 {
			p.sources = append(p.sources, s)
		}
	}
	p.omitted = slices.DeleteFunc(learned, func(name string) bool { return slices.Contains(names, name) })
	return nil
}

// named returns the members that a list selects: those it names or, if each name has a hyphen
// before it, all others.
func named(list, known []string) ([]string, error) {
	out := config.LeavesOut(list)
	for _, name := range list {
		switch bare := strings.TrimPrefix(name, "-"); {
		case !slices.Contains(known, bare):
			return nil, fmt.Errorf("unknown detector %q (known: %s)", bare, strings.Join(known, ", "))
		case bare != name && !out:
			return nil, fmt.Errorf("%q leaves out a detector while others are chosen: say either which run or which don't", name)
		}
	}
	if !out {
		return list, nil
	}
	return slices.DeleteFunc(slices.Clone(known), func(name string) bool { return slices.Contains(list, "-"+name) }), nil
}

// ReadSpec reads what the flag --models names: "default", "fast", "none", a YAML file as
// [config.ParseModels] takes it, a folder with a set of models (members.yaml and
// SHA256SUMS), or the folder of one model, which then is a member of that name for all
// types it knows. Hashes that are not given are those of the current files: this is for
// trying models out. The configuration of a replication has to give them.
func ReadSpec(spec string) ([]config.Model, error) {
	switch spec {
	case config.ModelsDefault:
		return []config.Model{{Default: true}}, nil
	case config.ModelsFast:
		return []config.Model{{Default: true, Fast: true}}, nil
	case config.ModelsNone:
		return []config.Model{}, nil
	}
	info, err := os.Stat(spec)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w (want %s, %s, %s, a folder or a YAML file)", err, config.ModelsDefault, config.ModelsFast, config.ModelsNone)
	case !info.IsDir():
		return readFile(spec)
	}
	if _, err := os.Stat(filepath.Join(spec, MembersFile)); err == nil {
		return readSet(spec)
	}
	def := config.Model{Folder: spec, Members: []config.Member{{Name: config.MemberName(spec)}}}
	def.Sums, err = HashFolder(os.DirFS(spec))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds neither %s nor a model (%s)", spec, MembersFile, strings.Join(weights, ", "))
	}
	return []config.Model{def}, err
}

// readSet reads a folder with members.yaml, and with SHA256SUMS if it is there.
func readSet(folder string) ([]config.Model, error) {
	if _, err := os.Stat(filepath.Join(folder, SumsFile)); err != nil {
		return readFile(filepath.Join(folder, MembersFile))
	}
	sources, err := sealedSources(os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	defs := make([]config.Model, len(sources))
	for i, s := range sources {
		defs[i] = s.model
		defs[i].Folder = filepath.Join(folder, filepath.FromSlash(s.model.Folder))
	}
	return defs, nil
}

// readFile reads a file of definitions; folders are relative to its own.
func readFile(path string) ([]config.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	defs, err := config.ParseModels(text, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range defs {
		d := &defs[i]
		if d.Default {
			continue
		}
		if !filepath.IsAbs(d.Folder) {
			d.Folder = filepath.Join(filepath.Dir(path), d.Folder)
		}
		if len(d.Sums) == 0 {
			if d.Sums, err = HashFolder(os.DirFS(d.Folder)); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, d.Folder, err)
			}
		}
	}
	return defs, nil
}

// byRank orders members by priority.
func byRank(a, b config.Member) int {
	return cmp.Or(a.Rank()-b.Rank(), strings.Compare(a.Name, b.Name))
}
