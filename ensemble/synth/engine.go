package synth

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// The hospital's own grammar: the notes, the slots that any grammar may use, what
// slots are made of, and words. data/README.md documents the notation.
//
//go:embed data/*/*.txt
var dataFiles embed.FS

// The folders of the productions that other grammars may use, and of those whose
// alternatives are lines "key=value".
const slotFolder, tableFolder = "data/slots", "data/tables"

// engine is the hospital's grammar and what its sequences can ask for.
type engine struct {
	*Grammar
	slots      map[string]bool
	fields     map[string]func(*scene) string
	functions  map[string]function
	subjects   map[string]func(*scene, subject)
	conditions map[string]func(*scene) bool
	tables     map[string]map[string]string
}

// loadEngine reads the embedded files once.
var loadEngine = sync.OnceValues(func() (*engine, error) { return newEngine(dataFiles) })

func newEngine(files fs.FS) (*engine, error) {
	e := &engine{
		Grammar: newGrammar(), slots: map[string]bool{},
		fields: fields(), functions: functions(), subjects: subjects(), conditions: conditions(),
		tables: map[string]map[string]string{},
	}
	names, err := fs.Glob(files, "data/*/*.txt")
	if err != nil {
		return nil, err
	}
	parsed := make([][]block, len(names))
	members := map[string][]line{}
	for i, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		parsed[i] = blocks(string(text))
		for _, b := range parsed[i] {
			members[b.name] = b.alternatives
		}
	}
	var faults []error
	for i, name := range names {
		all := families(parsed[i], members)
		faults = append(faults, e.read(name, all, nil)...)
		for _, b := range all {
			switch path.Dir(name) {
			case slotFolder:
				e.slots[b.name] = true
			case tableFolder:
				e.tables[b.name] = table(b)
			}
		}
	}
	return e, errors.Join(faults...)
}

// families replaces each production whose name ends in a reference by one for each
// alternative of what is referred to: "{it}" is the alternative.
func families(all []block, members map[string][]line) []block {
	var out []block
	for _, b := range all {
		prefix, list, isFamily := strings.Cut(strings.TrimSuffix(b.name, "}"), "{")
		if !isFamily || len(members[list]) == 0 {
			out = append(out, b)
			continue
		}
		for _, member := range members[list] {
			one := block{name: prefix + member.text, line: b.line}
			for _, l := range b.alternatives {
				one.alternatives = append(one.alternatives, line{strings.ReplaceAll(l.text, "{it}", member.text), l.number})
			}
			out = append(out, one)
		}
	}
	return out
}

// table reads lines "key=value".
func table(b block) map[string]string {
	t := map[string]string{}
	for _, l := range b.alternatives {
		key, value, _ := strings.Cut(l.text, "=")
		t[key] = value
	}
	return t
}
