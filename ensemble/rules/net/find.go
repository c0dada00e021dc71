package net

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
	bare cue.Set = 1 << iota
	scheme
	version
)

var words = sync.OnceValue(func() *cue.Words { return cue.MustLoad(wordFile, "bare", "scheme", "version") })

// finder is one pass over a text.
type finder struct{ cue.Finder }

// found are tokens that are an address.
type found struct {
	from, end int
	as        phi.Type
}

// Find appends the addresses on the net in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{cue.NewFinder(v, words(), dst)}
	return f.Scan(func(i int) int {
		a := f.at(i)
		if a.end <= i || a.from < f.Last {
			return 0
		}
		return f.Add(a.from, a.end, a.as)
	})
}

// at returns the address that token i gives away: an at sign, a scheme, a dot or a colon, or the first number.
func (f *finder) at(i int) found {
	switch c := f.Mark(i); {
	case c == '@':
		return f.email(i)
	case f.Equal(i, "at"):
		return f.saidEmail(i)
	case c == '.':
		return f.domain(i)
	case c == ':':
		return f.hex(i)
	case f.In(i, scheme), f.Equal(i, "www"):
		return f.url(i)
	case f.part(i):
		if a := f.quad(i); a.end > 0 {
			return a
		}
		return f.card(i)
	}
	return found{}
}

// part reports whether token i is a word or a number.
func (f *finder) part(i int) bool { return f.Word(i) || f.Number(i) }
