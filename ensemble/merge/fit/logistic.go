package fit

import "math"

// regression is a logistic regression with an intercept, whose weights are regularised towards a
// prior and never negative.
type regression struct {
	prior []float64 // of the weights
	l2    float64   // strength of the regularisation
	fixed []bool    // weights that stay at 0
}

const (
	newtonSteps = 100
	converged   = 1e-9
)

// fit returns the weights and the intercept. Rows are the features of the examples.
func (r *regression) fit(rows [][]float64, gold []bool) (weights []float64, bias float64) {
	r.fixed = make([]bool, len(r.prior))
	for {
		w := r.newton(rows, gold)
		lowest := -1
		for i := range r.prior {
			if w[i] < 0 && (lowest < 0 || w[i] < w[lowest]) {
				lowest = i
			}
		}
		if lowest < 0 {
			return w[:len(r.prior)], w[len(r.prior)]
		}
		r.fixed[lowest] = true
	}
}

// newton minimises the loss; the last value returned is the intercept.
func (r *regression) newton(rows [][]float64, gold []bool) []float64 {
	n := len(r.prior) + 1
	w := make([]float64, n)
	copy(w, r.prior)
	for i, fixed := range r.fixed {
		if fixed {
			w[i] = 0
		}
	}
	loss := r.loss(w, rows, gold)
	for range newtonSteps {
		step := solve(r.derivatives(w, rows, gold))
		next, better := w, loss
		for scale := 1.0; scale > 1e-6; scale /= 2 {
			trial := make([]float64, n)
			for i := range w {
				trial[i] = w[i] - scale*step[i]
			}
			if l := r.loss(trial, rows, gold); l < better {
				next, better = trial, l
				break
			}
		}
		if loss-better < converged*(1+loss) {
			return next
		}
		w, loss = next, better
	}
	return w
}

func (r *regression) loss(w []float64, rows [][]float64, gold []bool) float64 {
	sum := 0.0
	for i, p := range r.prior {
		sum += r.l2 / 2 * (w[i] - p) * (w[i] - p)
	}
	for i, row := range rows {
		z := logit(w, row)
		if gold[i] {
			z = -z
		}
		sum += softplus(z)
	}
	return sum
}

// softplus is log(1 + exp(z)).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

func logit(w, row []float64) float64 {
	z := w[len(row)]
	for i, x := range row {
		z += w[i] * x
	}
	return z
}

// derivatives returns the first and the second derivatives of the loss.
func (r *regression) derivatives(w []float64, rows [][]float64, gold []bool) (first []float64, second [][]float64) {
	n := len(w)
	first, second = make([]float64, n), make([][]float64, n)
	for i := range second {
		second[i] = make([]float64, n)
		second[i][i] = 1e-9
	}
	x := make([]float64, n)
	x[n-1] = 1
	for i, row := range rows {
		copy(x, row)
		p := 1 / (1 + math.Exp(-logit(w, row)))
		y := 0.0
		if gold[i] {
			y = 1
		}
		for a := range x {
			first[a] += (p - y) * x[a]
			for b := range a + 1 {
				second[a][b] += p * (1 - p) * x[a] * x[b]
			}
		}
	}
	for a := range n {
		for b := range a {
			second[b][a] = second[a][b]
		}
	}
	for i, p := range r.prior {
		first[i] += r.l2 * (w[i] - p)
		second[i][i] += r.l2
		if r.fixed[i] {
			first[i] = 0
			for a := range n {
				second[i][a], second[a][i] = 0, 0
			}
			second[i][i] = 1
		}
	}
	return first, second
}

// solve returns x with m·x = y, by elimination with pivots; m is symmetric and positive.
func solve(y []float64, m [][]float64) []float64 {
	n := len(y)
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		m[c], m[pivot], y[c], y[pivot] = m[pivot], m[c], y[pivot], y[c] //nolint:gosec // both have n rows
		for r := c + 1; r < n; r++ {
			f := m[r][c] / m[c][c] //nolint:gosec // m has n rows
			for k := c; k < n; k++ {
				m[r][k] -= f * m[c][k] //nolint:gosec // m has n rows
			}
			y[r] -= f * y[c] //nolint:gosec // y has n rows
		}
	}
	for c := n - 1; c >= 0; c-- {
		for k := c + 1; k < n; k++ {
			y[c] -= m[c][k] * y[k]
		}
		y[c] /= m[c][c]
	}
	return y
}
