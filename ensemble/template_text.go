package ensemble

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// String writes a template as [ParseTemplate] reads it. Until a person has verified it
// that is identified text.
func (t *Template) String() string {
	return t.write(func(m templateMark) string { return m.typ.String() })
}

// Format prints a template's length and never its text.
func (t *Template) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "template[%d terms]", len(t.items)) }

// LogValue keeps the text out of logs.
func (t *Template) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprint(t))
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
func replaced(t phi.Type) bool { return t != phi.None && t != phi.Time && t != phi.Profession }
