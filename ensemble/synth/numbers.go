package synth

import (
	"strings"
	"unicode"
)

// Numbers in words. The words are productions of data/words/numbers.txt, in the order
// of what they count.

// words writes a number below two hundred: "ninety-three", "one hundred two".
func (s *scene) words(n int) string {
	ones, tens := s.Alternatives("number.ones"), s.Alternatives("number.tens")
	hundred := s.value("number.hundred")
	switch {
	case n < len(ones):
		return ones[n]
	case n == 100:
		return hundred
	case n > 100:
		return hundred + " " + s.words(n%100)
	case n%10 == 0:
		return tens[n/10-2]
	default:
		return tens[n/10-2] + "-" + ones[n%10]
	}
}

// ordinalWords writes a day of a month: "twenty first".
func (s *scene) ordinalWords(day int) string {
	ordinals := s.Alternatives("number.ordinals")
	switch {
	case day >= 1 && day <= 20:
		return ordinals[day-1]
	case day == 30:
		return ordinals[len(ordinals)-1]
	default:
		return s.words(day-day%10) + " " + ordinals[max(day%10-1, 0)]
	}
}

// yearWords writes a year: "nineteen oh seven", "two thousand nine".
func (s *scene) yearWords(year int) string {
	plain := func(n int) string { return strings.ReplaceAll(s.words(n), "-", " ") }
	thousand, hundred, oh := s.value("number.twothousand"), s.value("number.hundreds"), s.value("number.oh")
	switch rest := year % 100; {
	case year == 2000:
		return thousand
	case year > 2000 && year < 2010:
		return thousand + " " + plain(rest)
	case rest == 0:
		return plain(year/100) + " " + hundred
	case rest < 10:
		return plain(year/100) + " " + oh + " " + plain(rest)
	default:
		return plain(year/100) + " " + plain(rest)
	}
}

// dictated says a random digit for each "#": "## ##" may be "three one, two zero".
func (s *scene) dictated(groups string) string {
	zero, between := s.value("number.zero"), s.value("number.pause")
	words := s.Alternatives("number.ones")
	var out []string
	for group := range strings.FieldsFuncSeq(groups, unicode.IsSpace) {
		said := make([]string, len(group))
		for i := range said {
			said[i] = zero
			if n := s.rng.IntN(10); n > 0 {
				said[i] = words[n]
			}
		}
		out = append(out, strings.Join(said, " "))
	}
	return strings.Join(out, between)
}
