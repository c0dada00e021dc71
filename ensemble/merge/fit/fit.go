// Package fit fits the weights, thresholds and gates of package merge on annotated notes and
// measures their effect: the calibration of the probabilities, the gains and losses of recall
// biases, and the cost of gates.
package fit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Options choose how settings are fitted.
type Options struct {
	// Stages are the models of each stage; see [merge.Settings].
	Stages [][]string
	// L2 pulls the weights to a plain mean of log-odds; default 1.
	L2 float64
	// Worth is how many false alarms a found word of PHI is worth; default 2.
	Worth float64
	Gate  merge.Gate
}

// note is an annotated note with the votes on it.
type note struct {
	doc    score.Document
	ballot *ensemble.Ballot
	gold   []bool // by token
	skip   []bool // by token: its label leaves open whether it is PHI
	exact  func(token int) bool
}

// Fitter holds notes with the votes on them. Its memory grows with their number.
type Fitter struct {
	ens   *ensemble.Ensemble
	notes []note
}

// New returns a fitter for the models of an ensemble.
func New(ens *ensemble.Ensemble) (*Fitter, error) {
	if len(ens.Models()) == 0 {
		return nil, errors.New("no member gives probabilities: there is nothing to fit")
	}
	return &Fitter{ens: ens}, nil
}

// Gather runs the ensemble over annotated notes.
func (f *Fitter) Gather(ctx context.Context, docs iter.Seq2[score.Document, error], tick func()) error {
	for doc, err := range docs {
		if err != nil {
			return err
		}
		n := &ensemble.Note{Text: doc.Text}
		if len(doc.Patient) > 0 {
			n.Patient = record.NewGazetteer(doc.Patient)
		}
		ballot, err := f.ens.Vote(ctx, n)
		if err != nil {
			return fmt.Errorf("document %s: %w", doc.ID, err)
		}
		if err := ballot.ReadAll(ctx); err != nil {
			return fmt.Errorf("document %s: %w", doc.ID, err)
		}
		gold, skip := make([]bool, len(n.View().Tokens)), make([]bool, len(n.View().Tokens))
		for i, t := range n.View().Tokens {
			for _, s := range doc.Spans {
				if s.Start < t.End && t.Start < s.End {
					gold[i], skip[i] = s.Types != 0, s.Types == 0
				}
			}
		}
		f.notes = append(f.notes, note{doc, ballot, gold, skip, ballot.Exact()})
		tick()
	}
	return nil
}

// Fit returns settings.
func (f *Fitter) Fit(opts Options) (*merge.Settings, error) {
	s := merge.Default()
	s.Gate = opts.Gate
	for _, models := range opts.Stages {
		stage, err := f.stage(models, &opts)
		if err != nil {
			return nil, err
		}
		s.Stages = append(s.Stages, stage)
	}
	return s, s.Validate()
}

// example is a token to which some model of a stage gives any probability of PHI.
type example struct {
	features []float64 // log-odds by model, what the vocabulary says against it, negative, and 1
	class    phi.Class
	gold     bool
	exact    bool // found by an exact member
}

func (f *Fitter) stage(models []string, opts *Options) (merge.Stage, error) {
	for _, m := range models {
		if !slices.Contains(f.ens.Models(), m) {
			return merge.Stage{}, fmt.Errorf("no model %q (there are %v)", m, f.ens.Models())
		}
	}
	examples := f.examples(models)
	found := 0
	for _, e := range examples {
		if e.gold {
			found++
		}
	}
	if found < fewest || len(examples)-found < fewest {
		return merge.Stage{}, fmt.Errorf("%d tokens of PHI and %d others are too few: want %d of each", found, len(examples)-found, fewest)
	}
	n := len(models)
	r := regression{prior: append(slices.Repeat([]float64{1 / float64(n)}, n), 1), l2: opts.L2} // the last is the vocabulary's
	w := r.fit(examples)
	stage := merge.Stage{Models: models, Vocabulary: round(w[n]), Bias: round(w[n+1]), Threshold: round(1 / (1 + opts.Worth))}
	for _, weight := range w[:n] {
		stage.Weights = append(stage.Weights, round(weight))
	}
	stage.Thresholds = thresholds(examples, w, stage.Threshold, opts.Worth)
	return stage, nil
}

// fewest is the least number of examples of each kind for a fit.
const fewest = 20

// examples returns the tokens of all notes that some of the models report.
func (f *Fitter) examples(models []string) []example {
	numbers := make([]int, len(models))
	for i, m := range models {
		numbers[i] = slices.Index(f.ens.Models(), m)
	}
	var out []example
	for i := range f.notes {
		n := &f.notes[i]
		for _, v := range n.ballot.Verdicts(models) {
			if n.skip[v.Token] {
				continue
			}
			e := example{class: v.Type.Class(), gold: n.gold[v.Token], exact: n.exact(int(v.Token))}
			for _, k := range numbers {
				odds := float64(v.Odds[k])
				if v.Readers&(1<<k) == 0 {
					odds = merge.LogOdds(0)
				}
				e.features = append(e.features, odds)
			}
			e.features = append(e.features, -float64(v.Against), 1)
			out = append(out, e)
		}
	}
	return out
}

// enough is the least number of tokens of a class with a threshold of its own.
const enough = 100

// steps is into how many parts the possible thresholds divide the probabilities, and highest the last of them.
const (
	steps   = 20
	highest = 18
)

// thresholds returns for each class with enough tokens, not counting those found by exact members,
// the probability with the best balance of found PHI, weighted by worth, and false alarms.
func thresholds(examples []example, w []float64, common, worth float64) map[string]float64 {
	gain := map[phi.Class]*[highest + 1]float64{}
	count := map[phi.Class]int{}
	for _, e := range examples {
		if e.exact {
			continue
		}
		if gain[e.class] == nil {
			gain[e.class] = &[highest + 1]float64{}
		}
		value := -1.0
		if e.gold {
			value = worth
			count[e.class]++
		}
		p := merge.Probability(dot(w, e.features))
		for k := 1; k <= highest && p >= float64(k)/steps; k++ {
			gain[e.class][k] += value
		}
	}
	out := map[string]float64{}
	for class, gains := range gain {
		if count[class] < enough {
			continue
		}
		best := min(max(int(math.Round(common*steps)), 1), highest)
		for k := 1; k <= highest; k++ {
			if gains[k] > gains[best] {
				best = k
			}
		}
		out[class.String()] = float64(best) / steps
	}
	return out
}

// round keeps four decimal places, for readability.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
