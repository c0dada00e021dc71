package ensemble

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// maxTemplate is the length of the longest template in bytes.
const maxTemplate = 8 << 10

// ParseTemplate reads a template as String writes it:
//
//	Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>
//
// Between < and > stands PHI: its type, and how it looks, where W is a word, N a number
// and A a word of letters and digits. All else stands for itself, in this case and with
// this white space, as [AppendSentence] writes it. A backslash makes <, > and itself
// plain, and the words W, N and A within PHI. Errors quote nothing.
func ParseTemplate(s string) (*Template, error) {
	if len(s) > maxTemplate || text.Check(s) != nil {
		return nil, errTemplateForm
	}
	p := templateParser{text: s, t: &Template{}}
	for p.pos < len(s) {
		if err := p.term(); err != nil {
			return nil, err
		}
	}
	if p.inside || p.t.glued() || afterBullets(s) != s || p.t.String() != s {
		return nil, errTemplateForm
	}
	return p.t, p.t.check()
}

// templateParser reads a template from its start on.
type templateParser struct {
	text   string
	pos    int
	gap    gap // that is read and belongs to the next term
	t      *Template
	inside bool // of PHI
}

// term reads a term, or what begins or ends PHI.
func (p *templateParser) term() error {
	tm := nextTerm(p.text, p.pos)
	if tm.start == len(p.text) {
		return errTemplateForm // white space at the end
	}
	if p.gap != 0 && tm.gap != 0 {
		return errTemplateForm
	}
	p.gap |= tm.gap
	word := p.text[tm.start:tm.end]
	p.pos = tm.end
	switch {
	case word == "<":
		return p.open()
	case word == ">":
		if !p.inside || len(p.t.items) == p.t.marks[len(p.t.marks)-1].first || p.gap != 0 {
			return errTemplateForm
		}
		p.t.marks[len(p.t.marks)-1].end = len(p.t.items)
		p.inside = false
		return nil
	case word == `\`:
		if p.pos == len(p.text) {
			return errTemplateForm
		}
		if tm = nextTerm(p.text, p.pos); tm.gap != 0 {
			return errTemplateForm
		}
		p.pos = tm.end
		return p.add(templateItem{text: p.text[tm.start:tm.end]})
	case p.inside && isSlot(word):
		return p.add(templateItem{slot: Slot(word[0])})
	}
	return p.add(templateItem{text: word})
}

// open reads the type of PHI and the blank behind it.
func (p *templateParser) open() error {
	name, _, ok := strings.Cut(p.text[p.pos:], " ")
	typ, err := phi.ParseType(name)
	if !ok || err != nil || p.inside {
		return errTemplateForm
	}
	p.pos += len(name) + 1
	p.t.marks = append(p.t.marks, templateMark{len(p.t.items), 0, typ})
	p.inside = true
	return nil
}

func (p *templateParser) add(item templateItem) error {
	item.gap, p.gap = p.gap, 0
	p.t.items = append(p.t.items, item)
	if len(p.t.items) > maxTerms {
		return errTemplateLong
	}
	return nil
}
