package rules

import (
	"strings"
)

// vinAt reports whether tokens i to end are a vehicle identification number
// with a right check digit (49 CFR 565.15).
func (s *scan) vinAt(i, end int) bool {
	t := s.text[s.toks[i].Start:s.toks[end-1].End]
	return len(t) == 17 && validVIN(strings.ToUpper(t))
}

func validVIN(t string) bool {
	const weights = "8765432\x0a\x0098765432"
	sum := 0
	for i := range len(t) {
		v, ok := vinValue(t[i])
		if !ok {
			return false
		}
		w := int(weights[i])
		if w > '0' {
			w -= '0'
		}
		sum += v * w
	}
	check := byte('0' + sum%11)
	if sum%11 == 10 {
		check = 'X'
	}
	return t[8] == check
}

func vinValue(c byte) (int, bool) {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0'), true
	case c >= 'A' && c <= 'H':
		return int(c-'A') + 1, true
	case c >= 'J' && c <= 'N':
		return int(c-'J') + 1, true
	case c == 'P':
		return 7, true
	case c == 'R':
		return 9, true
	case c >= 'S' && c <= 'Z':
		return int(c-'S') + 2, true
	default:
		return 0, false
	}
}
