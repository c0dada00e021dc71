package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// ageForms write ages, those over 89 above all, which the Safe Harbor rule names,
// and days that are told in passing.
func ageForms() map[string]func(*scene) {
	return map[string]func(*scene){
		"f.age": func(s *scene) { s.mark(phi.Age, itoa(s.anyAge())) },
		"f.age89": func(s *scene) {
			s.mark(phi.Age, itoa(90+s.rng.IntN(18)))
		},
		"f.age.words":   func(s *scene) { s.mark(phi.Age, spellAge(s.anyAge(), either(s.rng, "-", "-", " "))) },
		"f.age89.words": func(s *scene) { s.mark(phi.Age, spellAge(90+s.rng.IntN(18), either(s.rng, "-", "-", " "))) },
		"f.age.Words": func(s *scene) { // at the beginning of a sentence
			s.mark(phi.Age, upperFirst(spellAge(20+s.rng.IntN(85), "-")))
		},
		"f.age.decade": func(s *scene) { s.mark(phi.Age, itoa(1+s.rng.IntN(9))+"0"+either(s.rng, "s", "s", "'s")) },
		"f.age.90s":    func(s *scene) { s.mark(phi.Age, either(s.rng, "90s", "90's", "nineties", "100s")) },
		"f.age.ties": func(s *scene) {
			s.mark(phi.Age, either(s.rng, "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties", "twenties", "teens"))
		},
		"f.age.child": func(s *scene) { s.mark(phi.Age, itoa(1+s.rng.IntN(17))) },
		"f.age.month": func(s *scene) { s.mark(phi.Age, itoa(1+s.rng.IntN(23))) },
		"f.age.glued": func(s *scene) { // "74F", "92yo"
			s.mark(phi.Age, itoa(s.anyAge()))
			s.raw(either(s.rng, "yo", "yo ", "y/o ", "YO ", "yo") + strings.TrimSpace(s.bySex(either(s.rng, "F", "female", " woman", "f"), either(s.rng, "M", "male", " man", "m"))))
		},
		"f.age.sex": func(s *scene) {
			s.mark(phi.Age, itoa(s.anyAge()))
			s.raw(s.bySex(either(s.rng, "F", "f"), either(s.rng, "M", "m")))
		},
		"f.weekdays": func(s *scene) { s.mark(phi.Date, s.daysAgo(7).Format("Monday")+"s") },
		"f.day":      func(s *scene) { s.mark(phi.Date, ordinal(1+s.rng.IntN(28))) },
		"f.sixties": func(s *scene) {
			s.mark(phi.Date, either(s.rng, "1960s", "1970s", "80s", "90s", "60's", "early 2000s", "sixties", "seventies", "late 1980s"))
		},
		"f.siblings": func(s *scene) { // "Ana (9), Leo (6) and Max (3)"
			count := 2 + s.rng.IntN(3)
			manner := s.rng.IntN(4)
			for i := range count {
				switch {
				case i == count-1:
					s.put(either(s.rng, " and ", ", and ", " & "))
				case i > 0:
					s.put(", ")
				}
				s.patient(s.firstOf(oneIn(s.rng, 2)))
				s.siblingAge(manner, itoa(2+s.rng.IntN(40)))
			}
		},
	}
}

func (s *scene) siblingAge(manner int, age string) {
	switch manner {
	case 0:
		s.put(" (")
		s.mark(phi.Age, age)
		s.put(")")
	case 1:
		s.put(" ")
		s.mark(phi.Age, age)
	case 2:
		s.put(" (age ")
		s.mark(phi.Age, age)
		s.put(")")
	}
}

// anyAge draws an age of adults mostly, one in four over 89.
func (s *scene) anyAge() int {
	if oneIn(s.rng, 4) {
		return 90 + s.rng.IntN(16)
	}
	return 18 + s.rng.IntN(72)
}

// spellAge writes an age up to 119 in words.
func spellAge(n int, joint string) string {
	switch {
	case n > 100:
		return "one hundred " + ageWords(n-100)
	case n == 100:
		return "one hundred"
	default:
		return strings.ReplaceAll(ageWords(n), "-", joint)
	}
}
