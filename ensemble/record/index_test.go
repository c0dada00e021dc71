package record

import (
	"math/rand/v2"
	"testing"
)

func TestIndexHoldsWhatWasEntered(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 15, 16, 200, 5000} {
		rng := rand.New(rand.NewPCG(1, uint64(size)))
		x := newIndex[int](0)
		held := map[uint64]int{}
		for n := range size {
			hash := rng.Uint64()
			held[hash] = n + 1
			x.values[hash] = n + 1
		}
		x.finish()
		for hash, want := range held {
			if got := x.get(hash); got != want {
				t.Errorf("%d values: %x holds %d, want %d", size, hash, got, want)
			}
		}
		for range 1000 {
			hash := rng.Uint64()
			if got := x.get(hash); got != held[hash] {
				t.Errorf("%d values: %x holds %d, want none", size, hash, got)
			}
		}
	}
}

// The bits in front of the map answer for most hashes that are not in it.
func TestIndexFilters(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 3))
	for _, size := range []int{10, 100, 1000, 10000} {
		x := newIndex[bool](size)
		for range size {
			x.values[rng.Uint64()] = true
		}
		x.finish()
		passed := 0
		const tried = 10000
		for range tried {
			hash := rng.Uint64()
			if x.filter[hash>>6&uint64(len(x.filter)-1)]&(1<<(hash&63)) != 0 {
				passed++
			}
		}
		if passed > tried/6 {
			t.Errorf("%d values: %d of %d other hashes pass the filter", size, passed, tried)
		}
	}
}
