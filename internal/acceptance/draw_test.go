package acceptance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown returns a sampler that saw notes of three strata, in an order of chance.
func shown(seed string, most int, order uint64) *Sampler {
	var notes [][2]string
	for name, n := range map[string]int{"discharge": 600, "nursing": 300, "radiology": 3} {
		for i := range n {
			notes = append(notes, [2]string{name, fmt.Sprintf("%s-%d", name, i)})
		}
	}
	slices.SortFunc(notes, func(a, b [2]string) int { return strings.Compare(a[1], b[1]) })
	rand.New(rand.NewPCG(order, 1)).Shuffle(len(notes), func(i, j int) { notes[i], notes[j] = notes[j], notes[i] })
	s := NewSampler(seed, most)
	for _, n := range notes {
		s.Add(n[0], n[1])
	}
	return s
}

func drawn(t *testing.T, s *Sampler, n int, over map[string]float64) (ids []string, sizes map[string]int) {
	t.Helper()
	list, err := s.Draw(n, over)
	if err != nil {
		t.Fatal(err)
	}
	sizes = map[string]int{}
	weights := map[string]float64{}
	for _, d := range list {
		ids = append(ids, d.ID)
		sizes[d.Stratum]++
		weights[d.Stratum] += d.Weight
	}
	for name, want := range map[string]float64{"discharge": 600, "nursing": 300, "radiology": 3} {
		if math.Abs(weights[name]-want) > 1e-9 && sizes[name] > 0 {
			t.Errorf("the notes drawn of %s stand for %v, want %v", name, weights[name], want)
		}
	}
	return ids, sizes
}

func TestDraw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		over map[string]float64
		want map[string]int
	}{
		{0, nil, map[string]int{}},
		{1, nil, map[string]int{"discharge": 1}},
		{31, nil, map[string]int{"discharge": 20, "nursing": 10, "radiology": 1}},
		{31, map[string]float64{"nursing": 2}, map[string]int{"discharge": 15, "nursing": 15, "radiology": 1}},
		{90, map[string]float64{"radiology": 100}, map[string]int{"discharge": 58, "nursing": 29, "radiology": 3}},
	} {
		_, sizes := drawn(t, shown("a", 100, 1), c.n, c.over)
		if diff := cmp.Diff(c.want, sizes); diff != "" {
			t.Errorf("%d notes, %v: %s", c.n, c.over, diff)
		}
	}
	all, _ := drawn(t, shown("a", 2000, 1), 2000, nil)
	if len(all) != 903 {
		t.Errorf("%d of 903 notes were drawn", len(all))
	}
}

func TestDrawIsReproducible(t *testing.T) {
	t.Parallel()
	first, _ := drawn(t, shown("a", 100, 1), 60, nil)
	again, _ := drawn(t, shown("a", 60, 2), 60, nil)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same seed, another order: %s", diff)
	}
	other, _ := drawn(t, shown("b", 100, 1), 60, nil)
	if slices.Equal(first, other) {
		t.Error("another seed draws the same notes")
	}
	more, _ := drawn(t, shown("a", 100, 3), 100, nil)
	for _, id := range first {
		if !slices.Contains(more, id) {
			t.Errorf("the larger sample lacks %s of the smaller one", id)
		}
	}
}

// TestDrawIsFair counts how often notes are drawn under many seeds: none much more often than
// another. The bound is five standard deviations.
func TestDrawIsFair(t *testing.T) {
	t.Parallel()
	const seeds, notes, take = 2000, 40, 10
	times := map[string]int{}
	for seed := range seeds {
		s := NewSampler(fmt.Sprint(seed), take)
		for i := range notes {
			s.Add("", fmt.Sprint(i))
		}
		list, err := s.Draw(take, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			times[d.ID]++
		}
	}
	mean := float64(seeds*take) / notes
	for i := range notes {
		if got := float64(times[fmt.Sprint(i)]); math.Abs(got-mean) > 5*math.Sqrt(mean*.75) {
			t.Errorf("note %d was drawn %v times of %v", i, got, mean)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		over map[string]float64
		want string
	}{
		{-1, nil, "a sample of -1"},
		{101, nil, "up to 100"},
		{10, map[string]float64{"autopsy": 2}, "has no notes"},
		{10, map[string]float64{"nursing": 0}, "above 0"},
		{10, map[string]float64{"nursing": math.NaN()}, "above 0"},
	} {
		if _, err := shown("a", 100, 1).Draw(c.n, c.over); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d of %v: %v, want %q", c.n, c.over, err, c.want)
		}
	}
}
