package date

import "github.com/pgdeid/pgdeid/surrogate/words"

// clockWords follow the number of an hour.
var clockWords = words.Set("known/clock-words")

// units follow a count: "3 days ago" is not a date.
var units = words.Set("known/counted-units")

// timeOfDay matches text to keep: 14:30, 2:30:15.123 pm, T143000, 10 am, -0400 after a time, and
// counts ("3 days").
func (s *scanner) timeOfDay(i int) int {
	n := s.digits(i)
	switch {
	case s.is(i+1, ":") && n <= 2 && s.digits(i+2) == 2:
		return s.clock(i)
	case n <= 2 && (units[s.word(i+1)] || clockWords[s.word(i+1)] && s.value(i) <= 24):
		return s.kept(i + 2)
	case n == 4 && clockWords[s.word(i+1)] && len(s.word(i+1)) > 1 && isClock(s.value(i)):
		return s.kept(i + 2)
	case s.timed && (n == 4 || n == 6) && s.word(i-1) == "t" && !s.tok[i].Space:
		return s.zone(s.kept(i + 1))
	case s.timed && n == 4 && isClock(s.value(i)) && !isYear(s.value(i)) && (s.tok[i].Space || s.is(i-1, "@")):
		return s.kept(i + 1)
	default:
		return i
	}
}

func isClock(n int) bool { return n/100 < 24 && n%100 < 60 }

func (s *scanner) kept(next int) int {
	s.timed = true
	return min(next, len(s.tok))
}

// clock skips 14:30[:15[.123]] and a zone.
func (s *scanner) clock(i int) int {
	next := i + 3
	if s.is(next, ":") && s.digits(next+1) > 0 {
		next += 2
	}
	return s.zone(s.kept(next))
}

// zone skips the fraction of a second and the UTC offset after a time.
func (s *scanner) zone(i int) int {
	if s.is(i, ".,") && s.digits(i+1) > 0 && !s.tok[i+1].Space && !s.tok[i].Space {
		i += 2
	}
	if !s.is(i, "+-") || s.tok[i].Space || s.digits(i+1) == 0 || s.tok[i+1].Space {
		return i
	}
	if s.is(i+2, ":") && s.digits(i+3) == 2 {
		return i + 4
	}
	if s.digits(i+1) == 4 || s.digits(i+1) == 2 {
		return i + 2
	}
	return i
}

// span keeps the first number of a duration such as "2 to 3 weeks"; it matches no date.
func (s *scanner) span(i int) int {
	if s.digits(i) > 2 {
		return i
	}
	at := i + 1
	if s.is(at, "-") || s.word(at) == "to" || s.word(at) == "or" {
		at++
	}
	if at > i+1 && s.digits(at) > 0 && s.digits(at) <= 2 && units[s.word(at+1)] || s.is(i+1, "-") && units[s.word(i+2)] {
		return s.kept(at + 1)
	}
	return i
}
