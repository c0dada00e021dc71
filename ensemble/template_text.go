package ensemble

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"
)

// String writes a template as [ParseTemplate] reads it. Until a person has verified it
// that is identified text; %v and the like print it, so print it nowhere by accident:
// it is text to be shown, like a sentence.
func (t *Template) String() string {
	return t.write(func(m templateMark) string { return m.typ.String() })
}

// LogValue keeps the text out of logs.
func (t *Template) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("template[%d terms]", len(t.items)))
}

// Coarse writes it with the classes of its types: what the paper calls the NER template,
// which tells persons from dates and not patients from doctors.
func (t *Template) Coarse() string {
	return t.write(func(m templateMark) string { return m.typ.Class().String() })
}

// Form writes the syntax template: the same without saying what is PHI of which type.
// Sentences of one form look alike to whoever sees the slots only.
func (t *Template) Form() string {
	var b strings.Builder
	for _, item := range t.items {
		b.WriteString(item.gap.String())
		if item.slot != 0 {
			b.Write([]byte{'<', byte(item.slot), '>'})
		} else {
			item.write(&b, false)
		}
	}
	return b.String()
}

func (t *Template) write(name func(templateMark) string) string {
	var b strings.Builder
	at := 0
	for i, item := range t.items {
		b.WriteString(item.gap.String())
		inside := at < len(t.marks) && t.marks[at].first <= i
		if inside && t.marks[at].first == i {
			b.WriteString("<" + name(t.marks[at]) + " ")
		}
		item.write(&b, inside)
		if inside && t.marks[at].end == i+1 {
			b.WriteByte('>')
			at++
		}
	}
	return b.String()
}

// special are the characters that mean something in a template.
const special = `<>\`

func (item templateItem) write(b *strings.Builder, inside bool) {
	switch {
	case item.slot != 0:
		b.WriteByte(byte(item.slot))
		return
	case strings.Contains(special, item.text), inside && isSlot(item.text):
		b.WriteByte('\\')
	}
	b.WriteString(item.text)
}

func isSlot(s string) bool { return s == "W" || s == "N" || s == "A" }

var (
	errTemplateForm  = errors.New("it is no template as pgdeid writes them")
	errTemplateEmpty = errors.New("nothing in it is PHI that is replaced")
	errTemplateWords = errors.New("it has no word of two letters of its own: it would fit anything")
	errTemplateLong  = fmt.Errorf("it has more than %d words and marks", maxTerms)
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
func ParseTemplate(text string) (*Template, error) {
	if len(text) > maxTemplate || CheckText(text) != nil {
		return nil, errTemplateForm
	}
	p := templateParser{text: text, t: &Template{}}
	for p.pos < len(text) {
		if err := p.term(); err != nil {
			return nil, err
		}
	}
	if p.inside || p.t.glued() || afterBullets(text) != text || p.t.String() != text {
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
	typ, err := ParseType(name)
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

// glued reports whether two words stand side by side without white space: in a text they
// are one.
func (t *Template) glued() bool {
	before := false
	for i, item := range t.items {
		word := item.slot != 0 || nextTerm(item.text, 0).class != 0
		if i > 0 && word && before && item.gap == 0 {
			return true
		}
		before = word
	}
	return false
}

// check reports why a template can't be used.
func (t *Template) check() error {
	slots, words, at := false, false, 0
	for i, item := range t.items {
		for at < len(t.marks) && t.marks[at].end <= i {
			at++
		}
		inside := at < len(t.marks) && t.marks[at].first <= i
		slots = slots || inside && item.slot != 0 && replaced(t.marks[at].typ)
		words = words || !inside && nextTerm(item.text, 0).class == WordSlot && utf8.RuneCountInString(item.text) > 1
	}
	switch {
	case !slots:
		return errTemplateEmpty
	case !words:
		return errTemplateWords
	case len(t.items) > maxTerms:
		return errTemplateLong
	}
	return nil
}

// replaced reports whether PHI of a type is replaced.
func replaced(t Type) bool { return t != None && t != Time && t != Profession }
