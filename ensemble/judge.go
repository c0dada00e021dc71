package ensemble

import (
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
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
		k := len(names)
		for at, known := range names {
			if known == name {
				k = at
			}
		}
		if k == len(names) {
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

// hearing is what the models said of a note, by the number of the model.
type hearing struct {
	spoken []merge.Spoken
}

// hear lets the models of one stage after the other speak. score gives what one of them
// says of tokens; nil asks for all.
func (j *judge) hear(b *Ballot, score func(model int, ask []phi.Range) (*merge.Posterior, error)) (*hearing, error) {
	h := &hearing{spoken: make([]merge.Spoken, len(j.models))}
	for stage, heard := 0, false; stage < j.stages; stage++ {
		var ask []phi.Range
		if heard && j.gated {
			if ask = j.ask(b, h, stage); ask != nil && len(ask) == 0 {
				return h, nil
			}
		}
		for k, m := range j.models {
			if m.stage != stage || m.members == 0 {
				continue
			}
			p, err := score(k, ask)
			if err != nil {
				return nil, err
			}
			h.spoken[k] = merge.Spoken{Posterior: p, Read: ask}
			heard = true
		}
	}
	return h, nil
}

// ask returns the tokens that the models of a stage are asked about: the sentences with a
// token that the models before them leave in doubt and that nothing exact has found. It
// is nil where the gate is open for all.
func (j *judge) ask(b *Ballot, h *hearing, stage int) []phi.Range {
	low, high := j.gate.Low, 1.0
	if stage > 1 {
		low, high = j.gate.AgainLow, j.gate.AgainHigh
	}
	if low == 0 && high == 1 {
		return nil
	}
	found := b.coverage(func(s phi.Span) bool { return !s.Tentative })
	var doubtful []int
	for _, v := range j.combiner.Combine(nil, h.spoken) {
		z := j.combiner.Odds(&v)
		bias := j.bias.Of(v.Type)
		if merge.Probability(z+max(bias, 0)) >= low && merge.Probability(z+min(bias, 0)) <= high && !found.has(int(v.Token)) {
			doubtful = append(doubtful, int(v.Token))
		}
	}
	return b.note.sentencesOf(doubtful)
}

// sentencesOf returns the sentences of tokens, which are in order, as ranges of tokens.
func (n *Note) sentencesOf(tokens []int) []phi.Range {
	out := []phi.Range{}
	toks, first := n.View().Tokens, 0
	for _, r := range n.View().Sentences() {
		if len(tokens) == 0 {
			break
		}
		last := first
		for last < len(toks) && toks[last].Start < r.End {
			last++
		}
		if tokens[0] < last {
			if k := len(out) - 1; k >= 0 && out[k].End == first {
				out[k].End = last
			} else {
				out = append(out, phi.Range{Start: first, End: last})
			}
		}
		for len(tokens) > 0 && tokens[0] < last {
			tokens = tokens[1:]
		}
		first = last
	}
	return out
}

// verdicts combines what was said, with what the vocabulary says against it: nothing where
// two models find a token on their own, and where the record knows it.
func (j *judge) verdicts(b *Ballot, h *hearing) []merge.Verdict {
	verdicts := j.combiner.Combine(nil, h.spoken)
	if j.voice == nil {
		return verdicts
	}
	known := b.coverage(func(s phi.Span) bool { return s.By&b.of.known != 0 })
	for i := range verdicts {
		v := &verdicts[i]
		if c := v.Type.Class(); c != phi.ClassName && c != phi.ClassLocation && c != phi.ClassProfession {
			continue
		}
		if _, n := v.Finders(); n < 2 && !known.has(int(v.Token)) {
			v.Against = j.voice.Against(b.note, int(v.Token))
		}
	}
	return verdicts
}

// spans makes spans of verdicts.
func (j *judge) spans(note *Note, verdicts []merge.Verdict) []phi.Span {
	return j.combiner.Spans(nil, note.View(), verdicts, &j.bias, j.votes)
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
