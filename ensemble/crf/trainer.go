package crf

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

// param is a weight during training.
type param struct {
	weight, squares float32 // squares: of its gradients, for AdaGrad
	step            uint32  // when the norms were last applied
	code            uint16  // see codeOf
}

// trainer optimises the weights of a dataset.
type trainer struct {
	labels *labelSet
	set    *dataset
	opts   *TrainOptions
	report Report

	params []param
	starts []uint32 // by number of a key: where its params begin
	chain  *chain
	soft   *chain
	chainG *chain // squares of gradients
	step   uint32
	l1, l2 float64 // for a sentence

	kept      []float32
	keptChain *chain

	sums   []float32 // scores with a margin of reach tokens at both ends
	diff   []float32 // gradients by score, likewise
	gold   lattice
	free   lattice
	chainD *chain // gradient of the chain
}

func newTrainer(labels *labelSet, set *dataset, opts *TrainOptions) *trainer {
	n := labels.size()
	empty := func() *chain { return &chain{n, make([]float64, n), make([]float64, n*n)} }
	t := &trainer{
		labels: labels, set: set, opts: opts, report: set.report, chain: newChain(labels), soft: empty(), chainG: empty(), chainD: empty(),
		l1: opts.L1 / float64(len(set.train)), l2: opts.L2 / float64(len(set.train)),
	}
	t.chain.exp(t.soft)
	t.makeParams()
	return t
}

// makeParams creates a weight for each label seen for a key at an offset; unseen combinations get
// none.
func (t *trainer) makeParams() {
	n := t.labels.size()
	seen := make([][offsets]set, len(t.set.keys))
	for k := range t.set.train {
		s := &t.set.train[k]
		for i := range s.n {
			for _, number := range s.at(i) {
				w := t.set.windows[number]
				for o := max(int(w.from), i-s.n+1); o <= min(int(w.to), i); o++ {
					if bits.OnesCount64(uint64(s.allowed[i-o])) <= surely {
						seen[number][o+reach] |= s.allowed[i-o]
					}
				}
			}
		}
	}
	t.starts = make([]uint32, 1, len(seen)+1)
	for number := range seen {
		for o, labels := range seen[number] {
			for rest := labels; rest != 0; rest &= rest - 1 {
				t.params = append(t.params, param{code: codeOf(o-reach, bits.TrailingZeros64(uint64(rest)), n)})
			}
		}
		t.starts = append(t.starts, uint32(len(t.params)))
		slices.SortFunc(t.params[t.starts[number]:], func(a, b param) int { return int(a.code) - int(b.code) })
	}
}

// surely is how many labels a tag may allow and still be informative: a name is that of a patient
// or of a doctor.
const surely = 4

// score fills sums and returns the sentence's part of them. In training it updates the weights
// before use.
func (t *trainer) score(s *sentence, training bool) []float32 {
	n := t.labels.size()
	t.sums = grown(t.sums, (s.n+2*reach)*n)
	clear(t.sums)
	for i := range s.n {
		sums := t.sums[i*n : (i+2*reach+1)*n]
		for _, number := range s.at(i) {
			params := t.params[t.starts[number]:t.starts[number+1]]
			for j := range params {
				p := &params[j]
				if training && p.step != t.step {
					t.catchUp(p)
				}
				sums[p.code] += p.weight
			}
		}
	}
	return t.sums[reach*n : (reach+s.n)*n]
}

// catchUp applies the norms of the steps since the weight was last used.
func (t *trainer) catchUp(p *param) {
	if p.weight != 0 {
		rate := t.opts.Rate / math.Sqrt(float64(p.squares)+initial) * float64(t.step-p.step)
		w := float64(p.weight)
		w -= w * min(rate*t.l2, 1)
		p.weight = float32(math.Copysign(max(math.Abs(w)-rate*t.l1, 0), w))
	}
	p.step = t.step
}

// initial keeps the first steps of AdaGrad small.
const initial = 0.1

var errImpossible = errors.New("its tags allow no sequence of labels")

// learn takes one step for a sentence and returns its loss.
func (t *trainer) learn(s *sentence) (float64, error) {
	t.step++
	loss, err := t.gradient(s, t.score(s, true))
	if err != nil {
		return 0, err
	}
	n := t.labels.size()
	for i := range s.n {
		diff := t.diff[i*n : (i+2*reach+1)*n]
		for _, number := range s.at(i) {
			params := t.params[t.starts[number]:t.starts[number+1]]
			for j := range params {
				p := &params[j]
				if g := diff[p.code]; g != 0 {
					p.squares += g * g
					p.weight += float32(t.opts.Rate) * g / float32(math.Sqrt(float64(p.squares)+initial))
				}
			}
		}
	}
	t.moveChain()
	return loss, nil
}

// moveChain takes the step of the weights between labels.
func (t *trainer) moveChain() {
	move := func(weights, soft, gradient, squares []float64) {
		for i, g := range gradient {
			if g == 0 {
				continue
			}
			g -= t.l2 * weights[i]
			squares[i] += g * g
			weights[i] += t.opts.Rate * g / math.Sqrt(squares[i]+initial)
			soft[i] = math.Exp(weights[i])
		}
	}
	move(t.chain.starts, t.soft.starts, t.chainD.starts, t.chainG.starts)
	move(t.chain.moves, t.soft.moves, t.chainD.moves, t.chainG.moves)
}

// gradient fills diff and chainD with the derivatives of the log-likelihood by each score and each
// weight of the chain, and returns the loss.
func (t *trainer) gradient(s *sentence, scores []float32) (float64, error) {
	n := t.labels.size()
	if !t.gold.forward(t.soft, scores, s.n, s.allowed) || !t.free.forward(t.soft, scores, s.n, nil) {
		return 0, errImpossible
	}
	t.gold.backward(t.soft)
	t.free.backward(t.soft)
	t.diff = grown(t.diff, (s.n+2*reach)*n)
	clear(t.diff)
	clear(t.chainD.starts)
	clear(t.chainD.moves)
	t.expect(&t.gold, 1, reach*n)
	t.expect(&t.free, -1, reach*n)
	for i, d := range t.diff {
		if d > -small && d < small {
			t.diff[i] = 0
		}
	}
	return t.free.logZ - t.gold.logZ, nil
}

// small is a gradient that is ignored.
const small = 1e-4

// expect adds the expectations of a lattice, with a sign.
func (t *trainer) expect(g *lattice, sign float64, at int) {
	n := g.labels
	for i := range g.n {
		for rest := g.active[i]; rest != 0; rest &= rest - 1 {
			y := bits.TrailingZeros64(uint64(rest))
			m := g.marginal(i, y)
			t.diff[at+i*n+y] += float32(sign * m)
			if i == 0 {
				t.chainD.starts[y] += sign * m
			}
			if i+1 == g.n {
				continue
			}
			for next := g.active[i+1]; next != 0; next &= next - 1 {
				z := bits.TrailingZeros64(uint64(next))
				t.chainD.moves[y*n+z] += sign * g.pair(t.soft, i, y, z)
			}
		}
	}
}

// loss returns the loss of sentences, per token.
func (t *trainer) loss(sentences []sentence) float64 {
	t.chain.exp(t.soft)
	loss, tokens := 0.0, 0
	for k := range sentences {
		s := &sentences[k]
		scores := t.score(s, false)
		if t.gold.forward(t.soft, scores, s.n, s.allowed) && t.free.forward(t.soft, scores, s.n, nil) {
			loss += t.free.logZ - t.gold.logZ
		}
		tokens += s.n
	}
	return loss / float64(max(tokens, 1))
}
