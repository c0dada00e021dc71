package fit

import (
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
)

// regression is a logistic regression with an intercept, whose weights are regularised towards a
// prior and never negative.
type regression struct {
	prior []float64 // of the weights
	l2    float64   // strength of the regularisation
}

const (
	mostSweeps = 5000
	converged  = 1e-8 // the longest step of the last sweep
)

// fit returns the weights and the intercept. It moves one weight at a time by Newton's step, no
// further than twice the step before, so that none overshoots for long.
func (r *regression) fit(rows [][]float64, gold []bool) (weights []float64, bias float64) {
	n := len(r.prior)
	w := append(slices.Clone(r.prior), 0)
	limits := slices.Repeat([]float64{1}, n+1)
	odds := make([]float64, len(rows))
	for i, row := range rows {
		odds[i] = logit(w, row)
	}
	for range mostSweeps {
		longest := 0.0
		for k := range w {
			step := min(max(r.step(w, k, rows, gold, odds), -limits[k]), limits[k])
			if k < n {
				step = max(step, -w[k])
			}
			limits[k] = max(2*math.Abs(step), limits[k]/2)
			longest = max(longest, math.Abs(step))
			w[k] += step
			for i, row := range rows {
				odds[i] += step * feature(row, k)
			}
		}
		if longest < converged {
			break
		}
	}
	return w[:n], w[n]
}

// step returns Newton's step of weight k towards the lowest loss, given the log-odds of the rows.
func (r *regression) step(w []float64, k int, rows [][]float64, gold []bool, odds []float64) float64 {
	slope, curve := 0.0, 1e-9
	if k < len(r.prior) {
		slope, curve = r.l2*(w[k]-r.prior[k]), r.l2
	}
	for i, row := range rows {
		p, x := merge.Probability(odds[i]), feature(row, k)
		curve += p * (1 - p) * x * x
		if gold[i] {
			p--
		}
		slope += p * x
	}
	return -slope / curve
}

// feature returns what weight k is multiplied by; the last weight is the intercept.
func feature(row []float64, k int) float64 {
	if k == len(row) {
		return 1
	}
	return row[k]
}

func logit(w, row []float64) float64 {
	z := 0.0
	for k := range w {
		z += w[k] * feature(row, k)
	}
	return z
}
