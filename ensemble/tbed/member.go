package tbed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// MemberOptions configure a detector made of rules.
type MemberOptions struct {
	// Name is the detector's; the model's if empty.
	Name string
	// Types are those that the member reports; empty means all.
	Types []phi.Type
	// Threshold is the least confidence of a span: the share of correct changes, in training, of the
	// best rule that gave one of its words its tag. Finds of the patterns and of handwritten rules
	// have confidence 1. 0 means that every span counts.
	Threshold float64
	// Bias is added to the log-odds of that share: above 0 for recall.
	Bias float64
	// Thresholds override Threshold for single types.
	Thresholds map[phi.Type]float64
}

// Member returns a detector of the model.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) {
	d := &member{model: m, name: cmp.Or(opts.Name, m.name), bias: opts.Bias}
	if opts.Threshold < 0 || opts.Threshold > 1 || math.IsNaN(opts.Bias) {
		return nil, errors.New("threshold: want 0 to 1; recall_bias: want a number")
	}
	for _, t := range phi.Types() {
		d.wanted[t] = len(opts.Types) == 0 || slices.Contains(opts.Types, t)
		d.least[t] = opts.Threshold
		if own, ok := opts.Thresholds[t]; ok {
			if own < 0 || own > 1 {
				return nil, fmt.Errorf("thresholds: %s: want 0 to 1", t)
			}
			d.least[t] = own
		}
	}
	return d, nil
}

// member is a detector made of a model's rules.
type member struct {
	model  *Model
	name   string
	wanted [256]bool
	least  [256]float64 // by type
	bias   float64
}

func (d *member) Name() string { return d.name }

// Detect finds what the rules tag.
func (d *member) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	t, err := d.model.tag(ctx, note)
	if err != nil {
		return dst, err
	}
	tokens := note.View().Tokens
	for _, s := range t.spans(d.model.precision) {
		if !d.wanted[s.typ] || biased(s.sure, d.bias) < d.least[s.typ] {
			continue
		}
		if s.trim(note); s.from < s.to {
			dst = append(dst, phi.Span{Start: tokens[s.from].Start, End: tokens[s.to-1].End, Type: s.typ})
		}
	}
	return dst, ctx.Err()
}

// biased adds to the log-odds of a share.
func biased(share, bias float64) float64 {
	if bias == 0 || share <= 0 || share >= 1 {
		return share
	}
	return 1 / (1 + (1-share)/share*math.Exp(-bias))
}
