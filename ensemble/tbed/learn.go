package tbed

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// LearnOptions bound what is learned.
type LearnOptions struct {
	// MinGain is how many more tokens a rule must mend than break; learning ends when
	// none does. 0 means [DefaultMinGain].
	MinGain int
	// MaxRules ends learning sooner; 0 means [DefaultMaxRules], and more than a rule file
	// can hold the same as that.
	MaxRules int
	// MaxCandidates bounds how many candidate rules are held at once, at some 60 bytes
	// each; 0 means [DefaultMaxCandidates]. Fewer cost time, not quality.
	MaxCandidates int
	// Tick is called after each rule, or nil.
	Tick func(Progress)
}

// What [LearnOptions] mean where they say nothing.
const (
	DefaultMinGain       = 8
	DefaultMaxRules      = 5000
	DefaultMaxCandidates = 4_000_000
)

// maxInitial is how many rules of a file are spared for the initial annotator.
const maxInitial = 1000

// Progress tells how far learning is.
type Progress struct {
	Rules  int // learned so far
	Gain   int // of the last one
	Errors int // wrong tags that are left
}

func (o LearnOptions) withDefaults() LearnOptions {
	if o.MinGain <= 0 {
		o.MinGain = DefaultMinGain
	}
	if o.MaxRules <= 0 {
		o.MaxRules = DefaultMaxRules
	}
	o.MaxRules = min(o.MaxRules, maxRules-maxInitial)
	if o.MaxCandidates <= 0 {
		o.MaxCandidates = DefaultMaxCandidates
	}
	if o.Tick == nil {
		o.Tick = func(Progress) {}
	}
	return o
}

// learner chooses one rule after the other by its gain, as Brill (1995) does.
type learner struct {
	opts      LearnOptions
	table     *table
	templates []template
	all       []int // numbers of the templates
	tagged    []int // of those with a neighbour's tag
	reach     int   // how far these look
	index     []postings
	cands     *candidates
	queue     queue
	stamp     []uint32 // by token, for changes
	round     uint32
}

func newLearner(t *table, templates []template, opts LearnOptions) *learner {
	l := &learner{opts: opts.withDefaults(), table: t, templates: templates, cands: newCandidates(), stamp: make([]uint32, t.tokens())}
	for a, column := range t.columns {
		l.index = append(l.index, newPostings(column, len(t.dicts[a].words)))
	}
	for i, m := range templates {
		l.all = append(l.all, i)
		if !m.tagged {
			continue
		}
		l.tagged = append(l.tagged, i)
		for _, s := range m.slots {
			if s.attribute == tagSlot {
				l.reach = max(l.reach, s.offset, -s.offset)
			}
		}
	}
	return l
}

// learn returns the rules in the order in which they are to be applied. The table's
// tags become what they make of them.
func (l *learner) learn(ctx context.Context) ([]Rule, error) {
	var rules []Rule
	left := l.table.errors()
	l.generate(math.MaxInt32)
	for len(rules) < l.opts.MaxRules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := l.best()
		if best < 0 {
			if int(l.cands.floor) <= l.opts.MinGain {
				break
			}
			l.generate(l.cands.floor - 1)
			continue
		}
		c := l.cands.list[best]
		l.apply(&c)
		left -= int(c.gain())
		rules = append(rules, l.rule(&c))
		l.opts.Tick(Progress{Rules: len(rules), Gain: int(c.gain()), Errors: left})
		if len(l.cands.list) > 2*l.opts.MaxCandidates {
			l.generate(math.MaxInt32)
		}
	}
	return rules, nil
}

