package phone

import (
	_ "embed"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words.txt
var wordFile string

// The sets of words, in the order of sections.
const (
	line cue.Set = 1 << iota
	faxLine
	unit
	counted
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "line", "fax-line", "quantity/unit", "quantity/counted")
})

// finder is one pass over a text.
type finder struct {
	cue.Finder
	label label.Label // of the number that is looked at
	spare number      // the memory of the next
}

// Find appends the numbers of telephones, faxes and pagers in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Finder: cue.NewFinder(v, words(), dst)}
	return f.Scan(f.at)
}

// at adds the number that begins at token i and returns the token behind it, or 0.
func (f *finder) at(i int) int {
	c := f.Mark(i)
	if !f.Number(i) && (c != '(' && c != '+' || !f.Number(i+1)) && (c != '+' || f.Mark(i+1) != '(') {
		return 0
	}
	f.label = label.Before(f.View, i)
	if !f.free(i) {
		return 0
	}
	if end := f.whole(i); end > 0 {
		return end
	}
	return f.short(i)
}

// free reports whether a number can begin at token i: no label announces something else, and it does not go on a
// word, another number or an amount of money.
func (f *finder) free(i int) bool {
	if k := f.label.Kind; k >= label.SSN && k != label.Generic && k != label.Address {
		return false
	}
	if !f.Glued(i) {
		return true
	}
	switch c := f.Mark(i - 1); {
	case f.Word(i - 1):
		return f.reaches(i - 1)
	case f.Number(i-1) || c == '$' || c == '+' || c == '<' || c == '>':
		return false
	case c == '.' || c == '-' || c == '/' || c == ',':
		return !f.Glued(i-1) || !f.Number(i-2) && !(f.Word(i-2) && c == '-') || f.Last == i-1
	}
	return true
}

// reaches reports whether a number may touch word i: the "x" of an extension, or a word for telephones.
func (f *finder) reaches(i int) bool {
	k := label.At(f.View, i)
	return f.Equal(i, "x") || k != label.None && k < label.SSN
}

// announced reports whether a word announces a telephone number.
func (f *finder) announced() bool { return f.label.Kind != label.None && f.label.Kind < label.SSN }

// lineWord returns the set of the word that says, in brackets or behind a hyphen, whose line the number before token
// i is.
func (f *finder) lineWord(i int) cue.Set {
	if c := f.Mark(i); (c == '(' || c == '-') && f.Here(i) {
		return f.Sets(i+1) & (line | faxLine)
	}
	return 0
}

// kindOf returns the type of the number before token end.
func (f *finder) kindOf(end int) phi.Type {
	switch {
	case f.lineWord(end) == faxLine, f.label.Kind == label.Fax:
		return phi.Fax
	case f.label.Kind == label.Pager:
		return phi.Pager
	}
	return phi.Phone
}
