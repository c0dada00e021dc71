package ensemble

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
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
	// posteriors are what the members that the judge combines say, by position; nil
	// where there is no judge.
	posteriors []*merge.Posterior
}

// Vote runs the members over a note. It fails as [Ensemble.Detect] does.
func (e *Ensemble) Vote(ctx context.Context, note *Note) (*Ballot, error) {
	b, err := e.voteBySpans(ctx, note)
	if err != nil || e.judge == nil {
		return b, err
	}
	b.posteriors = make([]*merge.Posterior, len(e.members))
	for i, m := range e.members {
		if e.judge.scorers()&(1<<i) == 0 {
			continue
		}
		b.posteriors[i] = &merge.Posterior{}
		if err := m.Detector.(Scorer).Score(ctx, note, nil, b.posteriors[i]); err != nil {
			return nil, fmt.Errorf("detector %s: %w", m.Name(), err)
		}
	}
	return b, ctx.Err()
}

// voteBySpans runs the members whose probabilities no judge combines.
func (e *Ensemble) voteBySpans(ctx context.Context, note *Note) (*Ballot, error) {
	if err := text.Check(note.Text); err != nil {
		return nil, err
	}
	b := &Ballot{of: e, note: note, learned: e.learned}
	for i, d := range e.members {
		if e.learned&(2<<i-1) == 1<<i { // the first that learned
			note.Known = e.knownOf(b.votes)
		}
		if e.judge.scorers()&(1<<i) != 0 {
			continue
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
	if b.of.judge != nil {
		part.votes = votes
		return part.settle(append(part.combined(members), votes...), 1)
	}
	return part.settle(votes, min(b.of.threshold, max(members.Count(), 1)))
}

// combined returns the spans that are made of the posteriors of members.
func (b *Ballot) combined(members phi.Votes) []phi.Span {
	j := b.of.judge
	h := &hearing{spoken: make([]merge.Spoken, len(j.models))}
	for k := range j.models {
		h.spoken[k].Posterior = b.pooled(k, members)
	}
	spans := j.spans(b.note, j.verdicts(b, h))
	for i := range spans {
		spans[i].By &= members
	}
	return spans
}

// pooled returns what the members of a model say together, as far as they are in a set;
// nil if none is.
func (b *Ballot) pooled(model int, members phi.Votes) *merge.Posterior {
	var said []*merge.Posterior
	for i, p := range b.posteriors {
		if p != nil && b.of.judge.models[model].members&members&(1<<i) != 0 {
			said = append(said, p)
		}
	}
	if len(said) == 0 {
		return nil
	}
	return merge.Pool(said)
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
