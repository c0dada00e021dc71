package eval

import (
	"math/rand/v2"
	"slices"
)

const draws = 500

// bootstrap returns 95% intervals of a group's precision and recall: documents are
// drawn with replacement, from a fixed seed, so that a report can be reproduced.
func (s *Scorer) bootstrap(g Group, unmarked []Class) (precision, recall [2]float64) {
	n := len(s.notes)
	if n == 0 {
		return [2]float64{0, 1}, [2]float64{0, 1}
	}
	sums := make([]Counts, n)
	for i := range s.notes {
		for c, counts := range s.notes[i].words[g] {
			sums[i].add(judged(counts.wide(), Class(c), unmarked))
		}
	}
	rng := rand.New(rand.NewPCG(2014, uint64(g)))
	ps, rs := make([]float64, draws), make([]float64, draws)
	for d := range draws {
		var sum Counts
		for range n {
			sum.add(sums[rng.IntN(n)])
		}
		ps[d], rs[d] = sum.Precision(), sum.Recall()
	}
	return interval(ps), interval(rs)
}

func interval(xs []float64) [2]float64 {
	slices.Sort(xs)
	return [2]float64{xs[len(xs)*25/1000], xs[len(xs)*975/1000]}
}
