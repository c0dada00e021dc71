package crf

import (
	"math"
	"math/bits"
)

// chain is the weights between labels, in natural logarithms; -Inf if a label may not follow
// another one.
type chain struct {
	labels int
	starts []float64 // weights of a sentence's first label
	moves  []float64 // from label, to label
}

// newChain returns a chain in which all allowed transitions are equally likely.
func newChain(l *labelSet) *chain {
	n := l.size()
	c := &chain{labels: n, starts: make([]float64, n), moves: make([]float64, n*n)}
	for to := range n {
		if to > len(l.names) {
			c.starts[to] = math.Inf(-1)
		}
		for from := range n {
			if !l.follows(from, to) {
				c.moves[from*n+to] = math.Inf(-1)
			}
		}
	}
	return c
}

// exp fills p with the exponentials of the weights.
func (c *chain) exp(p *chain) {
	for i, w := range c.starts {
		p.starts[i] = math.Exp(w)
	}
	for i, w := range c.moves {
		p.moves[i] = math.Exp(w)
	}
}

func (c *chain) clone() *chain {
	return &chain{c.labels, append([]float64(nil), c.starts...), append([]float64(nil), c.moves...)}
}

// rounded returns the chain as stored in a file.
func (c *chain) rounded() *chain {
	out := c.clone()
	for _, weights := range [][]float64{out.starts, out.moves} {
		for i, w := range weights {
			if !math.IsInf(w, 0) {
				weights[i] = max(math.MinInt16, min(math.MaxInt16, math.Round(w/quantum))) * quantum
			}
		}
	}
	return out
}

// lattice runs forward-backward over the labels of one sentence. Its slices are reused.
type lattice struct {
	n, labels int
	emit      []float64 // by token and label: exponentials of scores, at most 1 per token
	alpha     []float64 // forward probabilities, with sum 1 per token
	beta      []float64 // backward
	scale     []float64 // by token: the divisor of alpha
	active    []set     // labels of each token with a forward probability over 0
	logZ      float64
}

// negligible is the share of a token's probability below which a label is pruned.
const negligible = 1e-9

// reset makes room for n tokens.
func (g *lattice) reset(n, labels int) {
	g.n, g.labels = n, labels
	g.emit = grown(g.emit, n*labels)
	g.alpha = grown(g.alpha, n*labels)
	g.beta = grown(g.beta, n*labels)
	g.scale = grown(g.scale, n)
	g.active = grown(g.active, n)
}

// grown returns a slice of n elements, whose content is undefined.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// forward computes alpha and logZ over the allowed labels (nil: all), from scores by token and
// label. p holds exponentials of a chain. It reports whether any sequence of labels is possible.
func (g *lattice) forward(p *chain, scores []float32, n int, allowed []set) bool {
	g.reset(n, p.labels)
	g.logZ = 0
	for t := range n {
		may := set(1)<<p.labels - 1
		if allowed != nil {
			may = allowed[t]
		}
		top := g.exponentials(scores[t*p.labels:(t+1)*p.labels], t, may)
		row := g.alpha[t*p.labels : (t+1)*p.labels]
		if t == 0 {
			copy(row, p.starts)
		} else {
			g.step(p, t, row)
		}
		if !g.normalise(t, row) {
			return false
		}
		g.logZ += top + math.Log(g.scale[t])
	}
	return true
}

// exponentials fills emit of token t and returns what was subtracted from its scores.
func (g *lattice) exponentials(scores []float32, t int, may set) float64 {
	top := math.Inf(-1)
	for rest := may; rest != 0; rest &= rest - 1 {
		top = max(top, float64(scores[bits.TrailingZeros64(uint64(rest))]))
	}
	row := g.emit[t*g.labels : (t+1)*g.labels]
	clear(row)
	for rest := may; rest != 0; rest &= rest - 1 {
		y := bits.TrailingZeros64(uint64(rest))
		row[y] = math.Exp(float64(scores[y]) - top)
	}
	return top
}

// step sums over the labels of the previous token.
func (g *lattice) step(p *chain, t int, row []float64) {
	clear(row)
	before := g.alpha[(t-1)*g.labels : t*g.labels]
	for rest := g.active[t-1]; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(uint64(rest))
		a := before[from]
		moves := p.moves[from*p.labels : (from+1)*p.labels]
		for y, m := range moves {
			row[y] += a * m
		}
	}
}

// normalise multiplies by the emissions and records the remaining labels.
func (g *lattice) normalise(t int, row []float64) bool {
	emit := g.emit[t*g.labels : (t+1)*g.labels]
	sum := 0.0
	for y := range row {
		row[y] *= emit[y]
		sum += row[y]
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	g.scale[t] = sum
	var active set
	for y := range row {
		row[y] /= sum
		if row[y] > negligible {
			active |= 1 << y
		}
	}
	g.active[t] = active
	return true
}

// backward computes beta for the active labels, so that alpha times beta is the marginal
// probability.
func (g *lattice) backward(p *chain) {
	if g.n == 0 {
		return
	}
	last := g.beta[(g.n-1)*g.labels : g.n*g.labels]
	for y := range last {
		last[y] = 1
	}
	for t := g.n - 2; t >= 0; t-- {
		row, next := g.beta[t*g.labels:(t+1)*g.labels], g.beta[(t+1)*g.labels:(t+2)*g.labels]
		emit := g.emit[(t+1)*g.labels : (t+2)*g.labels]
		clear(row)
		for rest := g.active[t]; rest != 0; rest &= rest - 1 {
			from := bits.TrailingZeros64(uint64(rest))
			moves := p.moves[from*p.labels : (from+1)*p.labels]
			sum := 0.0
			for to := g.active[t+1]; to != 0; to &= to - 1 {
				y := bits.TrailingZeros64(uint64(to))
				sum += moves[y] * emit[y] * next[y]
			}
			row[from] = sum / g.scale[t+1]
		}
	}
}

// marginal is the probability of a label of token t.
func (g *lattice) marginal(t, label int) float64 {
	return g.alpha[t*g.labels+label] * g.beta[t*g.labels+label]
}

// pair is the probability that token t has one label and t+1 the other.
func (g *lattice) pair(p *chain, t, from, to int) float64 {
	next := (t+1)*g.labels + to
	return g.alpha[t*g.labels+from] * p.moves[from*p.labels+to] * g.emit[next] * g.beta[next] / g.scale[t+1]
}
