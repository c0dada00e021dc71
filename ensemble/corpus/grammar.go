package corpus

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
)

// The grammar in which notes are written stands in grammar/*.txt; its README tells
// the notation.
//
//go:embed grammar/*.txt
var grammarFiles embed.FS

// grammar maps the names of productions to their alternatives.
type grammar map[string][]sequence

type sequence []node

// node is one piece of an alternative: literal text, a reference or a choice.
type node struct {
	text   string
	ref    *reference
	choice []sequence
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
	name, block := "", false
	var lines []string
	flush := func() error {
		if name == "" {
			return nil
		}
		return g.add(name, block, lines)
	}
	for line := range strings.SplitSeq(text, "\n") {
		head, isBlock := strings.CutPrefix(line, "=== ")
		if !isBlock {
			var isLines bool
			if head, isLines = strings.CutPrefix(line, "== "); !isLines {
				lines = append(lines, line)
				continue
			}
		}
		if err := flush(); err != nil {
			return err
		}
		name, block, lines = strings.TrimSpace(head), isBlock, nil
	}
	return flush()
}

func (g grammar) add(name string, block bool, lines []string) error {
	if _, twice := g[name]; twice {
		return fmt.Errorf("production %q is there twice", name)
	}
	alternatives := lines
	if block {
		alternatives = strings.Split(strings.Join(lines, "\n"), "\n--\n")
	}
	for _, a := range alternatives {
		if block {
			a = strings.Trim(a, "\n")
		}
		if strings.TrimSpace(a) == "" {
			continue
		}
		p := parser{rest: a}
		seq, err := p.sequence(false)
		if err != nil {
			return fmt.Errorf("production %q: %w", name, err)
		}
		g[name] = append(g[name], seq)
	}
	if len(g[name]) == 0 {
		return fmt.Errorf("production %q is empty", name)
	}
	return nil
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
