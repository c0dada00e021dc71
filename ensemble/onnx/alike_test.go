package onnx

import "testing"

func TestAlike(t *testing.T) {
	t.Parallel()
	of := func(probs ...uint16) *scores { // two types, units 1, 2, …
		s := &scores{probs: probs}
		for i := range len(probs) / 2 {
			s.units = append(s.units, uint16(i+1))
		}
		return s
	}
	late := of(60000, 0)
	late.units[0] = 7
	for name, c := range map[string]struct {
		a, b *scores
		want bool
	}{
		"nothing":                   {of(), of(), true},
		"the same":                  {of(60000, 10), of(60000, 10), true},
		"rounded":                   {of(60000, 100), of(60000-tolerance, 100+tolerance), true},
		"a bit more":                {of(60000, 100), of(60000-tolerance-1, 100), false},
		"improbable in one alone":   {of(60000, 100, 64, 64), of(60000, 100), true},
		"a name that is not there":  {of(60000, 100), of(), false},
		"a name at another word":    {of(60000, 0), late, false},
		"another type":              {of(60000, 0), of(0, 60000), false},
		"one more name":             {of(60000, 0), of(60000, 0, 0, 60000), false},
		"the first of two is amiss": {of(60000, 0, 60000, 0), of(0, 0, 60000, 0), false},
	} {
		if alike(c.a, c.b, 2) != c.want || alike(c.b, c.a, 2) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
}
