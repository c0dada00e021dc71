package template

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// sentencesPerCheck is after how many sentences Find looks whether the context is done.
const sentencesPerCheck = 256

// Find appends the PHI of the sentences, and of the lines of sentences, that fit a template
// of the set. On error dst is returned as it was.
func (s *Set) Find(ctx context.Context, v *text.View, dst []phi.Span) ([]phi.Span, error) {
	if s.Len() == 0 {
		return dst, ctx.Err()
	}
	m := matcher{set: s}
	out := dst
	for i, sentence := range v.Sentences() {
		if i%sentencesPerCheck == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		for part := range withLines(v.Text, sentence) {
			body := text.TrimBullets(v.Text[part.Start:part.End])
			t := m.find(body)
			if t == nil {
				continue
			}
			out = m.spans(t, v.Text, part.End-len(body), out)
			if part == sentence {
				break // its lines are parts of what was found
			}
		}
	}
	return out, ctx.Err()
}
