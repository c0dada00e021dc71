package acceptance

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Claim is what a sample is to prove: that the share of identifiers that were found is at least Recall, with
// a probability of at most 1-Confidence of saying so wrongly.
type Claim struct {
	Recall     float64 `json:"recall"`
	Confidence float64 `json:"confidence"`
}

// Expectation is what is assumed before the first note is read. Wrong assumptions cost effort, or end
// without a proof; they never prove anything.
type Expectation struct {
	Recall  float64 `json:"recall"`   // the true one, above that of the claim
	Power   float64 `json:"power"`    // probability of proving the claim if so
	PerNote float64 `json:"per_note"` // identifiers in a note
	Spread  float64 `json:"spread"`   // standard deviation of PerNote as a share of it
	Bunch   float64 `json:"bunch"`    // identifiers missed together where one is missed, at least 1
}

// Size is a sample that proves a claim with the expected power.
type Size struct {
	Notes int `json:"notes"`
	// Missed is how many missed identifiers the claim bears, in bunches as expected.
	Missed int `json:"missed"`
}

// Sizes are what the three intervals of an estimate need.
type Sizes struct {
	Exact   Size `json:"exact"`
	Robust  Size `json:"robust"`
	Bounded Size `json:"bounded"` // by which claims are judged
}

// maxBad bounds the search for sizes: a claim that needs more is too close to what is expected.
const maxBad = 20_000

// Sizes returns how many notes have to be read for the claim.
func (c Claim) Sizes(e Expectation) (Sizes, error) {
	if err := errors.Join(c.check(), e.check()); err != nil {
		return Sizes{}, err
	}
	if e.Recall <= c.Recall {
		return Sizes{}, fmt.Errorf("an expected recall of %v cannot prove one of %v: expect more, or claim less", e.Recall, c.Recall)
	}
	items, missed, err := c.smallest(1-e.Recall, 1, e.Power)
	if err != nil {
		return Sizes{}, err
	}
	share := min(1, e.Bunch/e.PerNote)
	notes, badNotes, err := c.smallest(min(1, (1-e.Recall)/share), share, e.Power)
	if err != nil {
		return Sizes{}, err
	}
	// The design effect of bunches of one size is that size: the variance of a sum of bunches is
	// their number times the square of their size.
	round := func(x float64) int { return int(math.Ceil(x - 1e-9)) }
	return Sizes{
		Exact:   Size{round(items / e.PerNote), round(missed)},
		Robust:  Size{round(items * e.Bunch / e.PerNote), round(missed * e.Bunch)},
		Bounded: Size{round(notes * (1 + e.Spread*e.Spread)), round(badNotes * min(e.Bunch, e.PerNote))},
	}, nil
}

func (c Claim) check() error {
	if !within(c.Recall) || !within(c.Confidence) || c.Confidence < .5 {
		return fmt.Errorf("recall %v with confidence %v is no claim: recall lies between 0 and 1, confidence between 0.5 and 1",
			c.Recall, c.Confidence)
	}
	return nil
}

func (e Expectation) check() error {
	switch {
	case !within(e.Recall):
		return fmt.Errorf("expected recall %v: want one between 0 and 1", e.Recall)
	case !within(e.Power):
		return fmt.Errorf("power %v: want one between 0 and 1", e.Power)
	case !(e.PerNote > 0) || math.IsInf(e.PerNote, 0):
		return fmt.Errorf("%v identifiers per note: a sample of notes without any proves nothing", e.PerNote)
	case !(e.Spread >= 0) || math.IsInf(e.Spread, 0):
		return fmt.Errorf("spread %v: want 0 or more", e.Spread)
	case !(e.Bunch >= 1) || math.IsInf(e.Bunch, 0):
		return fmt.Errorf("bunches of %v: want 1 or more", e.Bunch)
	}
	return nil
}

// within excludes the bounds, and NaN.
func within(share float64) bool { return share > 0 && share < 1 }

// smallest returns the fewest observations, and how many bad ones among them, with which the claim is
// proven with a probability of power, where each observation is bad with a probability of rate and a bad one is bad
// by share. Samples that bear more bad ones are larger and likelier to prove it, but for the rounding.
func (c Claim) smallest(rate, share, power float64) (n, bad float64, err error) {
	likely := func(bad float64) bool { return atMost(bad, c.enough(bad, share), rate) >= power }
	if likely(0) {
		return c.enough(0, share), 0, nil
	}
	low, high := 0.0, 1.0
	for ; !likely(high); low, high = high, 2*high {
		if high > maxBad {
			return 0, 0, errors.New("the claim is too close to what is expected: no sample of a size that can be read proves it")
		}
	}
	high = least(low, high, likely)
	return c.enough(high, share), high, nil
}

// least returns the least whole step from low, where something is not so, to high, where it is.
func least(low, high float64, so func(float64) bool) float64 {
	for high-low > 1 {
		mid := math.Floor((low + high) / 2)
		if so(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// enough returns the fewest observations that prove the claim in spite of so many bad ones.
func (c Claim) enough(bad, share float64) float64 {
	tail := 1 - c.Confidence
	proves := func(n float64) bool {
		none := upper(0, n, tail)
		return none+(upper(bad, n, tail)-none)*share <= 1-c.Recall
	}
	high := bad + 1
	for !proves(high) {
		high *= 2
	}
	return math.Ceil(least(high/2, high, proves))
}

// atMost returns the probability of at most bad among n if each is bad with this rate.
func atMost(bad, n, rate float64) float64 {
	if bad >= n {
		return 1
	}
	return mathext.RegIncBeta(n-bad, bad+1, 1-rate)
}
