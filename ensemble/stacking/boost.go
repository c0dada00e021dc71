package stacking

import (
	"context"
	"math"
	"math/rand/v2"
)

// BoostOptions are the parameters of gradient boosting. Zero values mean the defaults.
type BoostOptions struct {
	Trees   int     // default 160
	Leaves  int     // maximum per tree; default 12
	Rate    float64 // learning rate; default 0.1
	Columns float64 // share of the columns available to a tree; default 0.35
	Ridge   float64 // L2 penalty on leaves; default 3
	Least   float64 // minimum weight (p*(1-p), summed) of the examples in a leaf; default 1
	Seed    uint64
}

// WithDefaults returns a copy with every unset field filled in.
func (o BoostOptions) WithDefaults() BoostOptions {
	set := func(v *float64, to float64) {
		if *v == 0 {
			*v = to
		}
	}
	if o.Trees == 0 {
		o.Trees = 160
	}
	if o.Leaves == 0 {
		o.Leaves = 12
	}
	set(&o.Rate, 0.1)
	set(&o.Columns, 0.35)
	set(&o.Ridge, 3)
	set(&o.Least, 1)
	return o
}

// booster grows trees, each fitted to the residuals of the previous ones (Friedman 2001; leaves by
// Newton steps).
type booster struct {
	opts       BoostOptions
	t          *table
	names      []string
	grad, hess []float64
	score      []float64
	rng        *rand.Rand
}

// boost fits trees to the examples use of a table. bias is the log-odds to which their sum is
// added. tick, if not nil, is called after each tree.
func boost(ctx context.Context, t *table, use []int32, names []string, opts BoostOptions, tick func()) (trees []*Node, bias float64,
	err error,
) {
	b := &booster{
		opts: opts.WithDefaults(), t: t, names: names,
		rng: rand.New(rand.NewPCG(opts.Seed, 0x7ee5)), //nolint:gosec // chance from a seed
	}
	n := len(t.y)
	b.grad, b.hess, b.score = make([]float64, n), make([]float64, n), make([]float64, n)
	bias = b.start(use)
	for range b.opts.Trees {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		for _, i := range use {
			p := probability(b.score[i])
			b.grad[i], b.hess[i] = float64(t.y[i])-p, math.Max(p*(1-p), 1e-6)
		}
		trees = append(trees, b.tree(use))
		if tick != nil {
			tick()
		}
	}
	return trees, bias, nil
}

// start sets every example's score to the overall log-odds of PHI.
func (b *booster) start(use []int32) float64 {
	positive := 1.0
	for _, i := range use {
		positive += float64(b.t.y[i])
	}
	bias := math.Log(positive / math.Max(float64(len(use))+2-positive, 1))
	bias = math.Round(bias*1e4) / 1e4
	for _, i := range use {
		b.score[i] = bias
	}
	return bias
}

// leaf is a leaf of the growing tree, with its best split.
type leaf struct {
	node       *Node
	use        []int32
	grad, hess float64
	column     int
	bin        int
	gain       float64
}

// tree grows a tree by splitting the leaf with the highest gain first, and updates the scores.
func (b *booster) tree(use []int32) *Node {
	columns := b.sample()
	top := &Node{}
	leaves := []*leaf{b.newLeaf(top, use, columns)}
	for len(leaves) < b.opts.Leaves {
		best := leaves[0]
		for _, l := range leaves[1:] {
			if l.gain > best.gain {
				best = l
			}
		}
		if best.gain <= 1e-6 {
			break
		}
		then, els := b.split(best, columns)
		*best = *then
		leaves = append(leaves, els)
	}
	for _, l := range leaves {
		l.node.Add = math.Round(b.opts.Rate*l.grad/(l.hess+b.opts.Ridge)*1e4) / 1e4
		for _, i := range l.use {
			b.score[i] += l.node.Add
		}
	}
	return top
}