// generate makes the candidates of all wrong tags anew. They mend as few tokens as
// their number allows, but less than most where that is given.
func (l *learner) generate(most int32) {
	clear(l.cands.sketch)
	l.eachRepair(func(_ int, hash uint64, _ *values, _ int, want Tag) {
		*l.cands.counter(hash, want)++
	})
	l.cands.reset(min(most, l.lowestFloor()))
	l.eachRepair(func(i int, hash uint64, v *values, template int, want Tag) {
		if *l.cands.counter(hash, want) < uint32(l.cands.floor) {
			return
		}
		at := l.cands.get(hash, want)
		if at < 0 {
			at = l.cands.add(hash, candidate{values: *v, template: uint16(template), from: l.table.tags[i], to: want})
		}
		l.cands.list[at].good++
	})
	l.queue.reset()
	for at := range l.cands.list {
		l.queue.push(&l.cands.list[at], int32(at))
	}
}

// eachRepair calls f for each rule that mends a token, once for each such token.
func (l *learner) eachRepair(f func(i int, hash uint64, v *values, template int, want Tag)) {
	t := l.table
	for i := range t.tags {
		truth := &t.truths[t.gold[i]]
		if !truth.told || !truth.cost[t.tags[i]] {
			continue
		}
		for k := range l.templates {
			m := &l.templates[k]
			if v, ok := m.at(t, i); ok {
				f(i, v.hash(k, t.tags[i], len(m.slots)), &v, k, truth.want)
			}
		}
	}
}

// lowestFloor returns the least number of mended tokens at which the candidates are not
// too many, by the counters of the sketch.
func (l *learner) lowestFloor() int32 {
	var having [4096]int
	for _, n := range l.cands.sketch {
		having[min(n, uint32(len(having)-1))]++
	}
	floor, sum := len(having)-1, having[len(having)-1]
	for floor > max(l.opts.MinGain, 1) && sum+having[floor-1] <= l.opts.MaxCandidates {
		floor--
		sum += having[floor]
	}
	return int32(floor)
}

// best returns the candidate with the highest gain, or -1 if none reaches the floor.
func (l *learner) best() int32 {
	q := &l.queue
	for ; q.top >= l.cands.floor; q.top-- {
		stack := q.stacks[q.top]
		q.stacks[q.top] = stack[:0]
		kept := stack[:0]
		best := int32(-1)
		for _, at := range stack {
			c := &l.cands.list[at]
			if c.queued != q.top {
				continue // it stands elsewhere
			}
			if c.gain() == q.top && !c.exact {
				l.evaluate(c)
			}
			if c.gain() != q.top {
				q.push(c, at)
				continue
			}
			kept = append(kept, at)
			if best < 0 || l.simpler(at, best) {
				best = at
			}
		}
		q.stacks[q.top] = kept
		if best >= 0 {
			return best
		}
	}
	return -1
}

// simpler decides among candidates of the same gain: fewer conditions, less broken, the
// template that stands earlier, then the numbers of the values: no choice depends on
// when a candidate was met.
func (l *learner) simpler(a, b int32) bool {
	x, y := &l.cands.list[a], &l.cands.list[b]
	return cmp.Or(
		len(l.templates[x.template].slots)-len(l.templates[y.template].slots),
		int(x.bad-y.bad), int(x.template)-int(y.template), slices.Compare(x.values[:], y.values[:]),
		int(x.from)-int(y.from), int(x.to)-int(y.to),
	) < 0
}

// rule spells a candidate out.
func (l *learner) rule(c *candidate) Rule {
	r := Rule{From: c.from, To: c.to, Mended: int(c.good), Broken: int(c.bad)}
	for k, s := range l.templates[c.template].slots {
		if s.attribute == tagSlot {
			tag := Tag(c.values[k])
			cond := Condition{Attribute: tagAttribute, Offset: s.offset, Value: tag.String()}
			if tag == edge {
				cond.Value, cond.Edge = "", true
			}
			r.If = append(r.If, cond)
			continue
		}
		cond := Condition{Attribute: l.table.attributes[s.attribute], Offset: s.offset, Edge: c.values[k] == beyond}
		if !cond.Edge {
			cond.Value = l.table.dicts[s.attribute].words[c.values[k]]
		}
		r.If = append(r.If, cond)
	}
	return r
}
