package tbed

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Model is a list of rules that detectors apply. It is immutable and safe for
// concurrent use.
type Model struct {
	name      string
	rules     []Rule
	program   *program
	precision []float64 // by rule
	patterns  ensemble.Detector
	batches   *sync.Pool // of *batch
}

// New makes a model of rules.
func New(name string, rules []Rule) (*Model, error) {
	if err := lexicon.Load(); err != nil {
		return nil, err
	}
	p, err := compile(rules)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	m := &Model{
		name: name, rules: slices.Clone(rules), program: p, patterns: ensemble.NewPatterns(),
		batches: &sync.Pool{New: func() any { return new(batch) }},
	}
	for _, r := range rules {
		m.precision = append(m.precision, r.Precision())
	}
	return m, nil
}

// Rules returns the rules in the order in which they are applied.
func (m *Model) Rules() []Rule { return slices.Clone(m.rules) }

// tag runs the rules over a note.
func (m *Model) tag(ctx context.Context, note *ensemble.Note) (tagged, error) {
	b, _ := m.batches.Get().(*batch)
	defer m.batches.Put(b)
	return m.program.run(ctx, m.patterns, note, b)
}
