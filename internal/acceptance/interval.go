package acceptance

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a two-sided confidence interval of a share.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Covers reports whether the share is in the interval.
func (i Interval) Covers(share float64) bool { return i.Low <= share && share <= i.High }

// complement returns the interval of what is left of 1.
func (i Interval) complement() Interval { return Interval{1 - i.High, 1 - i.Low} }

// anything is the interval of a share of which nothing was seen.
var anything = Interval{0, 1}

// upper returns the upper bound, exceeded with probability tail, of a share of which bad of n were
// seen. It is a quantile of the beta distribution, so that n may be an effective size.
func upper(bad, n, tail float64) float64 {
	if bad >= n {
		return 1
	}
	return mathext.InvRegIncBeta(bad+1, n-bad, 1-tail)
}

// Exact returns Clopper and Pearson's interval of a share of which bad of n were seen.
func Exact(bad, n, confidence float64) Interval {
	if n <= 0 {
		return anything
	}
	tail := (1 - confidence) / 2
	return Interval{1 - upper(n-bad, n, tail), upper(bad, n, tail)}
}

// Cluster is what was seen of one patient: items, and those of them that are bad. A note that stands for
// several of the population counts as often.
type Cluster struct{ Items, Bad float64 }

func (c Cluster) share() float64 { return c.Bad / c.Items }

// total adds up clusters.
func total(clusters []Cluster) (sum Cluster) {
	for _, c := range clusters {
		sum.Items += c.Items
		sum.Bad += c.Bad
	}
	return sum
}

// effective returns the number of clusters of one size that say as much as these about a share of
// clusters (Kish 1965, section 11.7).
func effective(clusters []Cluster) float64 {
	var sum, squares float64
	for _, c := range clusters {
		sum += c.Items
		squares += c.Items * c.Items
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares
}

// Robust returns Korn and Graubard's interval of the share of bad items, where seen is the
// number of items without weights. Without a bad item, or without a good one, nothing is known of how they bunch,
// and whole clusters are taken for the observations.
func Robust(clusters []Cluster, seen, confidence float64) Interval {
	sum, n := total(clusters), float64(len(clusters))
	if sum.Items == 0 || n < 2 {
		return anything
	}
	share := sum.share()
	variance := ratioVariance(clusters, sum)
	size := effective(clusters)
	if variance > 0 && seen > 1 {
		tail := (1 - confidence) / 2
		t := quantile(seen-1, tail) / quantile(n-1, tail)
		size = min(seen, share*(1-share)/variance*t*t)
	}
	return Exact(share*size, size, confidence)
}

// ratioVariance is the linearised variance of a ratio of two totals over clusters.
func ratioVariance(clusters []Cluster, sum Cluster) float64 {
	squares, n := 0.0, float64(len(clusters))
	for _, c := range clusters {
		residual := c.Bad - sum.share()*c.Items
		squares += residual * residual
	}
	return squares * n / (n - 1) / (sum.Items * sum.Items)
}

// quantile returns what Student's t with these degrees of freedom exceeds with probability tail.
func quantile(freedom, tail float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - tail)
}

// Bounded returns Stringer's interval of the share of bad items. Its lower bound is what his upper
// bound leaves to the good ones.
func Bounded(clusters []Cluster, confidence float64) Interval {
	good := make([]Cluster, len(clusters))
	for i, c := range clusters {
		good[i] = Cluster{c.Items, c.Items - c.Bad}
	}
	tail := (1 - confidence) / 2
	return Interval{1 - stringer(good, tail), stringer(clusters, tail)}
}

// stringer returns the upper bound of a share: what bounds the share of bad clusters if none was seen, and for
// each cluster with bad items, worst first, as much of what its step adds as its share of bad items. Clusters of
// different sizes count by their size, and all of them as many as [effective] says.
func stringer(clusters []Cluster, tail float64) float64 {
	n, items := effective(clusters), total(clusters).Items
	if n == 0 {
		return 1
	}
	var bad []Cluster
	for _, c := range clusters {
		if c.Bad > 0 {
			bad = append(bad, c)
		}
	}
	slices.SortFunc(bad, func(a, b Cluster) int { return cmp.Compare(b.share(), a.share()) })
	before := upper(0, n, tail)
	bound, seen := before, 0.0
	for i, c := range bad {
		seen += c.Items
		if i+1 < len(bad) && bad[i+1].share() == c.share() {
			continue
		}
		now := 1.0
		if i+1 < len(clusters) {
			now = upper(n*seen/items, n, tail)
		}
		bound += (now - before) * c.share()
		before = now
	}
	return min(bound, 1)
}
