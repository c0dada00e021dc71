package crf

import (
	"math"
	"math/rand/v2"
	"testing"
)

// tinyLabels are O, and B- and I- of two types.
func tinyLabels(t testing.TB) *labelSet {
	t.Helper()
	l, err := newLabelSet([]string{"NAME", "DATE"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// randomChain returns weights and scores of n tokens.
func randomChain(l *labelSet, rng *rand.Rand, n int) (*chain, []float32) {
	c := newChain(l)
	for _, weights := range [][]float64{c.starts, c.moves} {
		for i := range weights {
			weights[i] += rng.NormFloat64()
		}
	}
	scores := make([]float32, n*l.size())
	for i := range scores {
		scores[i] = float32(rng.NormFloat64() * 2)
	}
	return c, scores
}

// eachPath calls do with every sequence of labels that is allowed, and its weight.
func eachPath(c *chain, scores []float32, allowed []set, do func(path []int, weight float64)) {
	n := len(allowed)
	path := make([]int, n)
	var walk func(t int, weight float64)
	walk = func(t int, weight float64) {
		if t == n {
			do(path, weight)
			return
		}
		for y := range c.labels {
			w := weight + float64(scores[t*c.labels+y])
			if t == 0 {
				w += c.starts[y]
			} else {
				w += c.moves[path[t-1]*c.labels+y]
			}
			if allowed[t].has(y) && !math.IsInf(w, -1) {
				path[t] = y
				walk(t+1, w)
			}
		}
	}
	walk(0, 0)
}

func TestLatticeAgainstEveryPath(t *testing.T) {
	l := tinyLabels(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 4; n++ {
		for range 20 {
			c, scores := randomChain(l, rng, n)
			allowed := make([]set, n)
			for i := range allowed {
				allowed[i] = set(rng.IntN(1<<l.size())) | 1<<rng.IntN(1+len(l.names))
			}
			checkLattice(t, c, scores, allowed)
		}
	}
}

func checkLattice(t *testing.T, c *chain, scores []float32, allowed []set) {
	t.Helper()
	n := len(allowed)
	total, marginals, pairs := 0.0, make([]float64, n*c.labels), map[[3]int]float64{}
	eachPath(c, scores, allowed, func(path []int, weight float64) {
		p := math.Exp(weight)
		total += p
		for i, y := range path {
			marginals[i*c.labels+y] += p
			if i > 0 {
				pairs[[3]int{i - 1, path[i-1], y}] += p
			}
		}
	})
	soft := c.clone()
	c.exp(soft)
	var g lattice
	if !g.forward(soft, scores, n, allowed) {
		t.Fatal("no sequence is possible")
	}
	g.backward(soft)
	if want := math.Log(total); math.Abs(g.logZ-want) > 1e-6 {
		t.Fatalf("log Z %v, want %v", g.logZ, want)
	}
	for i := range n {
		for y := range c.labels {
			if want := marginals[i*c.labels+y] / total; math.Abs(g.marginal(i, y)-want) > 1e-6 {
				t.Fatalf("token %d, label %d: probability %v, want %v", i, y, g.marginal(i, y), want)
			}
		}
	}
	for key, p := range pairs {
		if got := g.pair(soft, key[0], key[1], key[2]); math.Abs(got-p/total) > 1e-6 {
			t.Fatalf("pair %v: probability %v, want %v", key, got, p/total)
		}
	}
}

func TestViterbiAgainstEveryPath(t *testing.T) {
	l := tinyLabels(t)
	rng := rand.New(rand.NewPCG(2, 2))
	for n := 1; n <= 5; n++ {
		for range 20 {
			c, scores := randomChain(l, rng, n)
			allowed := make([]set, n)
			for i := range allowed {
				allowed[i] = l.all()
			}
			best, want := math.Inf(-1), make([]int, n)
			eachPath(c, scores, allowed, func(path []int, weight float64) {
				if weight > best {
					best = weight
					copy(want, path)
				}
			})
			got := make([]uint8, n)
			var v viterbi
			v.path(newLinks(c), scores, got)
			for i := range got {
				if int(got[i]) != want[i] {
					t.Fatalf("%d tokens: labels %v, want %v", n, got, want)
				}
			}
		}
	}
}

// TestGradient compares the gradient with differences of the loss.
func TestGradient(t *testing.T) {
	l := tinyLabels(t)
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 4
	tr := newTrainer(l, &dataset{train: make([]sentence, 1)}, &TrainOptions{})
	s := &sentence{n: n, allowed: []set{1, l.tagged(l.types[0], true), l.all(), 1 | 1<<l.begin(1)}}
	var scores []float32
	tr.chain, scores = randomChain(l, rng, n)
	loss := func() float64 {
		tr.chain.exp(tr.soft)
		v, err := tr.gradient(s, scores)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	loss()
	labels := l.size()
	diff := append([]float32(nil), tr.diff[reach*labels:(reach+n)*labels]...)
	moves := append([]float64(nil), tr.chainD.moves...)
	starts := append([]float64(nil), tr.chainD.starts...)
	const h = 1.0 / 256
	check := func(what string, i int, got, up, down float64) {
		if want := -(up - down) / (2 * h); math.Abs(got-want) > 2e-4 {
			t.Errorf("%s %d: gradient %v, by differences %v", what, i, got, want)
		}
	}
	for i := range scores {
		before := scores[i]
		scores[i] = before + h
		up := loss()
		scores[i] = before - h
		check("score", i, float64(diff[i]), up, loss())
		scores[i] = before
	}
	for _, weights := range []struct {
		name     string
		at, grad []float64
	}{{"move", tr.chain.moves, moves}, {"start", tr.chain.starts, starts}} {
		for i, before := range weights.at {
			if math.IsInf(before, 0) {
				continue
			}
			weights.at[i] = before + h
			up := loss()
			weights.at[i] = before - h
			check(weights.name, i, weights.grad[i], up, loss())
			weights.at[i] = before
		}
	}
}
