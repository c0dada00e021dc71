package merge

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Stacker decides which of the words that members propose are PHI. It is safe for concurrent use,
// a pure function of the candidates, and never panics.
type Stacker interface {
	// Keep returns the part of each candidate's range that is PHI, empty if none is.
	// Candidates beyond the answers are kept whole.
	Keep(c *Candidates) []phi.Range
}

// Candidates are the proposals of an ensemble's members for a text, however unsure.
type Candidates struct {
	View *text.View
	// Spans are the candidates: all votes, united to sorted, disjoint spans.
	Spans []phi.Span
	// Counted reports for each whether it would count by vote, at a threshold of one.
	Counted []bool
	// Votes are the votes behind the candidates, by start and then by length, each with one member in
	// By.
	Votes []phi.Span
	// Members are the names of the ensemble's members, in the order of the bits of By.
	Members []string
	// Learned are the members other than built-in rules.
	Learned phi.Votes
}

// Candidates makes candidates of votes, which it reorders. It leaves Members and Learned empty.
func (v *Voters) Candidates(view *text.View, votes []phi.Span) *Candidates {
	spans := v.Unite(view.Text, votes)
	phi.SortSpans(votes) // Unite reordered them
	counted := make([]bool, len(spans))
	for i, s := range spans {
		counted[i] = v.Counts(s, 1)
	}
	return &Candidates{View: view, Spans: spans, Counted: counted, Votes: votes}
}

// Kept returns the spans that a stacker keeps, and everything that a member is sure of.
func (c *Candidates) Kept(by Stacker) []phi.Span {
	kept := make([]phi.Span, 0, len(c.Spans))
	first, parts := 0, by.Keep(c)
	for i, s := range c.Spans {
		var sure phi.Range
		sure, first = c.sure(s, first)
		part := phi.Range{Start: s.Start, End: s.End}
		if i < len(parts) {
			part = within(parts[i], part)
		}
		if part = cover(part, sure); part.Start == part.End {
			continue
		}
		if part != (phi.Range{Start: s.Start, End: s.End}) {
			part = trim(c.View.Text, part)
		}
		if part.Start < part.End {
			s.Start, s.End = part.Start, part.End
			kept = append(kept, s)
		}
	}
	return kept
}

// sure returns the range within a candidate that sure votes cover, and the index of the first vote
// for the next candidate.
func (c *Candidates) sure(s phi.Span, first int) (phi.Range, int) {
	var r phi.Range
	for first < len(c.Votes) && c.Votes[first].End <= s.Start {
		first++
	}
	for _, v := range c.Votes[first:] {
		if v.Start >= s.End {
			break
		}
		if v.Sure && v.Overlaps(s) {
			r = cover(r, within(phi.Range{Start: v.Start, End: v.End}, phi.Range{Start: s.Start, End: s.End}))
		}
	}
	return r, first
}

// within returns the part of a range that lies in another.
func within(r, limit phi.Range) phi.Range {
	r.Start, r.End = max(r.Start, limit.Start), min(r.End, limit.End)
	if r.Start >= r.End {
		return phi.Range{}
	}
	return r
}

// cover returns the smallest range that contains two, of which one may be empty.
func cover(a, b phi.Range) phi.Range {
	switch {
	case a.Start == a.End:
		return b
	case b.Start == b.End:
		return a
	}
	return phi.Range{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}
