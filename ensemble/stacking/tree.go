package stacking

import (
	"errors"
	"fmt"
	"math"
)

// Node is a node of a decision tree as stored in the model's file: a split on a column with a node
// for each outcome, or a leaf, which adds to the log-odds of PHI.
type Node struct {
	If    string  `json:"if,omitempty"` // a column; "" for a leaf
	Below float32 `json:"below,omitempty"`
	Then  *Node   `json:"then,omitempty"`
	Else  *Node   `json:"else,omitempty"`
	Add   float64 `json:"add,omitempty"`
}

// forest is a compact layout of trees.
type forest struct {
	nodes []flat
	roots []int32
}

// flat is a node with its children's indexes; a leaf has column -1.
type flat struct {
	column    int32
	then, els int32
	below     float32
	add       float64
}

// maxNodes limits the nodes of a model's trees, maxTreeDepth their depth.
const (
	maxNodes     = 200_000
	maxTreeDepth = 32
)

// plant lays trees out. It fails on an unknown column, a node with only one outcome and values
// that are not finite.
func plant(trees []*Node, columns map[string]int) (*forest, error) {
	f := &forest{}
	for i, t := range trees {
		root, err := f.add(t, columns, 0)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i+1, err)
		}
		f.roots = append(f.roots, root)
	}
	return f, nil
}

func (f *forest) add(n *Node, columns map[string]int, depth int) (int32, error) {
	switch {
	case n == nil:
		return 0, errors.New("a node has no outcome: want then and else with if")
	case depth > maxTreeDepth || len(f.nodes) >= maxNodes:
		return 0, errors.New("the tree is too large")
	case math.IsNaN(n.Add) || math.IsInf(n.Add, 0) || math.IsNaN(float64(n.Below)):
		return 0, errors.New("a number is not finite")
	}
	at := len(f.nodes)
	f.nodes = append(f.nodes, flat{column: -1, add: n.Add})
	if n.If == "" {
		if n.Then != nil || n.Else != nil {
			return 0, errors.New("a node has outcomes and no column: want if")
		}
		return int32(at), nil
	}
	column, ok := columns[n.If]
	if !ok {
		return 0, fmt.Errorf("unknown column %q", n.If)
	}
	then, err := f.add(n.Then, columns, depth+1)
	if err != nil {
		return 0, err
	}
	els, err := f.add(n.Else, columns, depth+1)
	if err != nil {
		return 0, err
	}
	f.nodes[at] = flat{column: int32(column), then: then, els: els, below: n.Below}
	return int32(at), nil
}

// score returns the sum of the leaves that a row reaches.
func (f *forest) score(row []float32) float64 {
	sum := 0.0
	for _, at := range f.roots {
		n := &f.nodes[at]
		for n.column >= 0 {
			if row[n.column] < n.below {
				n = &f.nodes[n.then]
			} else {
				n = &f.nodes[n.els]
			}
		}
		sum += n.add
	}
	return sum
}

// probability converts log-odds to a probability.
func probability(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }
