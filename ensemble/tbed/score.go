package tbed

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Score counts entities that a model finds: right is what has the type and both ends of
// the gold. TIME, which is kept, does not count.
type Score struct {
	Gold, Predicted, Right int
}

// Precision is the share of what was predicted that is right, 1 of nothing.
func (s Score) Precision() float64 { return share(s.Right, s.Predicted) }

// Recall is the share of the gold that was found, 1 of nothing.
func (s Score) Recall() float64 { return share(s.Right, s.Gold) }

// F1 is the harmonic mean of both.
func (s Score) F1() float64 {
	p, r := s.Precision(), s.Recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Score adds what a model finds in an example to sums by the class of the type. Where the gold
// leaves the type or the words open, neither it nor what was found there counts.
func (m *Model) Score(ctx context.Context, e Example, sums map[ensemble.Class]Score) error {
	if len(e.Tags) != len(e.Note.Tokens()) {
		return fmt.Errorf("%d tags for %d tokens", len(e.Tags), len(e.Note.Tokens()))
	}
	t, err := m.tag(ctx, e.Note)
	if err != nil {
		return err
	}
	gold, open, err := goldSpans(e)
	if err != nil {
		return err
	}
	right := map[spanOf]bool{}
	for _, g := range gold {
		right[g] = true
		add(sums, g.typ, Score{Gold: 1})
	}
	for _, s := range t.spans(m.precision) {
		s.sure = 0
		s.trim(e.Note)
		switch {
		case s.from == s.to || slices.Contains(open[s.from:s.to], true):
		case right[s]:
			add(sums, s.typ, Score{Predicted: 1, Right: 1})
		case e.Marked == nil || e.Marked(s.typ):
			add(sums, s.typ, Score{Predicted: 1})
		}
	}
	return nil
}

func add(sums map[ensemble.Class]Score, t ensemble.Type, s Score) {
	if t == ensemble.Time {
		return
	}
	for _, class := range []ensemble.Class{ensemble.ClassNone, t.Class()} { // none: the sum of all
		sum := sums[class]
		sums[class] = Score{sum.Gold + s.Gold, sum.Predicted + s.Predicted, sum.Right + s.Right}
	}
}

// goldSpans returns the entities of an example whose types are told, and of each token
// whether the gold leaves open what it is.
func goldSpans(e Example) (gold []spanOf, open []bool, err error) {
	t := tagged{by: make([]int32, len(e.Tags))}
	for i, tag := range e.Tags {
		truth, ok := truthOf(tag, func(ensemble.Type) bool { return true })
		if !ok {
			return nil, nil, fmt.Errorf("tag %d is none: want O, *, or B- or I- with a type or class", i)
		}
		open = append(open, !truth.told)
		known := truth.want
		if !truth.told {
			known = Outside
		}
		t.tags = append(t.tags, known)
		t.by[i] = byPattern
	}
	for _, s := range t.spans(nil) {
		s.sure = 0
		gold = append(gold, s)
	}
	return gold, open, nil
}
