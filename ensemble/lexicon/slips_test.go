package lexicon

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSlips(t *testing.T) {
	var s Slips
	for _, w := range []string{"anna", "featherston", "müller", "feathersten", "ab"} {
		s.Add(w)
	}
	for word, want := range map[string][]int{
		"ana": {0}, "annna": {0}, "anan": {0}, "enna": {0}, "anna": nil, "featherstan": {1, 3}, "featherston": {3}, "fetherston": {1},
		"muller": {2}, "müler": {2}, "ünller": nil, "": nil, "b": {4}, "ba": {4},
	} {
		if got := s.Near([]byte(word)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
	var none Slips
	if got := none.Near([]byte("anna")); got != nil {
		t.Errorf("none: %v", got)
	}
}

// The index finds what comparing with each word finds, and looks at few of them.
func TestSlipsLikeComparing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcé")
	random := func() string {
		out := make([]rune, 1+rng.IntN(7))
		for i := range out {
			out[i] = letters[rng.IntN(len(letters))]
		}
		return string(out)
	}
	var s Slips
	var words []string
	for range 800 {
		if w := random(); !slices.Contains(words, w) {
			words = append(words, w)
			s.Add(w)
		}
	}
	for range 2000 {
		word := random()
		var want []int
		for i, w := range words {
			if OneEdit(word, w) {
				want = append(want, i)
			}
		}
		if got := s.Near([]byte(word)); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", word, got, want)
		}
	}
}
