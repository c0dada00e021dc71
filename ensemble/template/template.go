package template

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Template is the form of a sentence that holds PHI. What is not PHI is in it word by
// word; every word and number of PHI is a [Slot]; punctuation and white space stay. It is
// immutable. [Parse] says how it is written.
type Template struct {
	items []item
	marks []mark // in order, disjoint
}

// Slot is the place of a word or number of PHI.
type Slot byte

// The slots, by the letters of the paper.
const (
	WordSlot   Slot = 'W' // letters
	NumberSlot Slot = 'N' // digits
	MixedSlot  Slot = 'A' // letters, digits or both
)

// item is a term of a sentence.
type item struct {
	gap  gap
	slot Slot // 0: the text itself
	text string
}

// mark says that the items [first, end) are PHI of a type.
type mark struct {
	first, end int
	typ        phi.Type
}

// maxTerms is the greatest length of a template: about four times the longest sentence of
// signed letters and reports.
const maxTerms = 256

var (
	errForm  = errors.New("it is no template as pgdeid writes them")
	errEmpty = errors.New("nothing in it is PHI that is replaced")
	errWords = errors.New("it has no word of two letters of its own: it would fit anything")
	errLong  = fmt.Errorf("it has more than %d words and marks", maxTerms)
)

// Literals returns the words, numbers and marks that are no PHI, in order.
func (t *Template) Literals() []string {
	var out []string
	for _, it := range t.items {
		if it.slot == 0 {
			out = append(out, it.text)
		}
	}
	return out
}

// glued reports whether two words follow one another without white space: a text has one
// word there.
func (t *Template) glued() bool {
	before := false
	for i, it := range t.items {
		word := it.slot != 0 || nextTerm(it.text, 0).class != 0
		if i > 0 && word && before && it.gap == 0 {
			return true
		}
		before = word
	}
	return false
}

// check reports why a template can't be used.
func (t *Template) check() error {
	slots, words, at := false, false, 0
	for i, it := range t.items {
		for at < len(t.marks) && t.marks[at].end <= i {
			at++
		}
		inside := at < len(t.marks) && t.marks[at].first <= i
		slots = slots || inside && it.slot != 0 && replaced(t.marks[at].typ)
		words = words || !inside && nextTerm(it.text, 0).class == WordSlot && utf8.RuneCountInString(it.text) > 1
	}
	switch {
	case !slots:
		return errEmpty
	case !words:
		return errWords
	case len(t.items) > maxTerms:
		return errLong
	}
	return nil
}

// replaced reports whether PHI of a type is replaced.
func replaced(t phi.Type) bool { return t != phi.None && t != phi.Time && t != phi.Profession }
