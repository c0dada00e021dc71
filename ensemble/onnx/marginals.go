package onnx

import (
	"math"
	"slices"
)

// marginals returns how probable each label of each word is, over all sequences of
// labels, by the forward-backward algorithm: [words*labels], which belongs to the
// scratch. Sums are kept near 1 by dividing them at every word, which cancels out.
func (c *chain) marginals(logits []float32, s *chainScratch) ([]float64, error) {
	n := c.labels
	words := len(logits) / n
	s.forward = zeroed(s.forward, words*n)
	if words == 0 {
		return s.forward, nil
	}
	if err := s.weigh(logits, n); err != nil {
		return nil, err
	}
	if err := c.goForward(words, s); err != nil {
		return nil, err
	}
	return s.forward, c.goBackward(words, s)
}

// weigh sets the weights to exp of the logits, of each word less its largest.
func (s *chainScratch) weigh(logits []float32, n int) error {
	s.weights = zeroed(s.weights, len(logits))
	for w := 0; w < len(logits); w += n {
		row := logits[w : w+n]
		top, err := largest(row)
		if err != nil {
			return err
		}
		for j, x := range row {
			s.weights[w+j] = math.Exp(float64(x) - top)
		}
	}
	return nil
}

// largest returns the largest logit of a word. That of a broken network is not finite.
func largest(row []float32) (float64, error) {
	top := float64(slices.Max(row)) // NaN if any is
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return 0, errNotFinite
	}
	return top, nil
}

// goForward leaves in forward how probable each label is by what comes up to its word.
func (c *chain) goForward(words int, s *chainScratch) error {
	n := c.labels
	top := slices.Max(c.start)
	first := s.forward[:n]
	for j := range first {
		first[j] = math.Exp(c.start[j]-top) * s.weights[j]
	}
	if err := normalise(first); err != nil {
		return err
	}
	for w := 1; w < words; w++ {
		before, here := s.forward[(w-1)*n:w*n], s.forward[w*n:(w+1)*n]
		for i, p := range before {
			for j, odds := range c.odds[i*n : (i+1)*n] {
				here[j] += p * odds
			}
		}
		for j, weight := range s.weights[w*n : (w+1)*n] {
			here[j] *= weight
		}
		if err := normalise(here); err != nil {
			return err
		}
	}
	return nil
}

// goBackward multiplies forward by how probable what follows is after each label.
func (c *chain) goBackward(words int, s *chainScratch) error {
	n := c.labels
	s.a, s.b = zeroed(s.a, n), zeroed(s.b, n)
	top := slices.Max(c.end)
	for j, x := range c.end {
		s.a[j] = math.Exp(x - top)
	}
	for w := words - 1; ; w-- {
		here := s.forward[w*n : (w+1)*n]
		for j := range here {
			here[j] *= s.a[j]
		}
		if err := normalise(here); err != nil || w == 0 {
			return err
		}
		for j, weight := range s.weights[w*n : (w+1)*n] {
			s.a[j] *= weight
		}
		for i := range n {
			sum := 0.0
			for j, odds := range c.odds[i*n : (i+1)*n] {
				sum += odds * s.a[j]
			}
			s.b[i] = sum
		}
		if err := normalise(s.b); err != nil {
			return err
		}
		s.a, s.b = s.b, s.a
	}
}

// normalise divides by the sum. A sum of 0 means that every sequence is beyond what
// floating point can hold: nothing may be said of such words.
func normalise(x []float64) error {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return errChain
	}
	for i := range x {
		x[i] /= sum
	}
	return nil
}
