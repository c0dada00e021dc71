package ident

import (
	"cmp"
	_ "embed"
	"strings"
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
	measured cue.Set = 1 << iota
	unit
	counted
	score
	vital
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "measured", "quantity/unit", "quantity/counted", "quantity/score", "quantity/vital")
})

// finder is one pass over a text.
type finder struct {
	cue.Finder
	label label.Label // of the code that is looked at
}

// found is an identifier: its type and the token behind it.
type found struct {
	end int
	as  phi.Type
}

// Find appends the identifiers in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Finder: cue.NewFinder(v, words(), dst)}
	return f.Scan(func(i int) int {
		id := f.at(i)
		return f.Add(i, id.end, id.as)
	})
}

// at returns the identifier that begins at token i.
func (f *finder) at(i int) found {
	if f.Glued(i) && !f.opens(i-1) {
		return found{}
	}
	if id := cmp.Or(f.login(i), f.written(i)); id.end > 0 || !f.Number(i) && !f.beginsCode(i) {
		return id
	}
	f.label = label.Before(f.View, i)
	for _, find := range [...]func(*finder, int) found{
		(*finder).socialSecurity, (*finder).card, (*finder).iban, (*finder).labelled, (*finder).bare,
	} {
		if id := find(f, i); id.end > i {
			return id
		}
	}
	return found{}
}

// opens reports whether an identifier may follow token i without a blank: behind a bracket, a label's mark, or a
// label that is glued to it.
func (f *finder) opens(i int) bool {
	switch c := f.Mark(i); c {
	case 0:
		return f.Word(i) && label.At(f.View, i) != label.None
	case '/':
		return !f.Glued(i)
	case '-':
		return !f.Glued(i) || f.Word(i-1)
	default:
		return strings.IndexByte(`()[:#="'|>,;_*^{~+`, c) >= 0
	}
}

// beginsCode reports whether token i is a word and the first part of a code: digits follow without a blank or behind a mark, or,
// behind up to five capitals, with one.
func (f *finder) beginsCode(i int) bool {
	switch c := f.Mark(i + 1); {
	case !f.Word(i):
		return false
	case f.Glued(i+1) && f.Number(i+1):
		return true
	case c == '-' || c == '/' || c == '_':
		return f.Tight(i+1) && f.Number(i+2)
	}
	return f.Number(i+1) && f.shortCapitals(i) && f.Here(i+1)
}

// mostLetters is how many letters a code begins with at most.
const mostLetters = 5

// shortCapitals reports whether word i is in capitals and short enough to be part of a code.
func (f *finder) shortCapitals(i int) bool {
	return f.Word(i) && f.Case(i) == text.Upper && len(f.Str(i)) <= mostLetters
}
