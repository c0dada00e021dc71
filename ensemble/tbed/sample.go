package tbed

import (
	"iter"
	"math/rand/v2"
)

// Sample yields n examples drawn with equal probability; n of 0 yields all. The same seed gives
// the same sample.
func Sample(all iter.Seq2[Example, error], n int, seed uint64) iter.Seq2[Example, error] {
	if n <= 0 {
		return all
	}
	return func(yield func(Example, error) bool) {
		kept, err := reservoir(all, n, rand.New(rand.NewPCG(seed, 0))) //nolint:gosec // a drawing that can be done again, no secret
		if err != nil {
			yield(Example{}, err)
			return
		}
		for _, e := range kept {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// reservoir is Vitter's algorithm R (1985), which needs memory for the sample only.
func reservoir(all iter.Seq2[Example, error], n int, rng *rand.Rand) ([]Example, error) {
	kept := make([]Example, 0, n)
	met := 0
	for e, err := range all {
		if err != nil {
			return nil, err
		}
		met++
		if len(kept) < n {
			kept = append(kept, e)
		} else if at := rng.IntN(met); at < n {
			kept[at] = e
		}
	}
	return kept, nil
}
