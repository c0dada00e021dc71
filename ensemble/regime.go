package ensemble

// regime is how a note uses capitals, on which rules rely.
type regime uint8

const (
	bothCases regime = iota
	onlyLower
	onlyUpper
)

// leastWords is how many words of three letters or more a note must have for its
// cases to show a habit.
const leastWords = 12

// regime looks at the words of three letters or more: where hardly any has a
// capital, or nearly all are in capitals, the note knows one case only.
func (r *reading) regime() regime {
	lower, upper, all := 0, 0, 0
	for _, t := range r.tokens {
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
		return bothCases
	case lower*100 >= all*97:
		return onlyLower
	case upper*100 >= all*90:
		return onlyUpper
	}
	return bothCases
}
