package ensemble

import "context"

// professionDetector finds occupations by their context.
type professionDetector struct{}

// NewProfessions returns the detector "professions".
func NewProfessions() Detector { return professionDetector{} }

func (professionDetector) Name() string { return "professions" }

func (professionDetector) Detect(ctx context.Context, note *Note, dst []Span) ([]Span, error) {
	return dst, ctx.Err()
}
