package stacking

import (
	"context"
	"errors"
	"fmt"
)

// TrainOptions are the options of training.
type TrainOptions struct {
	Boost BoostOptions
	// RecallFloor is the least share to keep of the words with PHI that votes would find; 0 means
	// 0.9995.
	RecallFloor float64
	// Admit is [Data.Admit]; 0 means 0.97.
	Admit float64
	// Folds is the number of folds for measuring the curve; 0 means 4.
	Folds int
	// Tick is called once for each of Steps.
	Tick func()
}

// WithDefaults returns a copy with every unset field filled in.
func (o TrainOptions) WithDefaults() TrainOptions {
	o.Boost = o.Boost.WithDefaults()
	if o.RecallFloor == 0 {
		o.RecallFloor = 0.9995
	}
	if o.Admit == 0 {
		o.Admit = 0.97
	}
	if o.Folds == 0 {
		o.Folds = 4
	}
	return o
}

// Steps returns how often training will call Tick.
func (o TrainOptions) Steps() int {
	o = o.WithDefaults()
	return o.Boost.Trees * (o.Folds + 1)
}

// leastExamples is the least number of words that are PHI, and of words that are not.
const leastExamples = 20

// Train fits a model to the examples and measures its curve by cross-validation.
func (l *Learner) Train(ctx context.Context, opts TrainOptions) (*Model, error) {
	opts = opts.WithDefaults()
	words, phi := l.Size()
	switch {
	case phi < leastExamples || words-phi < leastExamples:
		return nil, fmt.Errorf("%d words with PHI and %d without are too few to learn from: want %d of each", phi, words-phi, leastExamples)
	case opts.RecallFloor < 0.5 || opts.RecallFloor > 1:
		return nil, errors.New("recall floor: want 0.5 to 1")
	case opts.Folds < 2 || int(l.count) < opts.Folds:
		return nil, fmt.Errorf("%d notes are too few for %d folds, of which there must be 2 or more", l.count, opts.Folds)
	}
	t, names := bin(l.rows, l.y), columns(l.members)
	left, err := l.leaveOut(ctx, t, names, opts)
	if err != nil {
		return nil, err
	}
	d := Data{Format: format, Members: l.members, Admit: opts.Admit, RecallFloor: opts.RecallFloor, Curve: curve(left, l.y, l.counted)}
	d.Trees, d.Bias, err = boost(ctx, t, l.part(nil), names, opts.Boost, opts.Tick)
	if err != nil {
		return nil, err
	}
	m, err := newModel(d)
	if err != nil {
		return nil, err
	}
	m.data.Threshold, err = m.thresholdFor(opts.RecallFloor)
	return m, err
}

// part returns the examples of the documents selected by take; nil selects all.
func (l *Learner) part(take func(doc int32) bool) []int32 {
	var use []int32
	for i, doc := range l.docs {
		if take == nil || take(doc) {
			use = append(use, int32(i))
		}
	}
	return use
}

// leaveOut returns the probability of each example by a model that has not seen its note.
func (l *Learner) leaveOut(ctx context.Context, t *table, names []string, opts TrainOptions) ([]float64, error) {
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	p := make([]float64, len(l.y))
	for fold := range opts.Folds {
		within := func(doc int32) bool { return int(doc)%opts.Folds == fold }
		trees, bias, err := boost(ctx, t, l.part(func(doc int32) bool { return !within(doc) }), names, opts.Boost, opts.Tick)
		if err != nil {
			return nil, err
		}
		f, err := plant(trees, at)
		if err != nil {
			return nil, err
		}
		for _, i := range l.part(within) {
			p[i] = probability(bias + f.score(l.rows[i]))
		}
	}
	return p, nil
}
