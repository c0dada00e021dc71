package ensembletest

import (
	"context"
	"regexp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Titles is a detector for tests that need names to be found: it takes capitalised words
// behind a title, or behind "signed by:", for a doctor's name.
type Titles struct{}

var titled = regexp.MustCompile(`(?:\b(?:Dr|Mr|Mrs|Ms)\.|signed by:) ((?:[A-Z][\w'-]*,? ?)+)`)

// Name implements [ensemble.Detector].
func (Titles) Name() string { return "titles" }

// Detect implements [ensemble.Detector].
func (Titles) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	for _, m := range titled.FindAllStringSubmatchIndex(note.Text, -1) {
		start, end := m[2], m[3]
		for end > start && (note.Text[end-1] == ' ' || note.Text[end-1] == ',') {
			end--
		}
		dst = append(dst, phi.Span{Start: start, End: end, Type: phi.Doctor})
	}
	return dst, ctx.Err()
}

// WithTitles returns the built-in members together with [Titles].
func WithTitles() (*ensemble.Ensemble, error) {
	return ensemble.New(ensemble.Options{Members: []ensemble.Member{{Detector: Titles{}}}})
}
