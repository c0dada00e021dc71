package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules"
)

// patterns is the detector of exact rules.
type patterns struct{}

// NewPatterns returns the detector "patterns": dates, times, ages, numbers and addresses, by
// their form. It needs no context but the text and knows no patient.
func NewPatterns() Detector { return patterns{} }

func (patterns) Name() string { return "patterns" }

func (patterns) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	return rules.Find(ctx, note.View(), dst)
}
