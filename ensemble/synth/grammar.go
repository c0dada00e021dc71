package synth

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Grammar is a grammar in the notation of data/README.md, read from files of one's
// own. Its productions may use the hospital's slots but not its other productions. It
// is read only once parsed.
type Grammar struct {
	productions map[string]*production
	sources     map[string][]source
}

// source is an alternative as its file has it.
type source struct {
	file string
	line
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
	e, err := loadEngine()
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("the folder of the grammar holds no file *.txt")
	}
	g := newGrammar()
	var faults []error
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		faults = append(faults, g.read(path.Base(file), blocks(string(text)), e.slots)...)
	}
	return g, errors.Join(append(faults, e.check(g)...)...)
}

func newGrammar() *Grammar {
	return &Grammar{productions: map[string]*production{}, sources: map[string][]source{}}
}

// read adds the productions of a file. None may have a name that is taken.
func (g *Grammar) read(file string, all []block, taken map[string]bool) []error {
	var faults []error
	fault := func(line int, format string, args ...any) {
		faults = append(faults, &GrammarError{File: file, Line: line, Err: fmt.Errorf(format, args...)})
	}
	for _, b := range all {
		if at := g.sources[b.name]; len(at) > 0 {
			fault(b.line, "production %q is in %s:%d already", b.name, at[0].file, at[0].number)
			continue
		}
		if taken[b.name] {
			fault(b.line, "production %q has the name of a slot", b.name)
			continue
		}
		if len(b.alternatives) == 0 {
			fault(b.line, "production %q is empty", b.name)
			continue
		}
		var alternatives []alternative
		for _, l := range b.alternatives {
			a, err := parseAlternative(l.text)
			if err != nil {
				fault(l.number, "production %q: %w", b.name, err)
				continue
			}
			alternatives = append(alternatives, a)
			g.sources[b.name] = append(g.sources[b.name], source{file, l})
		}
		g.productions[b.name] = newProduction(alternatives)
	}
	return faults
}

// check returns what is wrong with the references of a grammar.
func (e *engine) check(g *Grammar) []error {
	var faults []error
	for _, name := range g.Names("") {
		for i, a := range g.productions[name].alternatives {
			at := g.sources[name][i]
			for _, err := range (checker{e, g}).alternative(a) {
				faults = append(faults, &GrammarError{File: at.file, Line: at.number, Err: fmt.Errorf("production %q: %w", name, err)})
			}
		}
	}
	return faults
}

// Names returns the names of the productions that begin with prefix, sorted.
func (g *Grammar) Names(prefix string) []string {
	var names []string
	for name := range g.productions {
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
	for _, p := range g.productions {
		for _, a := range p.alternatives {
			a.seq.walk(func(n node) {
				if n.ref != nil {
					used[n.ref.name] = true
				}
			})
		}
	}
	var out []string
	for _, name := range g.Names("") {
		if !used[name] && !strings.HasPrefix(name, root) {
			at := g.sources[name][0]
			out = append(out, fmt.Sprintf("%s:%d: %s", at.file, at.number, name))
		}
	}
	return out
}

// walk calls do for each node of a sequence and of what the nodes hold.
func (seq sequence) walk(do func(node)) {
	for _, n := range seq {
		do(n)
		switch {
		case n.choice != nil:
			for _, a := range n.choice.alternatives {
				a.seq.walk(do)
			}
		case n.call != nil:
			n.call.arg.walk(do)
		case n.about != nil:
			n.about.seq.walk(do)
		case n.span != nil:
			n.span.seq.walk(do)
		}
	}
}

// Alternatives returns the alternatives of a production as its file has them, in
// order: nil if there is no such production.
func (g *Grammar) Alternatives(name string) []string {
	var out []string
	for _, s := range g.sources[name] {
		out = append(out, s.text)
	}
	return out
}

// SlotNames lists the slots that a grammar may use, sorted.
func SlotNames() []string {
	e, err := loadEngine()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(e.slots))
}
