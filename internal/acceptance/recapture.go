package acceptance

import "math"

// Recapture is what two reviewers found missing in the same notes without seeing each other's marks:
// by each, and by both. From how much of one's finds the other has as well follows how much neither has.
// It is a caution and no proof: two persons overlook the same things more often than by chance, so
// that more is left than it says.
type Recapture struct {
	First  int `json:"first"`
	Second int `json:"second"`
	Both   int `json:"both"`
}

// Found is what at least one of them found.
func (r Recapture) Found() int { return r.First + r.Second - r.Both }

// Unseen returns Chapman's estimate of how many missed identifiers neither found, with
// Chao's log-normal interval. It is one of 95% where finds are many; of some dozens, it covers the truth in
// seven samples of eight.
func (r Recapture) Unseen() (estimate float64, interval Interval) {
	first, second, both := float64(r.First), float64(r.Second), float64(r.Both)
	all := (first+1)*(second+1)/(both+1) - 1
	unseen := all - float64(r.Found())
	if unseen <= 0 {
		return 0, Interval{}
	}
	variance := (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) * (both + 1) * (both + 2))
	spread := math.Exp(1.96 * math.Sqrt(math.Log(1+variance/(unseen*unseen))))
	return unseen, Interval{unseen / spread, unseen * spread}
}

// Recall returns the share of identifiers that the program found, if present ones were found by
// it or by the reviewers, and what neither saw is added: the estimate, and its lower bound.
func (r Recapture) Recall(present int) (estimate, low float64) {
	unseen, interval := r.Unseen()
	with := func(unseen float64) float64 {
		all := float64(present) + unseen
		if all == 0 {
			return 1
		}
		return float64(present-r.Found()) / all
	}
	return with(unseen), with(interval.High)
}
