package template

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// maxTemplate is the length of the longest template in bytes.
const maxTemplate = 8 << 10

// Parse reads a template as String writes it:
//
//	Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>
//
// PHI is between < and >: its type, and its form, where W is a word, N a number and A a word
// of letters and digits. All else is literal, in this case and with this white space, as
// [text.AppendSentence] writes it. A backslash makes <, > and itself literal, and the words
// W, N and A within PHI. Errors quote nothing.
func Parse(s string) (*Template, error) {
	if len(s) > maxTemplate || text.Check(s) != nil {
		return nil, errForm
	}
	p := parser{text: s, t: &Template{}}
	for p.pos < len(s) {
		if err := p.term(); err != nil {
			return nil, err
		}
	}
	if p.inside || p.t.glued() || text.TrimBullets(s) != s || p.t.String() != s {
		return nil, errForm
	}
	return p.t, p.t.check()
}

// parser reads a template from its start on.
type parser struct {
	text   string
	pos    int
	gap    gap // before the next term
	t      *Template
	inside bool // of PHI
}

// term reads a term, or what begins or ends PHI.
func (p *parser) term() error {
	tm := nextTerm(p.text, p.pos)
	if tm.start == len(p.text) {
		return errForm // white space at the end
	}
	if p.gap != 0 && tm.gap != 0 {
		return errForm
	}
	p.gap |= tm.gap
	word := p.text[tm.start:tm.end]
	p.pos = tm.end
	switch {
	case word == "<":
		return p.open()
	case word == ">":
		if !p.inside || len(p.t.items) == p.t.marks[len(p.t.marks)-1].first || p.gap != 0 {
			return errForm
		}
		p.t.marks[len(p.t.marks)-1].end = len(p.t.items)
		p.inside = false
		return nil
	case word == `\`:
		if p.pos == len(p.text) {
			return errForm
		}
		if tm = nextTerm(p.text, p.pos); tm.gap != 0 {
			return errForm
		}
		p.pos = tm.end
		return p.add(item{text: p.text[tm.start:tm.end]})
	case p.inside && isSlot(word):
		return p.add(item{slot: Slot(word[0])})
	}
	return p.add(item{text: word})
}

// open reads the type of PHI and the blank behind it.
func (p *parser) open() error {
	name, _, ok := strings.Cut(p.text[p.pos:], " ")
	typ, err := phi.ParseType(name)
	if !ok || err != nil || p.inside {
		return errForm
	}
	p.pos += len(name) + 1
	p.t.marks = append(p.t.marks, mark{len(p.t.items), 0, typ})
	p.inside = true
	return nil
}

func (p *parser) add(it item) error {
	it.gap, p.gap = p.gap, 0
	p.t.items = append(p.t.items, it)
	if len(p.t.items) > maxTerms {
		return errLong
	}
	return nil
}
