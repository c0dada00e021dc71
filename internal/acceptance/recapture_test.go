package acceptance

import (
	"math/rand/v2"
	"testing"
)

func TestRecapture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r                      Recapture
		unseen, recall, lowest float64
		present                int
	}{
		{Recapture{}, 0, 1, 1, 0},
		{Recapture{}, 0, 1, 1, 200},
		{Recapture{5, 5, 5}, 0, .95, .95, 100},
		{Recapture{5, 3, 3}, 0, .95, .95, 100},
		{Recapture{10, 8, 6}, 11*9./7 - 1 - 12, 188 / (200 + 1.142857), .93, 200},
		{Recapture{3, 4, 0}, 12, 93 / 112., .8, 100},
	} {
		unseen, interval := c.r.Unseen()
		near(t, "unseen", unseen, c.unseen, 1e-9)
		if unseen < interval.Low || unseen > interval.High {
			t.Errorf("%+v: %v is outside of %v", c.r, unseen, interval)
		}
		recall, low := c.r.Recall(c.present)
		near(t, "recall", recall, c.recall, 1e-6)
		if low > recall || c.unseen == 0 && low != recall {
			t.Errorf("%+v: recall %v, at least %v", c.r, recall, low)
		}
	}
}

// TestRecaptureOfPlantedMisses has two reviewers who overlook one missed identifier in four, each
// for himself: on average the estimate is what is there, while what they found is less.
func TestRecaptureOfPlantedMisses(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	const runs, misses = 400, 60
	estimated, found, covered := 0.0, 0.0, 0
	for range runs {
		var r Recapture
		for range misses {
			a, b := rng.Float64() < .75, rng.Float64() < .75
			if a {
				r.First++
			}
			if b {
				r.Second++
			}
			if a && b {
				r.Both++
			}
		}
		unseen, interval := r.Unseen()
		estimated += (float64(r.Found()) + unseen) / runs
		found += float64(r.Found()) / runs
		if interval.Covers(float64(misses - r.Found())) {
			covered++
		}
	}
	near(t, "estimate", estimated, misses, .5)
	if found > misses-3 {
		t.Errorf("the reviewers found %v of %v: nothing was to be estimated", found, misses)
	}
	if covered < runs*85/100 {
		t.Errorf("the interval covers the truth in %d of %d runs", covered, runs)
	}
}
