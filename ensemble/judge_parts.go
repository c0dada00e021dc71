package ensemble

import (
	"context"
	"errors"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
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

// ReadAll asks the members that give probabilities about the whole note, for
// [Ballot.Verdicts] and [Ballot.Under].
func (b *Ballot) ReadAll(ctx context.Context) error {
	b.note.Known = b.of.knownOf(b.votes)
	b.posteriors = make([]*merge.Posterior, len(b.of.members))
	for i := range b.of.members {
		if b.of.judge.scorers()&(1<<i) == 0 {
			continue
		}
		p, err := b.of.scoreModel(ctx, 1<<i, b.note, nil)
		if err != nil {
			return err
		}
		b.posteriors[i] = p
	}
	return ctx.Err()
}

// Verdicts returns what some models say together, as if they were all that there are, by
// the numbers that they have in [Ensemble.Models].
func (b *Ballot) Verdicts(models []string) []merge.Verdict {
	j := b.of.judge
	if j == nil {
		return nil
	}
	r := b.of.newReading(b.note)
	r.votes = b.votes
	for k, name := range j.combiner.Models() {
		if slices.Contains(models, name) {
			r.spoken[k].Posterior = b.pooled(k)
		}
	}
	return j.verdicts(r)
}

// pooled returns what the members of a model say of the whole note together.
func (b *Ballot) pooled(model int) *merge.Posterior {
	var said []*merge.Posterior
	for i, p := range b.posteriors {
		if p != nil && b.of.judge.models[model].members&(1<<i) != 0 {
			said = append(said, p)
		}
	}
	return merge.Pool(said)
}

// Exact returns the tokens that members without probabilities find beyond doubt.
func (b *Ballot) Exact() func(token int) bool {
	return coverageOf(b.note.View(), b.votes, isExact).has
}

// Under returns what another setting of the same ensemble, of [Ensemble.WithMerge], makes
// of the note, and how many tokens the models of each stage read. Models are taken at what
// they said of the whole note, which a network may say otherwise of the part that it is asked.
func (b *Ballot) Under(e *Ensemble) (spans []phi.Span, read []int) {
	r := e.newReading(b.note)
	r.votes = b.votes
	read = make([]int, e.judge.stages)
	for stage := range e.judge.stages {
		ask, open := r.gate(stage)
		if !open {
			break
		}
		for k, model := range e.judge.models {
			if model.stage == stage {
				r.spoken[k] = merge.Spoken{Posterior: b.pooled(k), Read: ask}
				r.scored = true
				read[stage] = tokensIn(b.note.View(), ask)
			}
		}
	}
	votes := append(r.combine(), b.votes...)
	return e.settle(b.note.View(), votes), read
}

// tokensIn counts the tokens of ranges; nil is all of them.
func tokensIn(v *text.View, ask []phi.Range) int {
	if ask == nil {
		return len(v.Tokens)
	}
	n := 0
	for _, r := range ask {
		n += r.End - r.Start
	}
	return n
}

// Probability returns how probably a token is PHI by the weights of the ensemble, before
// any bias of a site.
func (e *Ensemble) Probability(v *merge.Verdict) float64 {
	return merge.Probability(e.judge.combiner.Odds(v))
}
