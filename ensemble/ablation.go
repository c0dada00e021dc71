package ensemble

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Ballot is one note before an ensemble whose members remember what they said of it, so that
// the spans of many parts of the ensemble cost little more than those of one. It belongs to
// one goroutine.
type Ballot struct {
	of    *Ensemble // of members that remember
	note  *Note
	votes []phi.Span // of the members that give spans
	// posteriors are what the members that give probabilities say of the whole note, by
	// position; nil before [Ballot.ReadAll].
	posteriors []*merge.Posterior
}

// Vote runs the members that give spans over a note. It fails as [Ensemble.Detect] does.
func (e *Ensemble) Vote(ctx context.Context, note *Note) (*Ballot, error) {
	if err := text.Check(note.Text); err != nil {
		return nil, err
	}
	remembering := *e
	remembering.members = slices.Clone(e.members)
	for i := range remembering.members {
		remembering.members[i].Detector = &remembered{Detector: e.members[i].Detector, said: map[question]answer{}}
	}
	r := remembering.newReading(note)
	if err := r.find(ctx, e.exact); err != nil {
		return nil, err
	}
	note.Known = e.knownOf(r.votes)
	if err := r.find(ctx, e.tagging); err != nil {
		return nil, err
	}
	return &Ballot{of: &remembering, note: note, votes: r.votes}, nil
}

// Spans returns just what [Ensemble.Detect] of an ensemble of the given members returns, but
// for By, where they keep their places in this one: the gate passes what these members leave
// in doubt, and learned members are given what these members know. A threshold of more votes
// than there are members counts as their number. A stacker decides as if the members left out
// had found nothing.
func (b *Ballot) Spans(ctx context.Context, members phi.Votes) ([]phi.Span, error) {
	return b.of.only(members).Detect(ctx, b.note)
}

// SpansWithoutList returns what all members find together if no sentence is on the
// inclusion list.
func (b *Ballot) SpansWithoutList(ctx context.Context) ([]phi.Span, error) {
	return b.of.WithInclusion(nil).Detect(ctx, b.note)
}

// VotesOf returns the spans that one member found, before anything was settled; nil if it
// found nothing, gives probabilities or is no member.
func (b *Ballot) VotesOf(name string) []phi.Span { return b.of.votesOf(name, b.votes) }

// Candidates returns what all members that give spans propose, for a stacker to learn from.
func (b *Ballot) Candidates() *merge.Candidates {
	return b.of.candidates(b.note.View(), slices.Clone(b.votes))
}

// only returns the ensemble of some of its members, which keep their places in votes.
func (e *Ensemble) only(members phi.Votes) *Ensemble {
	part := *e
	part.exact &= members
	part.learned &= members
	part.tagging &= members
	part.judge = e.judge.only(members)
	part.threshold = min(e.threshold, max(members.Count(), 1))
	return &part
}

// remembered is a member that answers each question about one note once.
type remembered struct {
	phi.Redacted

	Detector
	said map[question]answer
}

// question is what an answer depends on besides the text.
type question struct {
	phi.Redacted

	known string // features
	ask   string // tokens; "" for a question for spans
}

type answer struct {
	spans     []phi.Span
	posterior *merge.Posterior
}

func (m *remembered) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	q := question{known: printed(note.Known)}
	a, ok := m.said[q]
	if !ok {
		var err error
		a.spans, err = m.Detector.Detect(ctx, note, nil)
		if err != nil {
			return dst, err
		}
		m.said[q] = a
	}
	return append(dst, a.spans...), ctx.Err()
}

// Types is called of members that give probabilities only, as is Score.
func (m *remembered) Types() []phi.Type { return m.Detector.(Scorer).Types() }

func (m *remembered) Score(ctx context.Context, note *Note, ask []phi.Range, dst *merge.Posterior) error {
	q := question{known: printed(note.Known), ask: fmt.Sprint("tokens ", ask, ask == nil)}
	a, ok := m.said[q]
	if !ok {
		a.posterior = &merge.Posterior{}
		if err := m.Detector.(Scorer).Score(ctx, note, ask, a.posterior); err != nil {
			return err
		}
		m.said[q] = a
	}
	*dst = *a.posterior // read only
	return ctx.Err()
}

// printed returns a text that two of what is known share only if they are equal.
func printed(known *Known) string {
	if known == nil {
		return ""
	}
	return fmt.Sprint(*known)
}
