package ensemble

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Voice speaks against tokens that are clinical words.
type Voice interface {
	// Against returns how surely a token is a clinical word where it is, from 0 to 1.
	Against(note *Note, token int) float32
}

// judge makes one decision of the posteriors of an ensemble's members.
type judge struct {
	combiner *merge.Combiner
	gate     merge.Gate
	gated    bool
	bias     merge.Bias
	voice    Voice   // or nil
	models   []model // in the order of the combiner's numbers
	stages   int
}

// model is what the members of one name read together.
type model struct {
	members phi.Votes
	reports [phi.ClassID + 1]phi.Votes // the members that report a class
	stage   int
}

// newJudge returns the judge of the members that give probabilities, nil if none does.
func (e *Ensemble) newJudge(opts *Options) (*judge, error) {
	settings := opts.Merge
	if settings == nil {
		settings = merge.Default()
	}
	j := &judge{gate: settings.Gate, gated: !opts.GateOff && len(settings.Stages) > 0, bias: opts.Bias, voice: opts.Vocabulary}
	var names []string
	for i, m := range e.members {
		scorer, ok := m.Detector.(Scorer)
		if !ok || e.learned&(1<<i) == 0 {
			continue
		}
		name := m.Model
		if name == "" {
			name = m.Name()
		}
		k := slices.Index(names, name)
		if k < 0 {
			k = len(names)
			names = append(names, name)
			j.models = append(j.models, model{stage: settings.StageOf(name)})
		}
		j.models[k].members |= 1 << i
		for _, t := range scorer.Types() {
			j.models[k].reports[t.Class()] |= 1 << i
		}
		j.stages = max(j.stages, j.models[k].stage+1)
	}
	switch {
	case len(names) == 0:
		return nil, nil //nolint:nilnil // nothing to judge is no error
	case len(names) > merge.MaxModels:
		return nil, fmt.Errorf("%d models are too many: at most %d are combined", len(names), merge.MaxModels)
	}
	j.combiner = merge.NewCombiner(settings, names)
	return j, nil
}

// scorers returns the members that the judge combines.
func (j *judge) scorers() phi.Votes {
	var all phi.Votes
	if j != nil {
		for _, m := range j.models {
			all |= m.members
		}
	}
	return all
}

// stageCount returns in how many stages models read.
func (j *judge) stageCount() int {
	if j == nil {
		return 0
	}
	return j.stages
}

// gate returns the tokens that the models of a stage are asked about, nil for all, and whether
// there are any: those that the models before them leave in doubt and that nothing exact
// has found, with their neighbours. The first models read everything.
func (r *reading) gate(stage int) (ask []phi.Range, open bool) {
	j := r.of.judge
	if !r.scored || !j.gated {
		return nil, true
	}
	low, high := j.gate.Low, j.gate.High
	if high == 0 {
		high = 1
	}
	if stage > 1 {
		low, high = j.gate.AgainLow, j.gate.AgainHigh
	}
	if low == 0 && high == 1 {
		return nil, true
	}
	found := coverageOf(r.note.View(), r.votes, isExact)
	var doubtful []int
	for _, v := range j.combiner.Combine(nil, r.spoken) {
		z := j.combiner.Odds(&v)
		bias := j.bias.Of(v.Type)
		if merge.Probability(z+max(bias, 0)) >= low && merge.Probability(z+min(bias, 0)) <= high && !found.has(int(v.Token)) {
			doubtful = append(doubtful, int(v.Token))
		}
	}
	ask = neighbours(doubtful, len(r.note.View().Tokens))
	return ask, len(ask) > 0
}

// reach is how many tokens on either side of a doubtful one are read with it: a name has
// seldom more words beside the one that is in doubt.
const reach = 2

// neighbours returns tokens, which are in order, with those around them.
func neighbours(tokens []int, count int) []phi.Range {
	out := []phi.Range{}
	for _, t := range tokens {
		from, to := max(t-reach, 0), min(t+reach+1, count)
		if k := len(out) - 1; k >= 0 && from <= out[k].End {
			out[k].End = to
		} else {
			out = append(out, phi.Range{Start: from, End: to})
		}
	}
	return out
}

// verdicts combines what was said, with what the vocabulary says against it: nothing where
// two models find a token on their own, and where the record knows it.
func (j *judge) verdicts(r *reading) []merge.Verdict {
	verdicts := j.combiner.Combine(nil, r.spoken)
	if j.voice == nil {
		return verdicts
	}
	records := r.of.exact & (r.of.bitOf("record") | r.of.bitOf("directory"))
	known := coverageOf(r.note.View(), r.votes, func(s phi.Span) bool { return s.By&records != 0 })
	for i := range verdicts {
		v := &verdicts[i]
		c := v.Type.Class()
		if c != phi.ClassName && c != phi.ClassLocation && c != phi.ClassProfession {
			continue
		}
		_, finders := v.Finders()
		if finders < 2 && !known.has(int(v.Token)) {
			v.Against = j.voice.Against(r.note, int(v.Token))
		}
	}
	return verdicts
}

// spans makes spans of verdicts.
func (j *judge) spans(v *text.View, verdicts []merge.Verdict) []phi.Span {
	return j.combiner.Spans(nil, v, verdicts, &j.bias, j.votes)
}

// only returns the judge of some of the members; the numbers of models stay.
func (j *judge) only(members phi.Votes) *judge {
	if j == nil {
		return nil
	}
	part := *j
	part.models = slices.Clone(j.models)
	for k := range part.models {
		part.models[k].members &= members
	}
	return &part
}

// votes returns the members of the models that find a token or, where none does alone, of
// that which is nearest to it.
func (j *judge) votes(v *merge.Verdict) phi.Votes {
	set, n := v.Finders()
	if n == 0 {
		best := -1
		for k := range j.models {
			if v.Readers&(1<<k) != 0 && (best < 0 || v.Odds[k] > v.Odds[best]) {
				best = k
			}
		}
		set = 1 << best
	}
	var votes phi.Votes
	for k, m := range j.models {
		if set&(1<<k) != 0 {
			votes |= m.members & m.reports[v.Type.Class()]
		}
	}
	return votes
}
