package address

import (
	_ "embed"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words.txt
var wordFile string

// The sets of words, in the order of sections.
const (
	road cue.Set = 1 << iota
	way
	numbered
	first
	compass
	unit
	state
	australia
	postcodeArea
	ordinal
	box
	small
	notName
	measure
	counted
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "road", "way", "numbered", "first", "compass", "unit", "state", "australia", "postcode-area", "ordinal",
		"box", "small", "not-name", "quantity/unit", "quantity/counted")
})

// finder is one pass over a text.
type finder struct{ cue.Finder }

// Find appends the parts of addresses in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{cue.NewFinder(v, words(), dst)}
	return f.Scan(f.at)
}

// at appends what begins or is given away at token i and returns the token behind it, or 0.
func (f *finder) at(i int) int {
	if f.Number(i) {
		if end := f.street(i); end > 0 {
			return f.Add(i, end, phi.Street)
		}
		return f.zip(i)
	}
	if !f.Word(i) {
		return 0
	}
	if from, end := f.box(i); end > 0 && from >= f.Last {
		return f.Add(from, end, phi.Street)
	}
	if end := f.streetFirst(i); end > 0 {
		return f.Add(i, end, phi.Street)
	}
	if end := f.letters(i); end > 0 {
		return f.Add(i, end, phi.Zip)
	}
	return 0
}
