package ensemble

import (
	"errors"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// errNoJudge says that no member gives probabilities that are combined.
var errNoJudge = errors.New("no member gives probabilities, or they are not combined")

// Models returns the names of the models whose probabilities are combined.
func (e *Ensemble) Models() []string {
	if e.judge == nil {
		return nil
	}
	return e.judge.combiner.Models()
}

// WithMerge returns the ensemble with other weights, biases and gates.
func (e *Ensemble) WithMerge(s *merge.Settings, bias merge.Bias, gateOff bool) (*Ensemble, error) {
	if e.judge == nil {
		return nil, errNoJudge
	}
	other := *e
	var err error
	other.judge, err = e.newJudge(&Options{Merge: s, Bias: bias, GateOff: gateOff, Vocabulary: e.judge.voice})
	return &other, err
}

// Verdicts returns what some models say together, as if they were all that there are, by
// the numbers that they have in [Ensemble.Models].
func (b *Ballot) Verdicts(models []string) []merge.Verdict {
	j := b.of.judge
	if j == nil {
		return nil
	}
	h := &hearing{spoken: make([]merge.Spoken, len(j.models))}
	for k, name := range j.combiner.Models() {
		if slices.Contains(models, name) {
			h.spoken[k].Posterior = b.pooled(k, b.of.Members())
		}
	}
	return j.verdicts(b, h)
}

// Exact returns the tokens that members without probabilities find beyond doubt.
func (b *Ballot) Exact() func(token int) bool {
	return b.coverage(func(s phi.Span) bool { return !s.Tentative }).has
}

// Under returns what another setting of the same ensemble, of [Ensemble.WithMerge], makes
// of the votes, and how many tokens the models of each stage would have read.
func (b *Ballot) Under(e *Ensemble) (spans []phi.Span, read []int) {
	part := *b
	part.of, part.votes = e, slices.Clone(b.votes)
	read = make([]int, e.judge.stages)
	h, err := e.judge.hear(&part, func(k int, ask []phi.Range) (*merge.Posterior, error) {
		n := 0
		for _, r := range ask {
			n += r.End - r.Start
		}
		if ask == nil {
			n = len(b.note.View().Tokens)
		}
		read[e.judge.models[k].stage] = n
		return part.pooled(k, e.Members()), nil
	})
	if err != nil {
		return nil, read // pooling does not fail
	}
	votes := append(e.judge.spans(b.note, e.judge.verdicts(&part, h)), part.votes...)
	return part.settle(votes, 1), read
}

// Probability returns how probably a token is PHI by the weights of the ensemble, before
// any bias of a site.
func (e *Ensemble) Probability(v *merge.Verdict) float64 {
	return merge.Probability(e.judge.combiner.Odds(v))
}
