package phi

import (
	mathbits "math/bits"
	"slices"
)

// Span is a half-open range of bytes [Start, End) of a note's text that holds
// PHI of one type.
type Span struct {
	Start, End int
	Type       Type
	// By is the set of the detectors that found the span, over their positions in
	// an ensemble. A detector leaves it 0: the ensemble fills it in.
	By Votes
	// Sure marks a span that must not be taken back by vocabulary or priority:
	// the patient's own record found it in a context that leaves no doubt.
	Sure bool
	// Tentative marks a span that counts only where a vote from another source
	// meets it, or where it continues a name.
	Tentative bool
	// Score is the probability that the member gives the span, from 0 to 1; 0: it
	// can't say. Of several members it is the highest.
	Score float32
}

// Votes is a set of detectors: bit i is the ensemble's i-th member.
type Votes uint32

// Count returns how many members are in the set.
func (v Votes) Count() int { return mathbits.OnesCount32(uint32(v)) }

// Overlaps reports whether s and o share at least one byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// SortSpans orders spans by start and, where these are equal, longest first.
func SortSpans(spans []Span) {
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
}

// Range is a half-open range of bytes.
type Range struct{ Start, End int }
