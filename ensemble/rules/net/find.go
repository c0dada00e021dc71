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
	top cue.Set = 1 << iota
	bare
	scheme
	version
	atWord
	dotWord
)

var words = sync.OnceValue(func() *cue.Words {
	return cue.MustLoad(wordFile, "top", "bare", "scheme", "version", "at", "dot")
})

// finder is one pass over a text.
type finder struct {
	cue.Reader
	last int // the token behind the last finding
}

// found are tokens that are an address.
type found struct {
	from, end int
	as        phi.Type
}

// Find appends the addresses on the net in order.
func Find(v *text.View, dst []phi.Span) []phi.Span {
	f := finder{Reader: cue.Reader{View: v, Words: words()}}
	for i := 0; i < len(v.Tokens); {
		a := f.at(i)
		if a.end <= i || a.from < f.last {
			i++
			continue
		}
		dst = append(dst, f.Span(a.from, a.end, a.as))
		f.last, i = a.end, a.end
	}
	return dst
}

// at returns the address that token i gives away: an at sign, a scheme, a dot or a colon, or
// the first number of four.
func (f *finder) at(i int) found {
	switch c := f.Mark(i); {
	case c == '@':
		return f.email(i)
	case c == '.':
		return f.domain(i)
	case c == ':':
		return f.hex(i)
	case f.Number(i):
		if a := f.quad(i); a.end > 0 {
			return a
		}
		return f.pairs(i)
	case f.In(i, atWord):
		return f.spokenEmail(i, i, i+1)
	case f.In(i, scheme), f.Equal(i, "www"):
		return f.url(i)
	case f.Word(i):
		return f.pairs(i)
	case c == '(' || c == '[':
		if f.In(i+1, atWord) && (f.Mark(i+2) == ')' || f.Mark(i+2) == ']') {
			return f.spokenEmail(i+1, i, i+3)
		}
	}
	return found{}
}

// longest is how many tokens an address is followed over, so that no text takes more than
// linear time.
const longest = text.LongestRun

// runEnd returns the token behind the run of tokens without blanks from token i on, less the
// marks that close a sentence or a bracket.
func (f *finder) runEnd(i int) int {
	end := i + 1
	for f.Glued(end) && end < i+longest && !closes(f.Mark(end)) {
		end++
	}
	for end > i+1 && f.Mark(end-1) != 0 && f.Mark(end-1) != '/' && f.Mark(end-1) != '_' && f.Mark(end-1) != '=' {
		end--
	}
	return end
}

// closes reports whether mark c ends an address: quotes and angle brackets are around it.
func closes(c byte) bool {
	return c == '"' || c == '<' || c == '>' || c == '|' || c == ')' || c == ']' || c == '}'
}
