package stacking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Stacker makes the model decide in an ensemble of the given members, which must include all that
// the model was trained with: the absence of one would be taken for a no. A word for which a
// member votes that the model does not know is kept, since dropping it was never measured.
//
// A positive floor is the least share to keep of the words with PHI that votes would find; it
// selects the highest threshold of the model's curve that keeps it. 0 means the model's own
// threshold.
func (m *Model) Stacker(members []string, floor float64) (merge.Stacker, error) {
	var absent []string
	for _, name := range m.data.Members {
		if !slices.Contains(members, name) {
			absent = append(absent, name)
		}
	}
	if len(absent) > 0 {
		return nil, fmt.Errorf("stacking model %s was trained with members that do not vote here (%s): add them, train another with "+
			"'pgdeid train stacking', or let votes decide",
			m.name, strings.Join(absent, ", "))
	}
	s := &stacker{model: m, threshold: m.data.Threshold}
	if floor > 0 {
		var err error
		if s.threshold, err = m.thresholdFor(floor); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// thresholdFor returns the highest threshold of the curve that keeps a share of words.
func (m *Model) thresholdFor(floor float64) (float64, error) {
	best := -1.0
	for _, p := range m.data.Curve {
		if p.Kept >= floor {
			best = p.Threshold
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("recall_floor %g is more than stacking model %s keeps at any threshold", floor, m.name)
	}
	return best, nil
}

// stacker is a model with a threshold.
type stacker struct {
	model     *Model
	threshold float64
}

// Keep implements [merge.Stacker].
func (s *stacker) Keep(c *merge.Candidates) []phi.Range {
	d := newDescriber(c, slots(c.Members, s.model.data.Members), len(s.model.data.Members))
	parts := make([]phi.Range, len(c.Spans))
	for i, span := range c.Spans {
		least := s.threshold
		if !c.Counted[i] {
			if least = max(s.model.data.Admit, least); least == 1 {
				continue
			}
		}
		parts[i] = s.part(d, span, least)
	}
	return parts
}

// part removes words with a probability below least from a candidate's ends.
func (s *stacker) part(d *describer, span phi.Span, least float64) phi.Range {
	tokens := d.c.View.Tokens
	from, to := tokensOf(d.c.View, span)
	votes := votesOn(d.c, span)
	stays := func(i int) bool {
		return d.strangers(votes, tokens[i]) ||
			probability(s.model.data.Bias+s.model.forest.score(d.describe(span, votes, from, to, i))) >= least
	}
	first, last, start, end := from, to, span.Start, span.End
	for ; first < last && (tokens[first].Kind == text.Punct || !stays(first)); first++ {
		if tokens[first].Kind != text.Punct {
			start = tokens[first].End // marks belong to the adjacent words
		}
	}
	for ; last > first && (tokens[last-1].Kind == text.Punct || !stays(last-1)); last-- {
		if tokens[last-1].Kind != text.Punct {
			end = tokens[last-1].Start
		}
	}
	if first == last {
		return phi.Range{}
	}
	return phi.Range{Start: start, End: end}
}

// slots returns for each member of an ensemble its index among those of a model, or -1.
func slots(members, known []string) []int {
	at := make([]int, len(members))
	for i, name := range members {
		at[i] = slices.Index(known, name)
	}
	return at
}
