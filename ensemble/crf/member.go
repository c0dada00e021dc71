package crf

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// MemberOptions configure a detector made of a model.
type MemberOptions struct {
	// Name is the detector's name; the model's if empty.
	Name string
	// Types are those that the member reports; empty means all of the model's. Words of the model's
	// other types are not PHI to this member.
	Types []phi.Type
	// Threshold is the least marginal probability of PHI, of all the member's types together. 0 means
	// none: the most likely sequence of labels counts.
	Threshold float64
	// Thresholds apply to single types and to the type's own probability.
	Thresholds map[phi.Type]float64
	// Alone is the least probability of a span that counts without a vote from elsewhere: one whose
	// surest word is below it is tentative, see [phi.Span]. 0 means that every span counts.
	Alone float64
	// Bias is added to the log-odds of PHI of every word before decoding: above 0 for recall.
	Bias float64
	// Biases are added to Bias for single types.
	Biases map[phi.Type]float64
}

// Member returns a detector. It fails if the options name a type that the model does not have, or
// contain an invalid number.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) {
	d := &member{model: m, name: opts.Name, thresholds: make([]float64, len(m.labels.out)), bias: make([]float32, len(m.labels.out))}
	if d.name == "" {
		d.name = m.name
	}
	d.wanted = make([]bool, len(m.labels.out))
	for k, t := range m.labels.out {
		d.wanted[k] = len(opts.Types) == 0 || slices.Contains(opts.Types, t)
		d.bias[k] = float32(opts.Bias + opts.Biases[t])
		d.thresholds[k] = opts.Thresholds[t]
	}
	d.reported, d.column = d.columns()
	d.threshold = opts.Threshold
	d.alone = opts.Alone
	d.marginal = opts.Threshold != 0 || len(opts.Thresholds) > 0 || opts.Alone != 0
	if d.marginal && d.threshold == 0 {
		d.threshold = 0.5
	}
	d.biased = slices.ContainsFunc(d.bias, func(b float32) bool { return b != 0 })
	return d, m.checkOptions(&opts)
}

func (m *Model) checkOptions(opts *MemberOptions) error {
	known := func(t phi.Type) error {
		if !slices.Contains(m.labels.out, t) {
			return fmt.Errorf("the model does not know type %s (it knows %v)", t, m.labels.out)
		}
		return nil
	}
	for _, t := range opts.Types {
		if err := known(t); err != nil {
			return err
		}
	}
	if !(opts.Alone >= 0 && opts.Alone < 1) {
		return fmt.Errorf("alone %v: want a probability below 1", opts.Alone)
	}
	if !(opts.Threshold >= 0 && opts.Threshold < 1) || math.IsNaN(opts.Bias) || math.Abs(opts.Bias) > maxBias {
		return fmt.Errorf("threshold %v with bias %v: want a probability below 1 and a bias within %v", opts.Threshold, opts.Bias, maxBias)
	}
	for t, p := range opts.Thresholds {
		if err := known(t); err != nil {
			return err
		}
		if !(p > 0 && p < 1) {
			return fmt.Errorf("%s: threshold %v: want a probability between 0 and 1", t, p)
		}
	}
	for t, b := range opts.Biases {
		if err := known(t); err != nil {
			return err
		}
		if math.IsNaN(b) || math.Abs(b) > maxBias {
			return fmt.Errorf("%s: bias %v: want one within %v", t, b, maxBias)
		}
	}
	return nil
}

// maxBias limits biases: beyond it, nothing else has an effect.
const maxBias = 100.0

// member is a detector of a model.
type member struct {
	model      *Model
	name       string
	wanted     []bool // by type of the model
	threshold  float64
	thresholds []float64 // by type; 0: the common one
	alone      float64
	bias       []float32 // by type
	biased     bool
	marginal   bool       // decide by marginal probabilities
	reported   []phi.Type // the wanted types, in the order of their constants
	column     []int      // by type of the model: its index in reported, or -1
	idle       sync.Pool
}

func (d *member) Name() string { return d.name }

const (
	// core is the number of tokens labelled at once, margin the number of context tokens on each side:
	// longer sentences are cut.
	core   = 256
	margin = 16
)

// Detect implements [ensemble.Detector].
func (d *member) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	w, _ := d.idle.Get().(*worker)
	if w == nil {
		w = &worker{}
	}
	defer d.idle.Put(w)
	return w.detect(ctx, d, note, dst)
}
