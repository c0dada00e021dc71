package ensemble

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// reading is what the members of an ensemble have said of a note so far.
type reading struct {
	of     *Ensemble
	note   *Note
	votes  []phi.Span     // each by one member
	spoken []merge.Spoken // by the number of the model
	scored bool           // any model has spoken
}

func (e *Ensemble) newReading(note *Note) *reading {
	note.Known = nil
	r := &reading{of: e, note: note}
	if e.judge != nil {
		r.spoken = make([]merge.Spoken, len(e.judge.models))
	}
	return r
}

// find adds the spans of members, in voting order.
func (r *reading) find(ctx context.Context, members phi.Votes) error {
	for i, m := range r.of.members {
		if members&(1<<i) == 0 {
			continue
		}
		before := len(r.votes)
		var err error
		end := watch(ctx, m)
		r.votes, err = m.Detect(ctx, r.note, r.votes)
		end()
		if err != nil {
			return fmt.Errorf("detector %s: %w", m.Name(), err)
		}
		for j := before; j < len(r.votes); j++ {
			r.votes[j].By = 1 << i
		}
	}
	return ctx.Err()
}

// knownOf sorts votes by the built-in members that cast them.
func (e *Ensemble) knownOf(votes []phi.Span) *Known {
	return &Known{Record: e.votesOf("record", votes), Directory: e.votesOf("directory", votes), Rules: e.votesOf("patterns", votes)}
}

// votesOf returns the votes of a member.
func (e *Ensemble) votesOf(name string, votes []phi.Span) []phi.Span {
	var own []phi.Span
	bit := e.bitOf(name)
	for _, s := range votes {
		if s.By&bit != 0 {
			own = append(own, s)
		}
	}
	return own
}

// bitOf returns the set of the member with a name, empty if there is none.
func (e *Ensemble) bitOf(name string) phi.Votes {
	i := slices.IndexFunc(e.members, func(m Member) bool { return m.Name() == name })
	if i < 0 {
		return 0
	}
	return 1 << i
}

// score adds the probabilities that the models of a stage give the tokens in ask.
func (r *reading) score(ctx context.Context, stage int, ask []phi.Range) error {
	for k, model := range r.of.judge.models {
		if model.stage != stage || model.members == 0 {
			continue
		}
		p, err := r.of.scoreModel(ctx, model.members, r.note, ask)
		if err != nil {
			return err
		}
		r.spoken[k] = merge.Spoken{Posterior: p, Read: ask}
		r.scored = true
	}
	return ctx.Err()
}

// scoreModel returns the probabilities that members of one model give together.
func (e *Ensemble) scoreModel(ctx context.Context, members phi.Votes, note *Note, ask []phi.Range) (*merge.Posterior, error) {
	var said []*merge.Posterior
	for i, m := range e.members {
		if members&(1<<i) == 0 {
			continue
		}
		p := &merge.Posterior{}
		end := watch(ctx, m)
		err := m.Detector.(Scorer).Score(ctx, note, ask, p)
		end()
		if err != nil {
			return nil, fmt.Errorf("detector %s: %w", m.Name(), err)
		}
		said = append(said, p)
	}
	return merge.Pool(said), nil
}

// combine returns the spans that are made of the probabilities of all models.
func (r *reading) combine() []phi.Span {
	j := r.of.judge
	if j == nil {
		return nil
	}
	return j.spans(r.note.View(), j.verdicts(r))
}

// settle makes one list of spans of votes, which it may change.
func (e *Ensemble) settle(v *text.View, votes []phi.Span) []phi.Span {
	if e.stacker != nil {
		return e.candidates(v, votes).Kept(e.stacker)
	}
	return slices.DeleteFunc(e.voters.Unite(v.Text, votes), func(s phi.Span) bool { return !e.voters.Counts(s, e.threshold) })
}

func (e *Ensemble) candidates(v *text.View, votes []phi.Span) *merge.Candidates {
	c := e.voters.Candidates(v, votes)
	c.Members, c.Learned = e.Names(e.Members()), e.learned
	return c
}
