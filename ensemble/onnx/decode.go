package onnx

// decode returns how probable each label of each word is, [words*labels], and the best
// sequence of labels, [words]. Both belong to the scratch.
func (c *chain) decode(logits []float32, s *chainScratch) (marginals []float64, path []int, err error) {
	if marginals, err = c.marginals(logits, s); err != nil {
		return nil, nil, err
	}
	if c.beyondDoubt(marginals, s) {
		return marginals, s.path, nil
	}
	path, err = c.best(logits, s)
	return marginals, path, err
}

// beyondDoubt puts the most probable label of each word into the path and reports whether that
// is the best sequence beyond doubt, as it is for nearly every sentence. Whatever label
// is elsewhere in a sequence, it has less than what is left to that word: the
// sequence has at least 1 less all of these, and with more than one half no other one
// can have as much.
func (c *chain) beyondDoubt(marginals []float64, s *chainScratch) bool {
	n := c.labels
	words := len(marginals) / n
	s.path = zeroed(s.path, words)
	left := 0.5 - 1e-6 // for rounding
	for w := range words {
		row, best := marginals[w*n:(w+1)*n], 0
		for j, p := range row {
			if p > row[best] {
				best = j
			}
		}
		s.path[w] = best
		if left -= 1 - row[best]; left < 0 {
			return false
		}
	}
	return true
}
