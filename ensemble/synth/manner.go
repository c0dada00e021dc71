package synth

import (
	"math/rand/v2"
	"strings"
)

// manner is how untidily a note is typed. Chances are out of 1000.
type manner struct {
	typo     int // a slip in an ordinary word of five letters and more
	nameTypo int // a slip in a name of five letters and more
	noStop   int // a full stop that is left out
	fold     func(string) string
	wrap     int // columns at which prose is wrapped, 0 for never
}

// drawManner draws how untidy a note is.
func drawManner(rng *rand.Rand) manner {
	m := manner{typo: rng.IntN(8), nameTypo: rng.IntN(30), noStop: rng.IntN(40)}
	switch n := rng.IntN(100); {
	case n < 5:
		m.fold = strings.ToUpper
	case n < 9:
		m.fold = strings.ToLower
	case n < 16:
		m.typo, m.nameTypo, m.noStop = 40, 60, 300
	}
	if oneIn(rng, 4) {
		m.wrap = 62 + rng.IntN(40)
	}
	return m
}

// drawHaste is drawManner for snippets: more of them in capitals, in lower case
// and in haste, for what is read must not lean on tidiness.
func drawHaste(rng *rand.Rand) manner {
	m := manner{typo: rng.IntN(8), nameTypo: rng.IntN(30), noStop: rng.IntN(40)}
	switch n := rng.IntN(100); {
	case n < 7:
		m.fold = strings.ToUpper
	case n < 14:
		m.fold = strings.ToLower
	case n < 21:
		m.typo, m.nameTypo, m.noStop = 40, 60, 300
	}
	if oneIn(rng, 5) {
		m.wrap = 50 + rng.IntN(50)
	}
	return m
}
