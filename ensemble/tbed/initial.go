package tbed

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
)

//go:embed initial.txt
var initialText string

// InitialRules are the few rules that the initial annotator applies after the patterns. As in the
// paper it is only a starting point for the learned rules.
func InitialRules() ([]Rule, error) {
	rules, err := ReadRules(strings.NewReader(initialText))
	if err != nil {
		return nil, fmt.Errorf("initial.txt: %w", err)
	}
	return rules, nil
}

// patternTags appends to dst the tag that the patterns give each token of a note. A token that a
// span covers in part is tagged.
func patternTags(ctx context.Context, patterns ensemble.Detector, note *ensemble.Note, dst []Tag) ([]Tag, error) {
	spans, err := patterns.Detect(ctx, note, nil)
	if err != nil {
		return dst, err
	}
	m, before := 0, -1
	for _, t := range note.View().Tokens {
		for m < len(spans) && spans[m].End <= t.Start {
			m++
		}
		switch {
		case m == len(spans) || spans[m].Start >= t.End:
			dst = append(dst, Outside)
		case before == m:
			dst = append(dst, Inside(spans[m].Type))
		default:
			dst = append(dst, Begin(spans[m].Type))
			before = m
		}
	}
	return dst, nil
}

// sentenceEnds returns the end of each sentence of a note, in tokens. A sentence of more than
// maxSentence tokens is cut.
func sentenceEnds(note *ensemble.Note) []int {
	tokens := note.View().Tokens
	var ends []int
	first, i := 0, 0
	for _, r := range note.View().Sentences() {
		for i < len(tokens) && tokens[i].Start < r.End {
			i++
			if i-first == maxSentence {
				ends = append(ends, i)
				first = i
			}
		}
		if i > first {
			ends = append(ends, i)
			first = i
		}
	}
	if first < len(tokens) {
		ends = append(ends, len(tokens))
	}
	return ends
}

// maxSentence limits the length of a sentence.
const maxSentence = 1024
