package ident

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
	gluedLabel cue.Set = 1 << iota
	measured
	loginWord
	signedWord
	roundWord
	yearWord
	last
	four
	unit
	counted
	score
	vital
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "glued", "measured", "login", "signed", "round", "year", "last-four", "four",
		"quantity/unit", "quantity/counted", "quantity/score", "quantity/vital")
})

// finder is one pass over a text.
type finder struct{ cue.Reader }

// found is an identifier: its type and the token behind it.
type found struct {
	end int
	as  phi.Type
}

// Find appends the identifiers in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{cue.Reader{View: v, Words: words()}}
	for i := 0; i < len(v.Tokens); {
		id := f.at(i)
		if id.end <= i {
			i = max(i+1, f.skip(i))
			continue
		}
		dst = append(dst, f.Span(i, id.end, id.as))
		i = id.end
	}
	return dst
}

// at returns the identifier that begins at token i.
func (f *finder) at(i int) found {
	if c := f.Mark(i); c == '*' || c == '#' || f.Equal(i, "xxx") {
		return f.masked(i)
	}
	if !f.Number(i) && !f.Word(i) || f.Glued(i) && !f.opens(i-1) {
		return found{}
	}
	if f.Word(i) && !f.beginsCode(i) {
		return f.login(i)
	}
	for _, find := range [...]func(*finder, int) found{
		(*finder).checked, (*finder).labelled, (*finder).login, (*finder).formed, (*finder).bare,
	} {
		if id := find(f, i); id.end > i {
			return id
		}
	}
	return found{}
}

// skip returns the token behind the glued run at token i, which holds no identifier: none
// begins within it.
func (f *finder) skip(i int) int {
	if !f.Number(i) {
		return i
	}
	for i++; f.Glued(i) && (f.Number(i) || (f.Mark(i) == '.' || f.Mark(i) == '/') && f.Glued(i+1)); i++ {
	}
	return i
}

// opens reports whether an identifier may follow token i without a blank: behind a bracket,
// a label's mark, or a word that is taken as glued to it by mistake.
func (f *finder) opens(i int) bool {
	switch f.Mark(i) {
	case 0:
		return f.Word(i) && label.At(f.View, i) != label.None
	case '(', '[', ':', '#', '=', '"', '\'', '|', '>', ',', ';', '_', '*', '^', '{', '~', '+':
		return true
	case '/':
		return !f.Glued(i)
	case '-':
		return !f.Glued(i) || f.Word(i-1)
	}
	return false
}

// beginsCode reports whether word i is the first part of a code: digits follow without a
// blank or behind a mark, or, behind up to four capitals, with one.
func (f *finder) beginsCode(i int) bool {
	switch c := f.Mark(i + 1); {
	case f.Glued(i+1) && f.Number(i+1):
		return true
	case c == '-' || c == '/' || c == '_':
		return f.Tight(i+1) && (f.Number(i+2) || f.Case(i) == text.Upper && f.Case(i+2) == text.Upper && f.numberWithin(i+2))
	case f.Number(i + 1):
		return f.shortCapitals(i) && f.Here(i+1)
	}
	return false
}

// numberWithin reports whether a digit follows in the run at token i.
func (f *finder) numberWithin(i int) bool {
	for j := i; j < i+8 && (j == i || f.Glued(j)); j++ {
		if f.Number(j) {
			return true
		}
	}
	return false
}

// mostLetters is how many letters a code begins with at most.
const mostLetters = 5

// shortCapitals reports whether word i is in capitals and short enough to be part of a code.
func (f *finder) shortCapitals(i int) bool {
	return f.Word(i) && f.Case(i) == text.Upper && len(f.Str(i)) <= mostLetters
}
