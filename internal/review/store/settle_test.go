package store

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
)

// Notes on which readers agree are not to be settled; one on which three differ is there once.
func TestDiffering(t *testing.T) {
	t.Parallel()
	name := review.Mark{Start: 2, End: 5, Type: "PATIENT", Verdict: review.Missed}
	city := review.Mark{Start: 2, End: 5, Type: "CITY", Verdict: review.Missed}
	by := func(round int64, place int, marks ...review.Mark) review.Reading {
		return review.Reading{Round: round, Place: place, Marks: marks}
	}
	for what, c := range map[string]struct {
		list []review.Reading
		want []noteOf
	}{
		"nothing":             {},
		"one reader":          {[]review.Reading{by(1, 1, name)}, nil},
		"both agree":          {[]review.Reading{by(1, 1, name), by(1, 1, name)}, nil},
		"both find nothing":   {[]review.Reading{by(1, 1), by(1, 1)}, nil},
		"another type":        {[]review.Reading{by(1, 1, name), by(1, 1, city)}, []noteOf{{1, 1}}},
		"one finds more":      {[]review.Reading{by(1, 7, name), by(1, 7)}, []noteOf{{1, 7}}},
		"of different notes":  {[]review.Reading{by(1, 1, name), by(1, 2, city)}, nil},
		"of different rounds": {[]review.Reading{by(1, 1, name), by(2, 1, city)}, nil},
		"three readers":       {[]review.Reading{by(1, 1, name), by(1, 1, city), by(1, 1)}, []noteOf{{1, 1}}},
		"two of three notes": {
			[]review.Reading{by(1, 1, name), by(1, 1), by(1, 2, name), by(1, 2, name), by(2, 1), by(2, 1, city)}, []noteOf{{1, 1}, {2, 1}},
		},
	} {
		if got := differing(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}
