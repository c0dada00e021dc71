package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// templatesName is what the member is called in lists.
const templatesName = "templates"

// templateDetector tags sentences that have a verified form.
type templateDetector struct{ set *Templates }

// NewTemplateDetector returns the detector "templates": it tags the PHI of sentences
// that have the form of a template of the set (nil: none). See [Ensemble.WithTemplates].
func NewTemplateDetector(set *Templates) Detector { return templateDetector{set} }

func (templateDetector) Name() string { return templatesName }

// betweenChecks is after how many sentences it looks whether the context is done.
const betweenChecks = 256

func (d templateDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	if d.set.Len() == 0 {
		return dst, ctx.Err()
	}
	m := templateMatcher{set: d.set}
	out := dst
	for i, r := range note.View().Sentences() {
		if i%betweenChecks == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		for part := range withLines(note.Text, r) {
			sentence := afterBullets(note.Text[part.Start:part.End])
			if t := m.find(sentence); t != nil {
				out = m.spans(t, note.Text, part.End-len(sentence), out)
				if part == r {
					break // its lines are no sentences
				}
			}
		}
	}
	return out, ctx.Err()
}
