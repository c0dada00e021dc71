package onnx

import (
	"math"
	"slices"
)

// best returns the sequence of labels with the highest score (Viterbi 1967), a label a
// word; the slice belongs to the scratch. logits are [words*labels]. Of two sequences
// with one score it is that of lower numbers at the end, so that it is always the same.
func (c *chain) best(logits []float32, s *chainScratch) ([]int, error) {
	n := c.labels
	words := len(logits) / n
	s.path = zeroed(s.path, words)
	if words == 0 {
		return s.path, nil
	}
	s.back = zeroed(s.back, words*n)
	s.a, s.b = zeroed(s.a, n), zeroed(s.b, n)
	for j := range n {
		s.a[j] = c.start[j] + float64(logits[j])
	}
	for w := 0; w < len(logits); w += n {
		if _, err := largest(logits[w : w+n]); err != nil {
			return nil, err
		}
	}
	for w := 1; w < words; w++ {
		c.advance(s.b, s.a, s.back[w*n:(w+1)*n])
		for j, x := range logits[w*n : (w+1)*n] {
			s.b[j] += float64(x)
		}
		s.a, s.b = s.b, s.a
	}
	for j, x := range c.end {
		s.a[j] += x
	}
	last := slices.Index(s.a, slices.Max(s.a))
	for w := words - 1; w >= 0; w-- {
		s.path[w] = last
		last = int(s.back[w*n+last])
	}
	return s.path, nil
}

// advance sets to[j] to the best score of a sequence that steps to label j, and back[j]
// to the label that it comes from.
func (c *chain) advance(to, from []float64, back []uint16) {
	n := c.labels
	for j := range to {
		to[j] = math.Inf(-1)
	}
	for i, x := range from {
		steps := c.steps[i*n : (i+1)*n]
		for j, step := range steps {
			if v := x + step; v > to[j] {
				to[j], back[j] = v, uint16(i) // #nosec G115 -- a label's number: maxLabels at most
			}
		}
	}
}
