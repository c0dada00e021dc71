package ensemble

import (
	"sort"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// coverage is a set of tokens.
type coverage []bool

// has reports whether a token is in the set.
func (c coverage) has(token int) bool { return c[token] }

// coverage returns the tokens that lie within the votes that a condition takes.
func (b *Ballot) coverage(takes func(phi.Span) bool) coverage {
	toks := b.note.View().Tokens
	c := make(coverage, len(toks))
	for _, s := range b.votes {
		if !takes(s) {
			continue
		}
		first := sort.Search(len(toks), func(i int) bool { return toks[i].Start >= s.Start })
		for i := first; i < len(toks) && toks[i].End <= s.End; i++ {
			c[i] = true
		}
	}
	return c
}
