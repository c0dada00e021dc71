package plan

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

func TestFit(t *testing.T) {
	t.Parallel()
	last := math.Inf(1)
	for _, share := range []float64{0.01, 0.1, 0.226, 0.5, 0.9} {
		for _, n := range []float64{1e4, 1e7, 3.1e9} {
			law, err := Fit(n, share*n)
			if err != nil {
				t.Fatal(err)
			}
			if got := law.Distinct(n) / n; math.Abs(got-share) > 0.005 {
				t.Errorf("%g sentences of which %g%% are distinct: the law says %g%%", n, 100*share, 100*got)
			}
			if n == 3.1e9 {
				if law.Exponent >= last {
					t.Errorf("the more are distinct the flatter is the law: %g at %g, %g before", law.Exponent, share, last)
				}
				last = law.Exponent
			}
		}
	}
	for _, share := range []float64{0, -1, 1, 2, math.NaN()} {
		if _, err := Fit(1e6, share*1e6); !errors.Is(err, ErrDistinct) {
			t.Errorf("share %g: %v", share, err)
		}
	}
}

// draw returns a sentence by a law: which one, as a number.
func (l *Law) draw(rnd *rand.Rand, sums []float64) uint64 {
	i := min(sort.SearchFloat64s(sums, rnd.Float64()*sums[len(sums)-1]), len(sums)-1)
	return uint64(i)<<48 | uint64(rnd.Float64()*l.steps[i].sentences)
}

func (l *Law) sums() []float64 {
	sums := make([]float64, len(l.steps))
	total := 0.0
	for i, s := range l.steps {
		total += s.sentences * s.each
		sums[i] = total
	}
	return sums
}

// What the law says of a cache is what a cache does, also of one that never fills up: a thousandth of the paper's
// sentences, and of a cache as each process has it.
func TestHitsAreThoseOfACache(t *testing.T) {
	t.Parallel()
	const sentences = 310_000
	law, err := Fit(sentences, 70_000)
	if err != nil {
		t.Fatal(err)
	}
	sums := law.sums()
	for _, kept := range []int{10, 100, 1000, 10_000, 1_000_000} {
		rnd := rand.New(rand.NewPCG(5, 7))
		cache, err := simplelru.NewLRU[uint64, struct{}](kept, nil)
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for range sentences {
			key := law.draw(rnd, sums)
			if _, ok := cache.Get(key); ok {
				hits++
				continue
			}
			cache.Add(key, struct{}{})
		}
		got, want := law.Hits(sentences, float64(kept)), float64(hits)/sentences
		if math.Abs(got-want) > 0.015 {
			t.Errorf("%d kept: %.4f by the law, %.4f by a cache", kept, got, want)
		}
	}
}

// More machines never know more, and larger caches never less.
func TestHitsAreMonotonous(t *testing.T) {
	t.Parallel()
	law, err := Fit(3.1e9, 700e6)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []float64{1e5, 1e6, 1e7, 1e12} {
		last := 1.0
		for _, machines := range []float64{1, 4, 16, 256} {
			got := law.Hits(3.1e9/machines, kept)
			if got > last+1e-9 || got < law.Hits(3.1e9/machines, kept/2)-1e-9 || got <= 0 || got >= 1 {
				t.Errorf("%g kept by each of %g machines: %g, %g with fewer", kept, machines, got, last)
			}
			last = got
		}
	}
}
