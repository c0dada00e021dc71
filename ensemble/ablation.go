package ensemble

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Ballot are the votes of all members of an ensemble on one note, from which the
// spans of any of its parts can be made without running a member again.
type Ballot struct {
	of    *Ensemble
	note  *Note
	votes []phi.Span
	// learned are the members that voted and are no rules: fewer than the ensemble's in
	// the ballot of a part.
	learned phi.Votes
	hits    []phi.Range // of the records, which the inclusion list yields to
}

// Vote runs the members over a note. It fails as [Ensemble.Detect] does.
func (e *Ensemble) Vote(ctx context.Context, note *Note) (*Ballot, error) {
	if err := text.Check(note.Text); err != nil {
		return nil, err
	}
	b := &Ballot{of: e, note: note, learned: e.learned}
	for i, d := range e.members {
		if e.learned&(2<<i-1) == 1<<i { // the first that learned
			note.Known = e.knownOf(b.votes)
		}
		before := len(b.votes)
		var err error
		if b.votes, err = d.Detect(ctx, note, b.votes); err != nil {
			return nil, fmt.Errorf("detector %s: %w", d.Name(), err)
		}
		for j := before; j < len(b.votes); j++ {
			b.votes[j].By = 1 << i
		}
	}
	var err error
	if b.hits, err = e.recordHits(ctx, note, b.votes); err != nil {
		return nil, err
	}
	return b, ctx.Err()
}

// Members returns the set of all members of the ensemble.
func (e *Ensemble) Members() phi.Votes { return 1<<len(e.members) - 1 }

// Spans returns what the given members alone would have found together: just what
// [Ensemble.Detect] of an ensemble of these returns, but for By, which keeps their
// places in this one. A threshold of more votes than there are members counts as
// their number.
func (b *Ballot) Spans(members phi.Votes) []phi.Span {
	votes := slices.DeleteFunc(slices.Clone(b.votes), func(s phi.Span) bool { return s.By&members == 0 })
	part := *b
	part.learned &= members
	return part.settle(votes, min(b.of.threshold, max(members.Count(), 1)))
}

// settle makes one list of spans of votes, which it may change.
func (b *Ballot) settle(votes []phi.Span, threshold int) []phi.Span {
	if b.of.stacker != nil {
		return b.passing(b.stacked(votes).keep(b.of.stacker))
	}
	return b.passing(slices.DeleteFunc(b.union(votes), func(s phi.Span) bool { return !b.of.counts(s, threshold) }))
}

// union makes one list of spans of votes, whoever cast them.
func (b *Ballot) union(votes []phi.Span) []phi.Span {
	return unite(b.note.Text, votes, &b.of.ranks)
}
