package tbed

// matches calls f for each token at which a candidate would change the tag, in order. It iterates
// over the tokens with the rarest value that the candidate requires.
func (l *learner) matches(c *candidate, f func(i int)) {
	t, m := l.table, &l.templates[c.template]
	var rarest []int32
	offset, none := 0, true
	for k, s := range m.slots {
		if s.attribute == tagSlot {
			continue
		}
		if p := l.index[s.attribute].of(c.values[k]); none || len(p) < len(rarest) {
			rarest, offset, none = p, s.offset, false
		}
	}
	if none { // only tags
		for i := range t.tags {
			if t.tags[i] == c.from && m.holds(t, i, &c.values) {
				f(i)
			}
		}
		return
	}
	for _, p := range rarest {
		i := int(p) - offset
		if i >= 0 && i < len(t.tags) && t.tags[i] == c.from && m.holds(t, i, &c.values) {
			f(i)
		}
	}
}

// evaluate counts what a candidate corrects and breaks.
func (l *learner) evaluate(c *candidate) {
	t := l.table
	c.good, c.bad, c.exact = 0, 0, true
	l.matches(c, func(i int) {
		truth := &t.truths[t.gold[i]]
		switch {
		case truth.cost[c.from]:
			if truth.given && truth.want == c.to {
				c.good++
			}
		case truth.cost[c.to]:
			c.bad++
		}
	})
}

// apply changes the tags according to a rule, all at once, and updates the counts of the
// candidates around them.
func (l *learner) apply(c *candidate) {
	var changed []int32
	l.matches(c, func(i int) { changed = append(changed, int32(i)) })
	near := l.around(changed)
	for _, i := range near {
		l.count(int(i), -1, l.affected(i))
	}
	for _, i := range changed {
		l.table.tags[i] = c.to
	}
	for _, i := range near {
		l.count(int(i), +1, l.affected(i))
	}
}

// around returns the changed tokens and those that can see one; stamps mark which are which.
func (l *learner) around(changed []int32) []int32 {
	l.round += 2
	near := make([]int32, 0, 2*len(changed))
	for _, i := range changed {
		l.stamp[i] = l.round
		near = append(near, i)
	}
	for _, i := range changed {
		for j := int(i) - l.reach; j <= int(i)+l.reach; j++ {
			if l.table.tags[j] != edge && l.stamp[j] < l.round-1 {
				l.stamp[j] = l.round - 1
				near = append(near, int32(j))
			}
		}
	}
	return near
}

// affected returns the templates whose rules may match a token differently than before.
func (l *learner) affected(i int32) []int {
	if l.stamp[i] == l.round {
		return l.all
	}
	return l.tagged
}

// count adds a token to the counts of the candidates that match it, or removes it.
func (l *learner) count(i int, by int32, templates []int) {
	t := l.table
	from, truth := t.tags[i], &t.truths[t.gold[i]]
	wrong := truth.cost[from]
	if truth.open || wrong && !truth.given {
		return
	}
	for _, k := range templates {
		m := &l.templates[k]
		v, ok := m.at(t, i)
		if !ok {
			continue
		}
		hash := v.hash(k, from, len(m.slots))
		if wrong {
			l.countRepair(hash, &v, k, from, truth.want, by)
			continue
		}
		for at := l.cands.find(hash); at >= 0; at = l.cands.list[at].next {
			c := &l.cands.list[at]
			if c.exact && truth.cost[c.to] {
				c.bad += by
				l.rise(c, at)
			}
		}
	}
}

// countRepair counts one more token, or one less, that a rule would correct. A rule becomes a
// candidate when it corrects enough.
func (l *learner) countRepair(hash uint64, v *values, template int, from, want Tag, by int32) {
	counter := l.cands.counter(hash, want)
	*counter += uint32(by)
	at := l.cands.get(hash, want)
	switch {
	case at >= 0:
		l.cands.list[at].good += by
	case by > 0 && *counter >= uint32(l.cands.floor):
		at = l.cands.add(hash, candidate{
			values: *v, good: int32(*counter), template: uint16(template), from: from, to: want,
		})
	default:
		return
	}
	l.rise(&l.cands.list[at], at)
}

// rise files a candidate anew if it improved. Those that became worse are corrected when they
// reach the top of the queue.
func (l *learner) rise(c *candidate, at int32) {
	if c.gain() > c.queued {
		l.queue.push(c, at)
	}
}
