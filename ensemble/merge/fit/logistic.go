package fit

import (
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
)

// regression is a logistic regression whose weights are regularised towards a prior and never
// negative, with an intercept, the last weight, which is free: of each row the last feature is 1.
type regression struct {
	prior []float64 // of the weights but the intercept
	l2    float64   // strength of the regularisation
}

const (
	mostSweeps = 5000
	converged  = 1e-8 // the longest step of the last sweep
)

// fit returns the weights. It moves one weight at a time by Newton's step, no further than twice
// the step before, so that none overshoots for long.
func (r *regression) fit(examples []example) []float64 {
	w := append(slices.Clone(r.prior), 0)
	limits := slices.Repeat([]float64{1}, len(w))
	odds := make([]float64, len(examples))
	for i, e := range examples {
		odds[i] = dot(w, e.features)
	}
	for range mostSweeps {
		longest := 0.0
		for k := range w {
			step := min(max(r.step(w, k, examples, odds), -limits[k]), limits[k])
			if k < len(r.prior) {
				step = max(step, -w[k])
			}
			limits[k] = max(2*math.Abs(step), limits[k]/2)
			longest = max(longest, math.Abs(step))
			w[k] += step
			for i, e := range examples {
				odds[i] += step * e.features[k]
			}
		}
		if longest < converged {
			break
		}
	}
	return w
}

// step returns Newton's step of weight k towards the lowest loss, given the log-odds of the examples.
func (r *regression) step(w []float64, k int, examples []example, odds []float64) float64 {
	slope, curve := 0.0, 1e-9
	if k < len(r.prior) {
		slope, curve = r.l2*(w[k]-r.prior[k]), r.l2
	}
	for i, e := range examples {
		p, x := merge.Probability(odds[i]), e.features[k]
		curve += p * (1 - p) * x * x
		if e.gold {
			p--
		}
		slope += p * x
	}
	return -slope / curve
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
