package text

// Casing is how a text uses capitals, on which most rules rely.
type Casing uint8

// The ways in which a text uses capitals.
const (
	BothCases Casing = iota
	OnlyLower
	OnlyUpper
)

// leastWords is how many words of three letters or more a text must have to show
// a habit.
const leastWords = 12

// Casing looks at the words of three letters or more: where hardly any has a
// capital, or nearly all are in capitals, the text knows one case only.
func (v *View) Casing() Casing {
	lower, upper, all := 0, 0, 0
	for _, t := range v.Tokens {
		if t.Kind != Word || t.End-t.Start < 3 {
			continue
		}
		all++
		switch t.Case {
		case Lower:
			lower++
		case Upper:
			upper++
		}
	}
	switch {
	case all < leastWords:
		return BothCases
	case lower*100 >= all*97:
		return OnlyLower
	case upper*100 >= all*90:
		return OnlyUpper
	}
	return BothCases
}
