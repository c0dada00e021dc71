package merge

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Bias is added to log-odds: above 0 for recall.
type Bias struct {
	All  float64
	Type map[phi.Type]float64 // besides All
}

// Of returns the bias of a type.
func (b *Bias) Of(t phi.Type) float64 { return b.All + b.Type[t] }

// Spoken is the output of one model for a note.
type Spoken struct {
	Posterior *Posterior  // nil: no output
	Read      []phi.Range // the tokens that it read, sorted; nil: all
}

// Verdict is the combined output of all models for a token.
type Verdict struct {
	Token int32
	Type  phi.Type // the likeliest
	First bool     // an entity begins
	// Odds are the log-odds of PHI of each model that has read the token and has its class, by the
	// model's number; Readers is the set of these models.
	Odds    [MaxModels]float32
	Readers uint8
	// Against is the weight of the vocabulary against the token, from 0 to 1.
	Against float32
}

// Combiner combines the output of a fixed list of models. It is immutable and safe for concurrent
// use.
type Combiner struct {
	settings *Settings
	models   []string
	sets     map[uint8]*weights // by the models that have read a token
}

// weights are those of a stage, or equal ones for other sets of models.
type weights struct {
	bias, vocabulary float64
	of               [MaxModels]float64 // by the model's number
	threshold        [phi.ClassID + 1]float64
}

// NewCombiner returns a combiner of models; at most MaxModels are used.
func NewCombiner(s *Settings, models []string) *Combiner {
	models = models[:min(len(models), MaxModels)]
	c := &Combiner{settings: s, models: models, sets: map[uint8]*weights{}}
	for set := 1; set < 1<<len(models); set++ {
		c.sets[uint8(set)] = c.weightsOf(uint8(set))
	}
	return c
}

// weightsOf returns the weights of the stage with exactly these models or, if there is none, equal
// ones.
func (c *Combiner) weightsOf(set uint8) *weights {
	var names []string
	for k, m := range c.models {
		if set&(1<<k) != 0 {
			names = append(names, m)
		}
	}
	w := &weights{vocabulary: defaultVocabulary}
	for class := range w.threshold {
		w.threshold[class] = LogOdds(defaultThreshold)
	}
	stage := c.stageWith(names)
	for k, m := range c.models {
		switch {
		case set&(1<<k) == 0:
		case stage == nil:
			w.of[k] = 1 / float64(len(names))
		default:
			w.of[k] = stage.Weights[slices.Index(stage.Models, m)]
		}
	}
	if stage == nil {
		return w
	}
	w.bias, w.vocabulary = stage.Bias, stage.Vocabulary
	for class := range w.threshold {
		p, own := stage.Thresholds[phi.Class(class).String()]
		if !own {
			p = stage.Threshold
		}
		w.threshold[class] = logOdds(p)
	}
	return w
}

func (c *Combiner) stageWith(names []string) *Stage {
	for i := range c.settings.Stages {
		if s := &c.settings.Stages[i]; len(s.Models) == len(names) &&
			!slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(s.Models, n) }) {
			return s
		}
	}
	return nil
}

// Models returns the names of the models, by number.
func (c *Combiner) Models() []string { return c.models }

// Odds returns the log-odds of PHI at a token, before any bias of a site.
func (c *Combiner) Odds(v *Verdict) float64 {
	w := c.sets[v.Readers]
	if w == nil {
		return logOdds(0)
	}
	z := w.bias - w.vocabulary*float64(v.Against)
	for k := range c.models {
		if v.Readers&(1<<k) != 0 {
			z += w.of[k] * float64(v.Odds[k])
		}
	}
	return z
}

// Margin returns how far the log-odds of a token are above the threshold of its class; it
// is PHI from 0.
func (c *Combiner) Margin(v *Verdict, bias *Bias) float64 {
	w := c.sets[v.Readers]
	if w == nil {
		return logOdds(0)
	}
	return c.Odds(v) + bias.Of(v.Type) - w.threshold[v.Type.Class()]
}

// Finders returns the models that find a token PHI on their own.
func (v *Verdict) Finders() (set uint8, n int) {
	for k := range v.Odds {
		if v.Readers&(1<<k) != 0 && v.Odds[k] >= 0 {
			set |= 1 << k
			n++
		}
	}
	return set, n
}

// Combine appends to dst a verdict on each token that any model reports, in order; spoken is
// indexed by the model's number.
func (c *Combiner) Combine(dst []Verdict, spoken []Spoken) []Verdict {
	spoken = spoken[:min(len(spoken), len(c.models))]
	posteriors := make([]*Posterior, len(spoken))
	readers := make([]reader, len(spoken))
	for k, s := range spoken {
		posteriors[k], readers[k] = s.Posterior, reader{said: s.Posterior != nil, all: s.Read == nil, ranges: s.Read}
	}
	for w := newWalk(posteriors); w.next(); {
		if v, ok := c.verdict(w, readers); ok {
			dst = append(dst, v)
		}
	}
	return dst
}

// reader iterates over the ranges of tokens that a model has read.
type reader struct {
	said, all bool
	ranges    []phi.Range
}

func (r *reader) has(token int32) bool {
	for len(r.ranges) > 0 && r.ranges[0].End <= int(token) {
		r.ranges = r.ranges[1:]
	}
	return r.said && (r.all || len(r.ranges) > 0 && r.ranges[0].Start <= int(token))
}

// verdict decides on the current token of a walk.
func (c *Combiner) verdict(w *walk, readers []reader) (Verdict, bool) {
	var read uint8
	for k := range readers {
		if readers[k].has(w.token) {
			read |= 1 << k
		}
	}
	set := c.sets[read]
	if set == nil {
		return Verdict{}, false
	}
	v := Verdict{Token: w.token, Type: c.likeliest(w, read, set)}
	balance := 0.0
	for k, p := range w.of {
		if read&(1<<k) == 0 || !slices.ContainsFunc(p.Types, func(t phi.Type) bool { return t.Class() == v.Type.Class() }) {
			continue
		}
		v.Readers |= 1 << k
		total, begins := 0.0, -1.0
		if e := w.entry[k]; e >= 0 {
			for _, q := range p.Row(e) {
				total += float64(q)
			}
			if p.First[e] {
				begins = 1
			}
		}
		balance += set.of[k] * total * begins
		v.Odds[k] = float32(LogOdds(total))
	}
	v.First = balance > 0
	return v, v.Readers != 0
}

var allTypes = phi.Types()

// likeliest returns the type with the highest weighted probability in the class with the highest.
func (c *Combiner) likeliest(w *walk, read uint8, set *weights) phi.Type {
	var types [256]float64
	var classes [phi.ClassID + 1]float64
	for k, p := range w.of {
		if read&(1<<k) == 0 || w.entry[k] < 0 {
			continue
		}
		for column, q := range p.Row(w.entry[k]) {
			t := p.Types[column]
			types[t] += (set.of[k] + 1e-6) * float64(q)
			classes[t.Class()] += (set.of[k] + 1e-6) * float64(q)
		}
	}
	class := phi.ClassName
	for k := range classes {
		if classes[k] > classes[class] {
			class = phi.Class(k)
		}
	}
	best := phi.None
	for _, t := range allTypes {
		if t.Class() == class && (best == phi.None || types[t] > types[best]) {
			best = t
		}
	}
	return best
}
