package merge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const rangeEnd = 12 // of the small texts that all ranges are tried on

// bits returns the places of ranges as a set.
func bits(ranges ...phi.Range) uint32 {
	var set uint32
	for _, r := range ranges {
		for i := r.Start; i < r.End; i++ {
			set |= 1 << i
		}
	}
	return set
}

// everyRange returns all ranges of a small text that are not empty.
func everyRange() []phi.Range {
	var out []phi.Range
	for start := range rangeEnd {
		for end := start + 1; end <= rangeEnd; end++ {
			out = append(out, phi.Range{Start: start, End: end})
		}
	}
	return out
}

func TestWithinIsTheIntersection(t *testing.T) {
	t.Parallel()
	for _, r := range everyRange() {
		for _, limit := range everyRange() {
			if got, want := bits(within(r, limit)), bits(r)&bits(limit); got != want {
				t.Fatalf("%v within %v: %b, want %b", r, limit, got, want)
			}
		}
	}
}

func TestCoverIsTheSmallestRange(t *testing.T) {
	t.Parallel()
	empty := phi.Range{Start: 5, End: 5}
	for _, a := range everyRange() {
		if cover(a, empty) != a || cover(empty, a) != a {
			t.Fatalf("an empty range widens %v", a)
		}
		for _, b := range everyRange() {
			got := cover(a, b)
			if bits(got)&(bits(a)|bits(b)) != bits(a)|bits(b) || got.Start != min(a.Start, b.Start) || got.End != max(a.End, b.End) {
				t.Fatalf("%v covers %v and %v", got, a, b)
			}
		}
	}
}

// What is left of ranges after cuts is what no cut holds, sorted and without empty ranges.
func TestSubtract(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 5))
	every := everyRange()
	for range 2000 {
		start := every[rng.IntN(len(every))]
		left, want := []phi.Range{start}, bits(start)
		for range rng.IntN(4) {
			cut := every[rng.IntN(len(every))]
			left = subtract(left, cut)
			want &^= bits(cut)
		}
		if bits(left...) != want {
			t.Fatalf("%v: %b is left, want %b", start, bits(left...), want)
		}
		for i, r := range left {
			if r.Start >= r.End || i > 0 && r.Start < left[i-1].End {
				t.Fatalf("%v: %v", start, left)
			}
		}
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Ann": "Ann", " Ann, ": "Ann", "(617) 555": "617) 555", "--": "", "": "", "é!": "é", "…李 小龙。": "李 小龙", "A.B.": "A.B", "'s": "s", "\n7\n": "7",
	} {
		if got := trim(s, phi.Range{Start: 0, End: len(s)}); s[got.Start:got.End] != want {
			t.Errorf("%q: %q, want %q", s, s[got.Start:got.End], want)
		}
	}
}

// Trimming keeps within its range and on the borders of runes, and trims nothing the second time.
func FuzzTrim(f *testing.F) {
	f.Add("…é, Ann!", 0, 11)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, s string, start, end int) {
		if !utf8.ValidString(s) || start < 0 || end > len(s) || start > end || !onBorder(s, start) || !onBorder(s, end) {
			t.Skip()
		}
		r := trim(s, phi.Range{Start: start, End: end})
		if r.Start < start || r.End > end || r.Start > r.End || !onBorder(s, r.Start) || !onBorder(s, r.End) {
			t.Fatalf("%v of [%d, %d) in %q", r, start, end, s)
		}
		if again := trim(s, r); again != r {
			t.Fatalf("%v, then %v of %q", r, again, s)
		}
	})
}

func onBorder(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

func TestProbabilityAndLogOddsAreInverse(t *testing.T) {
	t.Parallel()
	for p := Least; p <= 1-Least; p += .01 {
		if got := Probability(LogOdds(p)); math.Abs(got-p) > 1e-9 {
			t.Errorf("%g comes back as %g", p, got)
		}
	}
	for _, p := range []float64{-1, 0, Least / 2} {
		if LogOdds(p) != LogOdds(Least) || LogOdds(1-p) != LogOdds(1-Least) {
			t.Errorf("%g is beyond the limits", p)
		}
	}
	if logOdds(0) >= LogOdds(0) || math.IsInf(logOdds(0), 0) || math.IsInf(logOdds(1), 0) {
		t.Errorf("log-odds of 0 and 1: %g, %g", logOdds(0), logOdds(1))
	}
}

// A pool does not depend on the order of the members, and holds each token of any of them once.
func TestPoolOfAnyOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 7))
	for range 100 {
		members := []*Posterior{chance(rng, 20), chance(rng, 20), chance(rng, 20)}
		want := Pool(members)
		slices.Reverse(members)
		got := Pool(members)
		if !slices.Equal(got.Types, want.Types) || !slices.Equal(got.Tokens, want.Tokens) || !slices.IsSorted(got.Tokens) {
			t.Fatalf("types %v and %v, tokens %v and %v", got.Types, want.Types, got.Tokens, want.Tokens)
		}
		tokens := map[int32]bool{}
		for _, m := range members {
			for _, at := range m.Tokens {
				tokens[at] = true
			}
		}
		if len(tokens) != want.Len() {
			t.Fatalf("%d tokens in the pool, %d in its members", want.Len(), len(tokens))
		}
		for i := range want.Len() {
			total := float32(0)
			for c, p := range want.Row(i) {
				if q := got.Row(i)[c]; math.Abs(float64(p-q)) > 1e-6 {
					t.Fatalf("token %d: %g and %g", want.Tokens[i], p, q)
				}
				total += p
			}
			if total > 1.0001 {
				t.Fatalf("token %d: probabilities add up to %g", want.Tokens[i], total)
			}
		}
	}
}

func TestTypesOf(t *testing.T) {
	t.Parallel()
	a, b := &Posterior{Types: []phi.Type{phi.Date, phi.Patient}}, &Posterior{Types: []phi.Type{phi.Patient, phi.City}}
	got := typesOf([]*Posterior{a, b})
	if !slices.IsSorted(got) || len(got) != 3 {
		t.Errorf("types %v", got)
	}
	if !slices.Equal(a.Types, []phi.Type{phi.Date, phi.Patient}) {
		t.Error("a member's types changed")
	}
}

func TestAggregationsAreDistinct(t *testing.T) {
	t.Parallel()
	all := Aggregations()
	if all[0] != ByCombination {
		t.Errorf("the default is %s", all[0])
	}
	seen := map[Aggregation]bool{}
	for _, a := range all {
		if a == "" || seen[a] {
			t.Errorf("%q is listed twice or empty", a)
		}
		seen[a] = true
	}
}

// A span of one source that is unsure counts with a vote of another source alone, a sure one always.
func TestCountsBySource(t *testing.T) {
	t.Parallel()
	v := &Voters{}
	v.Sources[0], v.Sources[1], v.Sources[2] = 0b011, 0b011, 0b100
	for _, c := range []struct {
		span      phi.Span
		threshold int
		want      bool
	}{
		{phi.Span{By: 0b001}, 1, true},
		{phi.Span{By: 0b001}, 2, false},
		{phi.Span{By: 0b001, Sure: true}, 9, true},
		{phi.Span{By: 0b001}, 0, true},
		{phi.Span{By: 0b011, Tentative: true}, 1, false},
		{phi.Span{By: 0b101, Tentative: true}, 1, true},
		{phi.Span{By: 0b101, Tentative: true}, 3, false},
		{phi.Span{By: 0b100, Tentative: true}, 0, true},
	} {
		if got := v.Counts(c.span, c.threshold); got != c.want {
			t.Errorf("%+v at %d: %t", c.span, c.threshold, got)
		}
	}
}
