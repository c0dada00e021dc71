package crf

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// TrainOptions configure training. Zero values mean the defaults.
type TrainOptions struct {
	Name      string   // of the model; default "crf"
	Types     []string // default [DefaultTypes]
	Templates []string // default [DefaultTemplates]
	// MinCount is the least frequency of a key with weights; default 3.
	MinCount int
	// Epochs is the maximum number of passes over all sentences; default 8. Training stops earlier
	// when the loss of the held-out sentences grows.
	Epochs int
	// Rate is the step of AdaGrad; default 0.2.
	Rate float64
	// L1 and L2 are the weights of both norms against the log-likelihood of all
	// sentences; defaults 0.5 and 0.01. Negative means none.
	L1, L2 float64
	// HeldOut is the share of the notes that is not trained on but decides when to stop; default 0.05.
	HeldOut float64
	// MaxTokens limits the tokens kept in memory, about 400 bytes each; further input is not read.
	// Default 4,000,000.
	MaxTokens int
	// Seed decides which notes are held out, and the order of the others.
	Seed uint64
	// Progress is called some hundred times per epoch.
	Progress func(Progress)
}

// WithDefaults returns a copy with every unset field filled in.
func (o TrainOptions) WithDefaults() TrainOptions {
	if o.Name == "" {
		o.Name = "crf"
	}
	if len(o.Types) == 0 {
		o.Types = DefaultTypes()
	}
	if len(o.Templates) == 0 {
		o.Templates = DefaultTemplates()
	}
	o.MinCount = or(o.MinCount, 3)
	o.Epochs = or(o.Epochs, 8)
	o.MaxTokens = or(o.MaxTokens, 4_000_000)
	o.Rate = or(o.Rate, 0.2)
	o.L1, o.L2 = max(or(o.L1, 0.5), 0), max(or(o.L2, 0.01), 0)
	o.HeldOut = or(o.HeldOut, 0.05)
	return o
}

func or[T int | float64](x, fallback T) T {
	if x == 0 {
		return fallback
	}
	return x
}

// Progress is the progress of training.
type Progress struct {
	Epoch, Epochs int // from 1
	Done, Total   int // sentences of this epoch
	Loss          float64
}

// Report is the outcome of training.
type Report struct {
	Sources   map[string]int // sentences by Labelled.Source, those held out too
	Sentences int            // trained on
	HeldOut   int            // sentences held out
	Tokens    int            // trained on
	Cut       bool           // the input was cut at MaxTokens
	Epochs    []Epoch
	Best      int     // the epoch whose weights were used, from 1
	Rounded   float64 // loss on the held-out sentences with the stored weights
}

// Epoch holds the losses after an epoch: the negative log-likelihood per token, in natural
// logarithms.
type Epoch struct{ Loss, HeldOut float64 }

// Train trains a model. Sentences may be partially labelled: the likelihood is that of all label
// sequences that the tags allow. The same data, options and seed give the same model.
//
// Weights are optimised by AdaGrad over single sentences with L1 and L2 norms, applied lazily when
// a weight is next used (Duchi et al., J. Mach. Learn. Res. 12, 2011).
func Train(ctx context.Context, data iter.Seq2[corpus.Labelled, error], opts TrainOptions) (*Model, *Report, error) {
	opts = opts.WithDefaults()
	labels, err := newLabelSet(opts.Types)
	if err != nil {
		return nil, nil, err
	}
	templates, err := newTemplateSet(opts.Templates)
	if err != nil {
		return nil, nil, err
	}
	set, err := gather(ctx, data, labels, templates, &opts)
	if err != nil {
		return nil, nil, err
	}
	if len(set.train) == 0 {
		return nil, nil, errors.New("no sentences to train on")
	}
	t := newTrainer(labels, set, &opts)
	if err := t.run(ctx); err != nil {
		return nil, nil, err
	}
	m, err := t.model()
	if err != nil {
		return nil, nil, err
	}
	t.report.Rounded = t.rounded(m)
	return m, &t.report, nil
}

// run runs the epochs and keeps the best weights.
func (t *trainer) run(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(t.opts.Seed, 2))
	order := make([]int, len(t.set.train))
	for i := range order {
		order[i] = i
	}
	worse, best := 0, 0.0
	for e := 1; e <= t.opts.Epochs; e++ {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss, err := t.epoch(ctx, e, order)
		if err != nil {
			return err
		}
		t.settle()
		held := t.loss(t.set.held)
		t.report.Epochs = append(t.report.Epochs, Epoch{loss, held})
		if len(t.set.held) == 0 || e == 1 || held < best {
			best, worse, t.report.Best = held, 0, e
			t.keep()
		} else if worse++; worse == patience {
			break
		}
	}
	t.restore()
	return nil
}

// patience is the number of epochs without a gain after which training stops.
const patience = 2

// ticks is how often an epoch reports.
const ticks = 200

func (t *trainer) epoch(ctx context.Context, e int, order []int) (float64, error) {
	loss, tokens := 0.0, 0
	for done, i := range order {
		if done%256 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		s := &t.set.train[i]
		l, err := t.learn(s)
		if err != nil {
			return 0, fmt.Errorf("sentence %d of the training data: %w", i+1, err)
		}
		loss, tokens = loss+l, tokens+s.n
		if t.opts.Progress != nil && (done+1 == len(order) || done%max(len(order)/ticks, 1) == 0) {
			t.opts.Progress(Progress{e, t.opts.Epochs, done + 1, len(order), loss / float64(max(tokens, 1))})
		}
	}
	return loss / float64(max(tokens, 1)), nil
}
