package stacking

// sample picks the columns available to a tree.
func (b *booster) sample() []int {
	all := b.rng.Perm(len(b.t.bins))
	return all[:max(1, int(b.opts.Columns*float64(len(all))))]
}

// newLeaf makes a leaf of examples and finds its best split.
func (b *booster) newLeaf(node *Node, use []int32, columns []int) *leaf {
	l := &leaf{node: node, use: use}
	for _, i := range use {
		l.grad += b.grad[i]
		l.hess += b.hess[i]
	}
	if l.hess < 2*b.opts.Least {
		return l
	}
	for _, c := range columns {
		if len(b.t.cuts[c]) > 0 {
			b.look(l, c)
		}
	}
	return l
}

// look tries every cut of a column.
func (b *booster) look(l *leaf, column int) {
	var grad, hess [maxBins]float64
	bins := b.t.bins[column]
	for _, i := range l.use {
		at := bins[i]
		grad[at] += b.grad[i]
		hess[at] += b.hess[i]
	}
	whole := b.worth(l.grad, l.hess)
	g, h := 0.0, 0.0
	for bin := range b.t.cuts[column] {
		g, h = g+grad[bin], h+hess[bin]
		if h < b.opts.Least || l.hess-h < b.opts.Least {
			continue
		}
		if gain := b.worth(g, h) + b.worth(l.grad-g, l.hess-h) - whole; gain > l.gain {
			l.gain, l.column, l.bin = gain, column, bin
		}
	}
}

// worth returns how much the loss falls with the best value for examples with these sums.
func (b *booster) worth(grad, hess float64) float64 { return grad * grad / (hess + b.opts.Ridge) }

// split makes a leaf's node a split and returns the two leaves below.
func (b *booster) split(l *leaf, columns []int) (then, els *leaf) {
	var low, high []int32
	bins := b.t.bins[l.column]
	for _, i := range l.use {
		if int(bins[i]) <= l.bin {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	l.node.If, l.node.Below = b.names[l.column], b.t.cuts[l.column][l.bin]
	l.node.Then, l.node.Else = &Node{}, &Node{}
	return b.newLeaf(l.node.Then, low, columns), b.newLeaf(l.node.Else, high, columns)
}
