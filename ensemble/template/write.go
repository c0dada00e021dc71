package template

import (
	"fmt"
	"log/slog"
	"strings"
)

// String writes a template as [Parse] reads it. Until a person has verified it that may be
// identified text.
func (t *Template) String() string {
	return t.write(func(m mark) string { return m.typ.String() })
}

// Format prints a template's length and never its text.
func (t *Template) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "template[%d terms]", len(t.items)) }

// LogValue keeps the text out of logs.
func (t *Template) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprint(t))
}

// Coarse writes it with the classes of its types, which the paper calls the NER template: it
// has persons and dates, and does not part patients from doctors.
func (t *Template) Coarse() string {
	return t.write(func(m mark) string { return m.typ.Class().String() })
}

// Form writes the syntax template, which has slots without types of PHI.
func (t *Template) Form() string {
	var b strings.Builder
	for _, it := range t.items {
		b.WriteString(it.gap.String())
		if it.slot != 0 {
			b.Write([]byte{'<', byte(it.slot), '>'})
		} else {
			it.write(&b, false)
		}
	}
	return b.String()
}

func (t *Template) write(name func(mark) string) string {
	var b strings.Builder
	at := 0
	for i, it := range t.items {
		b.WriteString(it.gap.String())
		inside := at < len(t.marks) && t.marks[at].first <= i
		if inside && t.marks[at].first == i {
			b.WriteString("<" + name(t.marks[at]) + " ")
		}
		it.write(&b, inside)
		if inside && t.marks[at].end == i+1 {
			b.WriteByte('>')
			at++
		}
	}
	return b.String()
}

// special are the characters that mean something in a template.
const special = `<>\`

func (it item) write(b *strings.Builder, inside bool) {
	switch {
	case it.slot != 0:
		b.WriteByte(byte(it.slot))
		return
	case strings.Contains(special, it.text), inside && isSlot(it.text):
		b.WriteByte('\\')
	}
	b.WriteString(it.text)
}

func isSlot(s string) bool { return s == "W" || s == "N" || s == "A" }
