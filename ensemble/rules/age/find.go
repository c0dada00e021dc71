package age

import (
	_ "embed"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words.txt
var wordFile string

// The sets of words, in the order of sections.
const (
	years cue.Set = 1 << iota
	certain
	units
	old
	of
	label
	turned
	between
	sex
	sexLetter
	relative
	unit
	counted
	score
	vital
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "years", "certain", "units", "old", "of", "age", "turned", "between", "sex", "sex-letter", "relative",
		"quantity/unit", "quantity/counted", "quantity/score", "quantity/vital")
})

// oldest is the greatest age in years.
const oldest = 125

// finder is one pass over a text.
type finder struct{ cue.Finder }

// Find appends the ages of a text in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{cue.NewFinder(v, words(), dst)}
	return f.Scan(func(i int) int { return f.Add(i, f.at(i), phi.Age) })
}

// at returns the token behind the age that begins at token i, or 0.
func (f *finder) at(i int) int {
	if f.Word(i) {
		return f.inWords(i)
	}
	if !f.Number(i) || f.Digits(i) > 3 || f.Value(i) > oldest || f.fraction(i) {
		return 0
	}
	for _, form := range [...]func(*finder, int) int{
		(*finder).withUnit, (*finder).withSex, (*finder).labelled, (*finder).ofRelative,
	} {
		if end := form(f, i); end > 0 {
			return end
		}
	}
	return 0
}

// fraction reports whether number i is part of a decimal, an amount of money or a date.
func (f *finder) fraction(i int) bool {
	c := f.Mark(i - 1)
	if f.Glued(i) && ((c == '.' || c == '/' || c == ':') && f.Glued(i-1) && f.Number(i-2) || c == '$' || c == '<' || c == '>' || c == '#') {
		return true
	}
	c = f.Mark(i + 1)
	return (c == '.' || c == '/' || c == ':') && f.Tight(i+1) && f.Number(i+2)
}

// inWords reads an age in words and its unit: eighty-five-year-old.
func (f *finder) inWords(i int) int {
	_, end := spelled.Words(f.Spelled).Count(i)
	if end == i {
		return 0
	}
	k := f.joined(end)
	switch {
	case !f.Here(k):
		return 0
	case f.In(k, years) && f.old(k) > 0:
		return end
	case f.In(k, units):
		return f.old(k)
	}
	return 0
}
