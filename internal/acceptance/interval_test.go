package acceptance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// TestExact compares with tables of the Clopper-Pearson interval.
func TestExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ bad, n, low, high float64 }{
		{0, 10, 0, .3085},
		{1, 10, .0025, .4450},
		{5, 10, .1871, .8129},
		{10, 10, .6915, 1},
		{0, 100, 0, .0362},
		{3, 300, .0021, .0289},
		{10, 1000, .0048, .0183},
		{0, 0, 0, 1},
	} {
		got := Exact(c.bad, c.n, .95)
		near(t, "low", got.Low, c.low, 5e-5)
		near(t, "high", got.High, c.high, 5e-5)
	}
}

// TestExactCovers adds up the probabilities of all outcomes whose interval covers the truth.
func TestExactCovers(t *testing.T) {
	t.Parallel()
	for _, n := range []float64{5, 30, 120} {
		for _, truth := range []float64{.001, .01, .1, .37, .5, .93, .999} {
			covered := 0.0
			for bad := 0.0; bad <= n; bad++ {
				if Exact(bad, n, .95).Covers(truth) {
					covered += atMost(bad, n, truth) - before(bad, n, truth)
				}
			}
			if covered < .95-1e-9 {
				t.Errorf("of %v with %v: covered with probability %v", n, truth, covered)
			}
		}
	}
}

func before(bad, n, rate float64) float64 {
	if bad == 0 {
		return 0
	}
	return atMost(bad-1, n, rate)
}

// equal returns clusters of a size, the first of them with these bad items.
func equal(n int, items float64, bad ...float64) []Cluster {
	out := make([]Cluster, n)
	for i := range out {
		out[i].Items = items
		if i < len(bad) {
			out[i].Bad = bad[i]
		}
	}
	return out
}

func TestRuleOfThree(t *testing.T) {
	t.Parallel()
	for _, n := range []int{100, 300, 1000} {
		bound := stringer(equal(n, 7), .05)
		near(t, "bound without a miss", bound, 1-math.Pow(.05, 1/float64(n)), 1e-9)
		near(t, "rule of three", bound*float64(n), 3, .05)
	}
	for name, interval := range map[string]Interval{
		"bounded": Bounded(equal(300, 7), .95), "robust": Robust(equal(300, 7), 2100, .95),
	} {
		near(t, name+" low", interval.Low, 0, 0)
		near(t, name+" high", interval.High, 1-math.Pow(.025, 1./300), 1e-9)
	}
}

// TestStringer compares with the bound as auditors work it out: the steps of the upper bounds of 0, 1 and 2 errors
// among 100, times the shares that are wrong.
func TestStringer(t *testing.T) {
	t.Parallel()
	clusters := equal(100, 4, 1, 2)
	near(t, "bound", stringer(clusters, .05), .02951+(.04656-.02951)*.5+(.06162-.04656)*.25, 1e-5)
	slices.Reverse(clusters)
	near(t, "in another order", stringer(clusters, .05), .04180, 1e-5)
}

func TestWholeClustersAreExact(t *testing.T) {
	t.Parallel()
	for _, bad := range [][]float64{{}, {6}, {6, 6, 6}, {6, 6, 6, 6, 6, 6, 6, 6, 6, 6}} {
		want := Exact(float64(len(bad)), 40, .95)
		got := Bounded(equal(40, 6, bad...), .95)
		near(t, "low", got.Low, want.Low, 1e-9)
		near(t, "high", got.High, want.High, 1e-9)
	}
	all := Bounded(equal(10, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), .95)
	near(t, "all bad", all.High, 1, 0)
	near(t, "all bad, low", all.Low, Exact(10, 10, .95).Low, 1e-9)
}

// TestMoreMissesNeverHelp makes things worse step by step: no step may improve a bound.
func TestMoreMissesNeverHelp(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	for range 50 {
		clusters := make([]Cluster, 20+rng.IntN(60))
		for i := range clusters {
			clusters[i].Items = float64(1 + rng.IntN(12))
		}
		last := Bounded(clusters, .95)
		for range 60 {
			c := &clusters[rng.IntN(len(clusters))]
			c.Bad = min(c.Items, c.Bad+1)
			now := Bounded(clusters, .95)
			if now.High < last.High-1e-12 || now.Low < last.Low-1e-12 {
				t.Fatalf("a miss more leads from %v to %v", last, now)
			}
			last = now
		}
	}
}

func TestRobust(t *testing.T) {
	t.Parallel()
	spread, bunched := make([]float64, 30), []float64{10, 10, 10}
	for i := range spread {
		spread[i] = 1
	}
	exact := Exact(30, 3000, .95)
	lone, bunch := Robust(equal(300, 10, spread...), 3000, .95), Robust(equal(300, 10, bunched...), 3000, .95)
	near(t, "misses one by one", lone.High, exact.High, 2e-3)
	if bunch.High < 1.5*exact.High || bunch.Low > exact.Low {
		t.Errorf("misses in bunches of ten: %v, exact %v", bunch, exact)
	}
	want := Exact(3, 300, .95)
	near(t, "whole clusters", bunch.High, want.High, 1e-3)
	for _, none := range [][]Cluster{nil, {{5, 1}}, {{0, 0}, {0, 0}}} {
		if got := Robust(none, 5, .95); got != anything {
			t.Errorf("of %v: %v", none, got)
		}
	}
}

func TestEffective(t *testing.T) {
	t.Parallel()
	near(t, "equal", effective(equal(12, 3.5)), 12, 1e-9)
	near(t, "one large", effective([]Cluster{{100, 0}, {1, 0}, {1, 0}}), 1.04, .01)
	near(t, "none", effective(nil), 0, 0)
	if got := Bounded(nil, .95); got != anything {
		t.Errorf("of nothing: %v", got)
	}
}
