package acceptance

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestEnough compares with the tables of Wilks for tolerance limits.
func TestEnough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ recall, bad, want float64 }{
		{.95, 0, 59}, {.95, 1, 93}, {.95, 2, 124}, {.99, 0, 299}, {.99, 1, 473}, {.99, 2, 628}, {.999, 0, 2995},
	} {
		if got := (Claim{c.recall, .95}).enough(c.bad, 1); got != c.want {
			t.Errorf("recall %v in spite of %v: %v, want %v", c.recall, c.bad, got, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	claim := Claim{.99, .95}
	e := Expectation{Recall: .998, Power: .9, PerNote: 8, Bunch: 1}
	plain, err := claim.Sizes(e)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Exact != plain.Robust {
		t.Errorf("without bunches: exact %v, robust %v", plain.Exact, plain.Robust)
	}
	if plain.Bounded.Notes < 299 {
		t.Errorf("%d notes without a miss bound nothing by .99", plain.Bounded.Notes)
	}
	e.Bunch, e.Spread = 4, 1
	bunched, err := claim.Sizes(e)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := float64(bunched.Robust.Notes), 4*float64(plain.Robust.Notes); math.Abs(got-want) > 4 {
		t.Errorf("bunches of 4 need %v notes, want %v", got, want)
	}
	if bunched.Bounded.Notes <= 2*plain.Bounded.Notes {
		t.Errorf("bunches and spread: %d notes, without %d", bunched.Bounded.Notes, plain.Bounded.Notes)
	}
}

// TestSizesProve makes the sample that was planned, with as many misses as it bears: it proves the
// claim, and does not with one bunch more.
func TestSizesProve(t *testing.T) {
	t.Parallel()
	for _, e := range []Expectation{
		{Recall: .998, Power: .8, PerNote: 10, Bunch: 1},
		{Recall: .998, Power: .9, PerNote: 10, Bunch: 5},
		{Recall: .995, Power: .9, PerNote: 20, Bunch: 20},
	} {
		claim := Claim{.99, .95}
		sizes, err := claim.Sizes(e)
		if err != nil {
			t.Fatal(err)
		}
		n := sizes.Bounded.Notes
		bad := slices.Repeat([]float64{e.Bunch}, sizes.Bounded.Missed/int(e.Bunch))
		if low := 1 - stringer(equal(n, e.PerNote, bad...), .05); low < claim.Recall-1e-9 {
			t.Errorf("%+v: %d notes with %d missed prove %v", e, n, sizes.Bounded.Missed, low)
		}
		if low := 1 - stringer(equal(n, e.PerNote, append(bad, e.Bunch, e.Bunch)...), .05); low >= claim.Recall {
			t.Errorf("%+v: %d notes bear more than %d missed", e, n, sizes.Bounded.Missed)
		}
	}
}

func TestSizesRefuse(t *testing.T) {
	t.Parallel()
	good := Expectation{Recall: .999, Power: .9, PerNote: 8, Bunch: 1}
	with := func(change func(*Expectation)) Expectation {
		e := good
		change(&e)
		return e
	}
	for _, c := range []struct {
		claim Claim
		e     Expectation
		want  string
	}{
		{Claim{1, .95}, good, "no claim"},
		{Claim{.99, .3}, good, "no claim"},
		{Claim{math.NaN(), .95}, good, "no claim"},
		{Claim{.999, .95}, good, "cannot prove"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.Recall = 1 }), "expected recall"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.Power = 0 }), "power"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.PerNote = 0 }), "per note"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.Spread = math.NaN() }), "spread"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.Bunch = .5 }), "bunches"},
		{Claim{.99, .95}, with(func(e *Expectation) { e.Recall = .99001 }), "too close"},
	} {
		if _, err := c.claim.Sizes(c.e); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v %+v: %v, want %q", c.claim, c.e, err, c.want)
		}
	}
}

func TestAtMost(t *testing.T) {
	t.Parallel()
	near(t, "none of 10 at .1", atMost(0, 10, .1), math.Pow(.9, 10), 1e-12)
	near(t, "3 of 10 at .5", atMost(3, 10, .5), 176./1024, 1e-12)
	near(t, "all", atMost(10, 10, .5), 1, 0)
}
