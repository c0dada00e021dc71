package crf

// links are the weights of a chain for the Viterbi search.
type links struct {
	starts, moves []float32
	begins        int // labels that may follow any other: O and all B-
}

func newLinks(c *chain) *links {
	l := &links{starts: make([]float32, len(c.starts)), moves: make([]float32, len(c.moves)), begins: (c.labels + 1) / 2}
	for i, w := range c.starts {
		l.starts[i] = float32(w)
	}
	for i, w := range c.moves {
		l.moves[i] = float32(w)
	}
	return l
}

// viterbi finds the best sequence of labels. Its slices are reused.
type viterbi struct {
	best, next []float32
	back       []uint8 // by token and label: the label before
}

// path writes the best labels of a sentence of len(out) tokens to out; scores are by token and
// label. Ties are resolved in favour of lower labels.
func (v *viterbi) path(l *links, scores []float32, out []uint8) {
	n, labels := len(out), len(l.starts)
	if n == 0 {
		return
	}
	v.best, v.next = grown(v.best, labels), grown(v.next, labels)
	v.back = grown(v.back, n*labels)
	for y := range labels {
		v.best[y] = l.starts[y] + scores[y]
	}
	for t := 1; t < n; t++ {
		v.step(l, scores[t*labels:(t+1)*labels], v.back[t*labels:(t+1)*labels])
		v.best, v.next = v.next, v.best
	}
	last := 0
	for y, score := range v.best[:labels] {
		if score > v.best[last] {
			last = y
		}
	}
	for t := n - 1; t >= 0; t-- {
		out[t] = uint8(last)
		last = int(v.back[t*labels+last])
	}
}

// step advances by one token. I- is reached only from B- and I- of its own type.
func (v *viterbi) step(l *links, scores []float32, back []uint8) {
	labels, types := len(l.starts), l.begins-1
	next := v.next[:labels]
	moves := l.moves[:labels]
	for y := range l.begins {
		next[y], back[y] = v.best[0]+moves[y], 0
	}
	for from := 1; from < labels; from++ {
		base := v.best[from]
		moves = l.moves[from*labels : from*labels+l.begins]
		for y, m := range moves {
			if score := base + m; score > next[y] {
				next[y], back[y] = score, uint8(from)
			}
		}
	}
	for k := range types {
		b, i := 1+k, l.begins+k
		begun, gone := v.best[b]+l.moves[b*labels+i], v.best[i]+l.moves[i*labels+i]
		if next[i], back[i] = begun, uint8(b); gone > begun {
			next[i], back[i] = gone, uint8(i)
		}
	}
	for y := range next {
		next[y] += scores[y]
	}
}
