package tbed

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// LearnOptions limit what is learned.
type LearnOptions struct {
	// MinGain is how many more tokens a rule must correct than break; learning ends when none does. 0
	// means [DefaultMinGain].
	MinGain int
	// MaxRules limits the number of rules; 0 means [DefaultMaxRules]. It is capped at the size of a
	// rule file.
	MaxRules int
	// MaxCandidates limits how many candidate rules are held at once, at some 60 bytes each; 0 means
	// [DefaultMaxCandidates]. Fewer cost time, not quality.
	MaxCandidates int
	// Tick is called after each rule, or nil.
	Tick func(Progress)
}

// Defaults of [LearnOptions].
const (
	DefaultMinGain       = 8
	DefaultMaxRules      = 5000
	DefaultMaxCandidates = 4_000_000
)

// maxInitial is the number of rules of a file reserved for the initial annotator.
const maxInitial = 1000

// Progress is the progress of learning.
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

// learn returns the rules in the order of application. It leaves the table with the tags that
// result from them.
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

// generate creates the candidates of all wrong tags anew. Their floor is as low as their number
// allows, but less than most if that is given.
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

// eachRepair calls f for each rule that corrects a token, once for each such token.
func (l *learner) eachRepair(f func(i int, hash uint64, v *values, template int, want Tag)) {
	t := l.table
	for i := range t.tags {
		truth := &t.truths[t.gold[i]]
		if !truth.given || !truth.cost[t.tags[i]] {
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

// lowestFloor returns the lowest number of corrected tokens at which, by the counters of the
// sketch, there are not too many candidates.
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
				continue // it is elsewhere
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

// simpler breaks ties between candidates of the same gain: fewer conditions, fewer broken tokens,
// the earlier template, then the numbers of the values, so that no choice depends on the order of
// discovery.
func (l *learner) simpler(a, b int32) bool {
	x, y := &l.cands.list[a], &l.cands.list[b]
	return cmp.Or(
		len(l.templates[x.template].slots)-len(l.templates[y.template].slots),
		int(x.bad-y.bad), int(x.template)-int(y.template), slices.Compare(x.values[:], y.values[:]),
		int(x.from)-int(y.from), int(x.to)-int(y.to),
	) < 0
}

// rule converts a candidate to a rule.
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
