package ensemble

import (
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Template is the form of a sentence in which PHI was found (main paper, "Autogenerating
// templates using statistical NER models"). What was no PHI stands in it word by word;
// of what was, every word and number became a [Slot]; marks and white space stay. It is
// immutable. [ParseTemplate] says how it is written.
type Template struct {
	items []templateItem
	marks []templateMark // in order, disjoint
}

// Slot stands for a word or number of PHI.
type Slot byte

// The slots, by the letters of the paper.
const (
	WordSlot   Slot = 'W' // letters
	NumberSlot Slot = 'N' // digits
	MixedSlot  Slot = 'A' // letters, digits or both
)

// templateItem is a term of a sentence.
type templateItem struct {
	gap  gap
	slot Slot // 0: text stands for itself
	text string
}

// templateMark says which items, [first, end), are PHI of a type.
type templateMark struct {
	first, end int
	typ        phi.Type
}

// maxTerms is how long a template is at most: about four times the longest sentence of
// letters and reports that are signed.
const maxTerms = 256

// TemplatesOf returns the forms of a note's sentences, see [TemplateOf], and of the lines
// of those that go over several: behind a long line the next one is taken for the rest of
// its sentence, and a signature may be followed by anything. Where the lines say all, the
// sentence is none of them. Only those of up to longest bytes are looked at. spans are
// what was found in the note, sorted and disjoint.
func TemplatesOf(note *Note, spans []phi.Span, longest int) []*Template {
	var out []*Template
	for _, sentence := range note.View().Sentences() {
		for len(spans) > 0 && spans[0].End <= sentence.Start {
			spans = spans[1:]
		}
		if len(spans) == 0 {
			break
		}
		out = append(out, templatesIn(note, sentence, spans, longest)...)
	}
	return out
}

func templatesIn(note *Note, sentence phi.Range, spans []phi.Span, longest int) []*Template {
	var whole *Template
	var lines []*Template
	marks := 0
	for r := range withLines(note.Text, sentence) {
		t := (*Template)(nil)
		if r.End-r.Start <= longest {
			t = TemplateOf(note, r, spans)
		}
		switch {
		case r == sentence:
			whole = t
		case t != nil:
			lines = append(lines, t)
			marks += len(t.marks)
		}
	}
	if whole != nil && marks < len(whole.marks) {
		lines = append(lines, whole)
	}
	return lines
}

// withLines yields a sentence and then, if it has several, its lines.
func withLines(s string, sentence phi.Range) iter.Seq[phi.Range] {
	return func(yield func(phi.Range) bool) {
		if !yield(sentence) || !mayBreak(s[sentence.Start:sentence.End]) {
			return
		}
		start, whole := -1, true // of the line, within white space: -1
		end := sentence.Start
		for i := sentence.Start; i < sentence.End; {
			class, size := text.ClassOf(s[i:])
			if class == text.LineRune && start >= 0 {
				if whole = false; !yield(phi.Range{Start: start, End: end}) {
					return
				}
				start = -1
			}
			i += size
			if class != text.LineRune && class != text.SpaceRune {
				if start < 0 {
					start = i - size
				}
				end = i
			}
		}
		if !whole {
			yield(phi.Range{Start: start, End: end})
		}
	}
}

// mayBreak reports whether there may be a line break in a text: one of the four bytes, or
// the first of U+0085, U+2028 and U+2029.
func mayBreak(s string) bool {
	for _, c := range []byte{'\n', '\r', '\v', '\f', 0xc2, 0xe2} {
		if strings.IndexByte(s, c) >= 0 {
			return true
		}
	}
	return false
}

// TemplateOf returns the form of a sentence of a note, where spans are what was found in
// the note, sorted and disjoint. Times of day are slots too, but for their words ("PM
// CST"), as in the paper's example; occupations stand for themselves.
//
// A sentence has none, and nil is returned, if nothing that is replaced was found in it;
// if a span reaches beyond it, or begins or ends within a word; if it is too long; or if
// no word of two letters is left of it, since a form of nothing but slots fits anything.
func TemplateOf(note *Note, sentence phi.Range, spans []phi.Span) *Template {
	text := afterBullets(note.Text[sentence.Start:sentence.End])
	base := sentence.End - len(text)
	t := &Template{}
	at := 0
	for at < len(spans) && spans[at].End <= base {
		at++
	}
	inside := false
	for pos := 0; pos < len(text); {
		tm := nextTerm(text, pos)
		for at < len(spans) && spans[at].Type == phi.Profession {
			at++
		}
		if !inside && at < len(spans) && spans[at].Start < base+tm.end {
			if spans[at].Start != base+tm.start {
				return nil
			}
			t.marks = append(t.marks, templateMark{len(t.items), 0, spans[at].Type})
			inside = true
		}
		if !t.add(text, tm, inside) {
			return nil
		}
		pos = tm.end
		if inside && spans[at].End <= base+pos {
			if spans[at].End != base+pos {
				return nil
			}
			t.marks[len(t.marks)-1].end = len(t.items)
			inside = false
			at++
		}
	}
	if inside || t.check() != nil {
		return nil
	}
	return t
}

// add appends a term, as a slot if it is PHI; false: there are too many.
func (t *Template) add(text string, tm term, found bool) bool {
	item := templateItem{gap: tm.gap, text: text[tm.start:tm.end]}
	if found && tm.class != 0 && !(tm.class == WordSlot && t.marks[len(t.marks)-1].typ == phi.Time) {
		item.slot, item.text = tm.class, ""
	}
	t.items = append(t.items, item)
	return len(t.items) <= maxTerms
}

// Literals returns the words, numbers and marks that stand for themselves, in order.
func (t *Template) Literals() []string {
	var out []string
	for _, item := range t.items {
		if item.slot == 0 {
			out = append(out, item.text)
		}
	}
	return out
}
