package template

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// All returns the templates of a text's sentences, see [Of], and of the lines of those that
// have several: a sentence may take in the line after a long one, and anything may follow a
// signature. A sentence is left out where its lines hold all its PHI. Sentences and lines of
// more than longest bytes are left out. spans are what was found in the text, sorted and
// disjoint.
func All(v *text.View, spans []phi.Span, longest int) []*Template {
	var out []*Template
	for _, sentence := range v.Sentences() {
		for len(spans) > 0 && spans[0].End <= sentence.Start {
			spans = spans[1:]
		}
		if len(spans) == 0 {
			break
		}
		out = append(out, inSentence(v.Text, sentence, spans, longest)...)
	}
	return out
}

func inSentence(s string, sentence phi.Range, spans []phi.Span, longest int) []*Template {
	var whole *Template
	var lines []*Template
	marks := 0
	for r := range withLines(s, sentence) {
		t := (*Template)(nil)
		if r.End-r.Start <= longest {
			t = Of(s, r, spans)
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

// Of returns the form of a sentence of a text, where spans are what was found in the text,
// sorted and disjoint. Times of day are slots but for their words ("PM CST"), as in the
// paper's example; occupations are kept as they are.
//
// It returns nil if the sentence holds nothing that is replaced; if a span reaches beyond it,
// or begins or ends within a word; if it is too long; or if it has no word of two letters
// that is no PHI, since a form of slots alone fits anything.
func Of(s string, sentence phi.Range, spans []phi.Span) *Template {
	body := text.TrimBullets(s[sentence.Start:sentence.End])
	base := sentence.End - len(body)
	t := &Template{}
	at := 0
	for at < len(spans) && spans[at].End <= base {
		at++
	}
	inside := false
	for pos := 0; pos < len(body); {
		tm := nextTerm(body, pos)
		for at < len(spans) && spans[at].Type == phi.Profession {
			at++
		}
		if !inside && at < len(spans) && spans[at].Start < base+tm.end {
			if spans[at].Start != base+tm.start {
				return nil
			}
			t.marks = append(t.marks, mark{len(t.items), 0, spans[at].Type})
			inside = true
		}
		if !t.add(body, tm, inside) {
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

// add appends a term, as a slot if it is PHI. It reports whether there is room for it.
func (t *Template) add(s string, tm term, found bool) bool {
	it := item{gap: tm.gap, text: s[tm.start:tm.end]}
	if found && tm.class != 0 && !(tm.class == WordSlot && t.marks[len(t.marks)-1].typ == phi.Time) {
		it.slot, it.text = tm.class, ""
	}
	t.items = append(t.items, it)
	return len(t.items) <= maxTerms
}
