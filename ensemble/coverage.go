package ensemble

import (
	"sort"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// coverage is a set of tokens.
type coverage []bool

// has reports whether a token is in the set.
func (c coverage) has(token int) bool { return c[token] }

// coverageOf returns the tokens within spans that a condition accepts.
func coverageOf(v *text.View, spans []phi.Span, accepts func(phi.Span) bool) coverage {
	toks := v.Tokens
	c := make(coverage, len(toks))
	for _, s := range spans {
		if !accepts(s) {
			continue
		}
		first := sort.Search(len(toks), func(i int) bool { return toks[i].Start >= s.Start })
		for i := first; i < len(toks) && toks[i].End <= s.End; i++ {
			c[i] = true
		}
	}
	return c
}

// isExact reports whether a span is beyond doubt.
func isExact(s phi.Span) bool { return !s.Tentative }
