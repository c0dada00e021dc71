package stacking

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Learner collects examples from an ensemble's candidates. It belongs to one goroutine.
type Learner struct {
	members []string
	rows    [][]float32
	y       []float32
	docs    []int32 // of each row
	counted []bool  // of each row: votes would find the word
	count   int32   // number of notes
}

// NewLearner returns a learner for an ensemble of these members.
func NewLearner(members []string) *Learner {
	return &Learner{members: slices.Clone(members)}
}

// Notes returns the number of notes to learn from.
func (l *Learner) Notes() int { return int(l.count) }

// Size returns the number of words to learn from, and how many of them are PHI.
func (l *Learner) Size() (words, phi int) {
	for _, y := range l.y {
		phi += int(y)
	}
	return len(l.y), phi
}

// Gather runs an ensemble over annotated notes, several at a time, and adds the candidates of its
// members. tick, if not nil, is called after each note.
func (l *Learner) Gather(ctx context.Context, e *ensemble.Ensemble, notes iter.Seq2[corpus.Labelled, error], tick func()) error {
	batch := make([]corpus.Labelled, 0, 4*runtime.GOMAXPROCS(0))
	for note, err := range notes {
		if err != nil {
			return err
		}
		if batch = append(batch, note); len(batch) < cap(batch) {
			continue
		}
		if err := l.addAll(ctx, e, batch, tick); err != nil {
			return err
		}
		batch = batch[:0]
	}
	return l.addAll(ctx, e, batch, tick)
}

// addAll adds notes in their order, independent of which is finished first.
func (l *Learner) addAll(ctx context.Context, e *ensemble.Ensemble, notes []corpus.Labelled, tick func()) error {
	ballots := make([]*ensemble.Ballot, len(notes))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range notes {
		work.Go(func() (err error) {
			ballots[i], err = e.Vote(ctx, notes[i].Note)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	for i := range notes {
		if err := l.Add(ballots[i].Candidates(), &notes[i]); err != nil {
			return err
		}
		if tick != nil {
			tick()
		}
	}
	return nil
}

// Add adds the candidates of a note. It skips what a member is sure of, since the classifier does
// not decide on that, words that are not known to be PHI or not, and false alarms of types that
// the source does not mark.
func (l *Learner) Add(c *merge.Candidates, note *corpus.Labelled) error {
	if !slices.Equal(c.Members, l.members) {
		return errors.New("candidates of another ensemble")
	}
	if len(note.Tags) != len(c.View.Tokens) {
		return fmt.Errorf("%d tags for %d tokens", len(note.Tags), len(c.View.Tokens))
	}
	covers, err := corpus.CoverTypes(note.Covers)
	if err != nil {
		return err
	}
	d := newDescriber(c, slots(l.members, l.members), len(l.members))
	for i, s := range c.Spans {
		if s.Type == phi.Time {
			continue
		}
		l.addSpan(d, s, note.Tags, covers.Has(s.Type))
		for len(l.counted) < len(l.y) {
			l.counted = append(l.counted, c.Counted[i])
		}
	}
	l.count++
	return nil
}

func (l *Learner) addSpan(d *describer, s phi.Span, tags []string, covered bool) {
	from, to := tokensOf(d.c.View, s)
	votes := votesOn(d.c, s)
	for i := from; i < to; i++ {
		word := d.c.View.Tokens[i]
		outside := tags[i] == corpus.Outside
		if word.Kind == text.Punct || tags[i] == corpus.Unknown || outside && !covered || sure(votes, word) {
			continue
		}
		y := float32(1)
		if outside {
			y = 0
		}
		l.rows = append(l.rows, slices.Clone(d.describe(s, votes, from, to, i)))
		l.y, l.docs = append(l.y, y), append(l.docs, l.count)
	}
}

func sure(votes []phi.Span, word text.Token) bool {
	return slices.ContainsFunc(votes, func(v phi.Span) bool {
		return v.Sure && v.Start < word.End && v.End > word.Start
	})
}
