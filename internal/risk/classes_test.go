package risk

import (
	"math"
	"slices"
	"testing"
)

func TestAnonymity(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sizes Sizes
		k     int64
		want  Anonymity
	}{
		"nobody":       {NewSizes(), 11, Anonymity{}},
		"one":          {NewSizes(Size{1, 1}), 11, Anonymity{Records: 1, Classes: 1, K: 1, Unique: 1, AtRisk: 1, Highest: 1, Average: 1}},
		"all alike":    {NewSizes(Size{100, 1}), 11, Anonymity{Records: 100, Classes: 1, K: 100, Highest: .01, Average: .01}},
		"at threshold": {NewSizes(Size{11, 2}), 11, Anonymity{Records: 22, Classes: 2, K: 11, Highest: 1. / 11, Average: 1. / 11}},
		"below it":     {NewSizes(Size{10, 2}), 11, Anonymity{Records: 20, Classes: 2, K: 10, AtRisk: 20, Highest: .1, Average: .1}},
		"mixed": {
			NewSizes(Size{50, 1}, Size{1, 4}, Size{3, 2}), 3,
			Anonymity{Records: 60, Classes: 7, K: 1, Unique: 4, AtRisk: 4, Highest: 1, Average: 7. / 60},
		},
	} {
		if got := tt.sizes.Anonymity(tt.k); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestSizesAreInOrderAndAddedUp(t *testing.T) {
	t.Parallel()
	given := []Size{{5, 1}, {1, 2}, {5, 3}, {0, 7}, {2, 0}, {-1, 2}}
	before := slices.Clone(given)
	got := NewSizes(given...)
	if !slices.Equal(got, Sizes{{1, 2}, {5, 4}}) {
		t.Errorf("%v", got)
	}
	if !slices.Equal(given, before) {
		t.Error("the caller's list was put in order")
	}
}

func TestBins(t *testing.T) {
	t.Parallel()
	sizes := NewSizes(Size{1, 3}, Size{2, 1}, Size{4, 2}, Size{7, 1}, Size{8, 1}, Size{5000, 1})
	got := sizes.Bins(8)
	var labels []string
	var records int64
	for _, b := range got {
		labels = append(labels, b.Label())
		records += b.Records
	}
	if want := []string{"1", "2", "3–4", "5–7", "8–10", "11–20", "21–50", "51–100", "101–1000", "> 1000"}; !slices.Equal(labels, want) {
		t.Errorf("bins %v", labels)
	}
	if records != sizes.Records() {
		t.Errorf("%d records in bins, %d in all", records, sizes.Records())
	}
	if got[0].Records != 3 || got[1].Records != 2 || got[2].Records != 8 || got[3].Records != 7 || got[4].Records != 8 || got[9].Records != 5000 {
		t.Errorf("%+v", got)
	}
	if len(sizes.Bins(11)) != 9 {
		t.Error("a bin ends below 11 already")
	}
}

func FuzzSizes(f *testing.F) {
	f.Add(int64(1), int64(2), int64(3), int64(4), int64(11))
	f.Add(int64(5), int64(1), int64(5), int64(0), int64(2))
	f.Fuzz(func(t *testing.T, a, b, c, d, k int64) {
		bound := func(n int64) int64 { return n % 10000 }
		k = 2 + max(k%100, -(k%100))
		s := NewSizes(Size{bound(a), bound(b)}, Size{bound(c), bound(d)})
		got := s.Anonymity(k)
		if got.Unique > got.AtRisk || got.AtRisk > got.Records || got.Classes > got.Records || got.Average > got.Highest+1e-12 {
			t.Errorf("%v: %+v", s, got)
		}
		var sum int64
		for _, bin := range s.Bins(k) {
			sum += bin.Records
			if bin.To != 0 && bin.To < bin.From {
				t.Errorf("bin %+v", bin)
			}
		}
		if sum != got.Records {
			t.Errorf("%d in bins, %d in all", sum, got.Records)
		}
	})
}

func TestShareOfNothing(t *testing.T) {
	t.Parallel()
	if got := share(0, 0); got != 0 || math.IsNaN(got) {
		t.Errorf("%v", got)
	}
}
