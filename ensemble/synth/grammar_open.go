package synth

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Grammar is a grammar in the notation of grammar/README.md, read from files of
// one's own. Its productions may use the slots of the hospital's own grammar but
// not its productions. It is read only once parsed.
type Grammar struct {
	sequences grammar
	sources   map[string][]source
}

// source says where an alternative stands and what it says there.
type source struct {
	file string
	alternative
}

// GrammarError is a fault of a grammar at a line of a file.
type GrammarError struct {
	File string
	Line int // from 1
	Err  error
}

// Error returns "notes.txt:12: …".
func (e *GrammarError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the fault.
func (e *GrammarError) Unwrap() error { return e.Err }

// ParseGrammar reads all files *.txt at the top of a folder as one grammar and
// checks that every reference leads to a slot or a production. All faults are
// joined in the error, each a [*GrammarError].
func ParseGrammar(folder fs.FS) (*Grammar, error) {
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("the folder of the grammar holds no file *.txt")
	}
	g := &Grammar{sequences: grammar{}, sources: map[string][]source{}}
	var faults []error
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		faults = append(faults, g.read(path.Base(file), string(text))...)
	}
	return g, errors.Join(append(faults, g.check()...)...)
}

func (g *Grammar) read(file, text string) []error {
	var faults []error
	fault := func(line int, format string, args ...any) {
		faults = append(faults, &GrammarError{File: file, Line: line, Err: fmt.Errorf(format, args...)})
	}
	for _, p := range productions(text) {
		if at := g.sources[p.name]; len(at) > 0 {
			fault(p.line, "production %q stands in %s:%d already", p.name, at[0].file, at[0].line)
			continue
		}
		if _, is := slots[p.name]; is {
			fault(p.line, "production %q has the name of a slot", p.name)
			continue
		}
		for _, a := range p.alternatives {
			seq, err := parseAlternative(a.text)
			if err != nil {
				fault(a.line, "production %q: %w", p.name, err)
				continue
			}
			g.sequences[p.name] = append(g.sequences[p.name], seq)
			g.sources[p.name] = append(g.sources[p.name], source{file, a})
		}
		if len(p.alternatives) == 0 {
			fault(p.line, "production %q is empty", p.name)
		}
	}
	return faults
}

// check follows every reference.
func (g *Grammar) check() []error {
	var faults []error
	for _, name := range g.Names("") {
		for i, seq := range g.sequences[name] {
			at := g.sources[name][i]
			for _, ref := range seq.references(nil) {
				if err := g.checkReference(ref); err != nil {
					faults = append(faults, &GrammarError{File: at.file, Line: at.line, Err: fmt.Errorf("production %q: %w", name, err)})
				}
			}
		}
	}
	return faults
}

func (g *Grammar) checkReference(ref *reference) error {
	_, isSlot := slots[ref.name]
	switch {
	case isSlot && ref.list != 0:
		return fmt.Errorf("{%s} is a slot and can't be a list", ref.name)
	case !isSlot && g.sequences[ref.name] == nil:
		return fmt.Errorf("{%s} is neither a slot nor a production", ref.name)
	}
	return nil
}

// references appends the references of a sequence and of its choices.
func (seq sequence) references(to []*reference) []*reference {
	for _, n := range seq {
		if n.ref != nil {
			to = append(to, n.ref)
		}
		for _, c := range n.choice {
			to = c.references(to)
		}
	}
	return to
}

// Names returns the names of the productions that begin with prefix, sorted.
func (g *Grammar) Names(prefix string) []string {
	var names []string
	for name := range g.sequences {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Unused returns the productions that no other one refers to and whose names do
// not begin with root, as "file:line: name".
func (g *Grammar) Unused(root string) []string {
	used := map[string]bool{}
	for _, alternatives := range g.sequences {
		for _, seq := range alternatives {
			for _, ref := range seq.references(nil) {
				used[ref.name] = true
			}
		}
	}
	var out []string
	for _, name := range g.Names("") {
		if !used[name] && !strings.HasPrefix(name, root) {
			at := g.sources[name][0]
			out = append(out, fmt.Sprintf("%s:%d: %s", at.file, at.line, name))
		}
	}
	return out
}

// Alternatives returns the alternatives of a production as they stand in its file,
// in order: nil if there is no such production.
func (g *Grammar) Alternatives(name string) []string {
	var out []string
	for _, s := range g.sources[name] {
		out = append(out, s.text)
	}
	return out
}

// SlotNames lists the slots that a grammar may use, sorted.
func SlotNames() []string {
	names := make([]string, 0, len(slots))
	for name := range slots {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
