package features

import (
	"context"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// numHits is the number of detectors whose hits are attributes.
const numHits = 3

// ruleDetectors is how many of these need only the text.
const ruleDetectors = 1

// detectors returns the detectors whose hits are attributes, in the attributes' order.
func detectors() [numHits]ensemble.Detector {
	return [numHits]ensemble.Detector{
		ensemble.NewPatterns(), ensemble.NewRecord(), ensemble.NewDirectory(),
	}
}

// tagAt is a detector's tag for a token.
type tagAt struct {
	tag   phi.Type
	first bool
}

func (s *Sheet) runDetectors(ctx context.Context, opts Options) error {
	if !opts.Rules && !opts.Records {
		return nil
	}
	var spans []phi.Span
	for k, d := range detectors() {
		if k < ruleDetectors && !opts.Rules || k >= ruleDetectors && !opts.Records {
			continue
		}
		var err error
		if spans, err = d.Detect(ctx, s.note, spans[:0]); err != nil {
			return fmt.Errorf("features of %s: %w", d.Name(), err)
		}
		if len(spans) > 0 {
			s.hits[k] = tagTokens(s.tokens, spans)
		}
	}
	return nil
}

// tagTokens tags tokens by spans that are sorted and disjoint; a token that a span covers in part
// is tagged.
func tagTokens(toks []text.Token, spans []phi.Span) []tagAt {
	tags := make([]tagAt, len(toks))
	m, before := 0, -1
	for i, t := range toks {
		for m < len(spans) && spans[m].End <= t.Start {
			m++
		}
		if m == len(spans) {
			break
		}
		if spans[m].Start < t.End {
			tags[i] = tagAt{spans[m].Type, before != m}
			before = m
		}
	}
	return tags
}

// hit writes the tag that a detector gave a token: "B-DATE".
func hit(k int) func(*Sheet, []byte, int) []byte {
	return func(s *Sheet, buf []byte, i int) []byte {
		if s.hits[k] == nil || s.hits[k][i].tag == phi.None {
			return buf
		}
		mark := "I-"
		if s.hits[k][i].first {
			mark = "B-"
		}
		return append(append(buf, mark...), s.hits[k][i].tag.String()...)
	}
}
