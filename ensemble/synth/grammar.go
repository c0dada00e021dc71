package synth

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// The grammar in which notes are written stands in grammar/*.txt; its README tells
// the notation.
//
//go:embed grammar/*.txt
var grammarFiles embed.FS

// grammar maps the names of productions to their alternatives.
type grammar map[string][]sequence

type sequence []node

// node is one piece of an alternative: literal text, PHI that stays as it is, a reference or a
// choice.
type node struct {
	text   string
	ref    *reference
	choice []sequence
	marked bool     // text is PHI
	typ    phi.Type // of it
}

// reference stands for a slot or a production: once, or several distinct
// alternatives as a list.
type reference struct {
	name   string
	list   byte // 0, '*' sentences in a row, '#' numbered lines, '%' lines with a mark, ',' enumeration
	lo, hi int
}

var loadGrammar = sync.OnceValues(func() (grammar, error) {
	g := grammar{}
	err := fs.WalkDir(grammarFiles, "grammar", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := grammarFiles.ReadFile(path)
		if err != nil {
			return err
		}
		if err := g.parseFile(string(data)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	return g, err
})

// parseFile reads productions: "== name" begins one with an alternative a line,
// "=== name" one whose alternatives are blocks of lines with "--" between them.
func (g grammar) parseFile(text string) error {
	for _, p := range productions(text) {
		if err := g.add(p); err != nil {
			return err
		}
	}
	return nil
}

// production is one that stands in a file.
type production struct {
	name         string
	line         int // of its head, from 1
	alternatives []alternative
}

type alternative struct {
	text string
	line int // of its beginning, from 1
}

// productions splits a file into its productions; what stands before the first
// is passed over.
func productions(text string) []production {
	var out []production
	block, number := false, 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		head, isBlock := strings.CutPrefix(line, "=== ")
		isLines := false
		if !isBlock {
			head, isLines = strings.CutPrefix(line, "== ")
		}
		switch {
		case isBlock || isLines:
			block = isBlock
			out = append(out, production{name: strings.TrimSpace(head), line: number})
		case len(out) > 0:
			out[len(out)-1].addLine(line, number, block)
		}
	}
	for i := range out {
		out[i].tidy()
	}
	return out
}

// addLine adds a line of a file: an alternative of its own, or within blocks one
// more line of the last.
func (p *production) addLine(line string, number int, block bool) {
	switch last := len(p.alternatives) - 1; {
	case !block || last < 0:
		p.alternatives = append(p.alternatives, alternative{text: line, line: number})
	case line == "--":
		p.alternatives = append(p.alternatives, alternative{line: number + 1})
	case p.alternatives[last].text == "":
		p.alternatives[last] = alternative{text: line, line: number}
	default:
		p.alternatives[last].text += "\n" + line
	}
}

// tidy drops what is blank.
func (p *production) tidy() {
	for i := range p.alternatives {
		p.alternatives[i].text = strings.Trim(p.alternatives[i].text, "\n")
	}
	p.alternatives = slices.DeleteFunc(p.alternatives, func(a alternative) bool { return strings.TrimSpace(a.text) == "" })
}

func (g grammar) add(p production) error {
	if _, twice := g[p.name]; twice {
		return fmt.Errorf("production %q is there twice", p.name)
	}
	for _, a := range p.alternatives {
		seq, err := parseAlternative(a.text)
		if err != nil {
			return fmt.Errorf("production %q: %w", p.name, err)
		}
		g[p.name] = append(g[p.name], seq)
	}
	if len(g[p.name]) == 0 {
		return fmt.Errorf("production %q is empty", p.name)
	}
	return nil
}

func parseAlternative(text string) (sequence, error) {
	p := parser{rest: text}
	return p.sequence(false)
}

// parser reads one alternative.
type parser struct{ rest string }

// sequence reads up to the end or, within a choice, up to "|" or "]", which it
// leaves unread.
func (p *parser) sequence(inChoice bool) (sequence, error) {
	var seq sequence
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			seq = append(seq, node{text: lit.String()})
			lit.Reset()
		}
	}
	for p.rest != "" {
		c := p.rest[0]
		switch {
		case c == '\\' && len(p.rest) > 1:
			lit.WriteString(unescape(p.rest[1]))
			p.rest = p.rest[2:]
		case c == '{' || c == '[':
			flush()
			n, err := p.special(c)
			if err != nil {
				return nil, err
			}
			seq = append(seq, n)
		case inChoice && (c == '|' || c == ']'):
			flush()
			return seq, nil
		default:
			lit.WriteByte(c)
			p.rest = p.rest[1:]
		}
	}
	flush()
	if inChoice {
		return nil, fmt.Errorf("a choice has no end")
	}
	return seq, nil
}

func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	default:
		return string(c)
	}
}

func (p *parser) special(open byte) (node, error) {
	p.rest = p.rest[1:]
	if open == '{' {
		inside, after, ok := strings.Cut(p.rest, "}")
		if !ok {
			return node{}, fmt.Errorf("a reference has no end")
		}
		p.rest = after
		ref, err := parseReference(inside)
		return node{ref: ref}, err
	}
	var choice []sequence
	for {
		seq, err := p.sequence(true)
		if err != nil {
			return node{}, err
		}
		choice = append(choice, seq)
		end := p.rest[0] == ']'
		p.rest = p.rest[1:]
		if end {
			return node{choice: choice}, nil
		}
	}
}

// parseReference reads "name", "name*2-4", "name#3", "name%2-5" or "name,2-3".
func parseReference(s string) (*reference, error) {
	i := strings.IndexAny(s, "*#%,")
	if i < 0 {
		return &reference{name: s, lo: 1, hi: 1}, nil
	}
	from, to, isRange := strings.Cut(s[i+1:], "-")
	if !isRange {
		to = from
	}
	lo, err := strconv.Atoi(from)
	if err != nil {
		return nil, fmt.Errorf("reference %q: %w", s, err)
	}
	hi, err := strconv.Atoi(to)
	if err != nil || hi < lo {
		return nil, fmt.Errorf("reference %q: want a range of numbers", s)
	}
	return &reference{name: s[:i], list: s[i], lo: lo, hi: hi}, nil
}
