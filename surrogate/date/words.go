package date

import (
	"strings"
)

// monthFirst matches dates that begin with a month's name: March 5th, 2014; Mar
// '14; March 3-5, 2014; March 2014; Mar-05-2014; March.
func (s *scanner) monthFirst(i int) int {
	m := monthOf(s.word(i))
	if m == 0 {
		return i
	}
	var p Piece
	p.Date.Month = m
	s.add(&p, i, monthName)
	next := s.skip(i+1, ".-/,")
	if y := s.monthYear(&p, next); y > next {
		return s.found(p, y)
	}
	day, after := s.day(&p, next)
	if day == 0 {
		return s.found(p, i+1)
	}
	p.Date.Day = day
	if range2, end := s.rangeEnd(p, after); end > after {
		s.found(p, after)
		s.pieces[len(s.pieces)-1].Date.Year = range2.Date.Year
		return s.found(range2, end)
	}
	return s.found(p, s.trailingYear(&p, after))
}

// monthYear matches the year right after a month: "March of 2014", "Mar '14", "Mar 98".
func (s *scanner) monthYear(p *Piece, i int) int {
	at := i
	if isOf(s.word(at)) || s.word(at) == "in" {
		at++
	}
	short := s.digits(at) == 2 && s.value(at) > 31
	if next := s.year(p, at, short); next > at {
		return next
	}
	return i
}

// isOf reports whether a word joins day, month and year: "5th of March", "5 de marzo de 2014".
func isOf(word string) bool { return word == "of" || word == "de" || word == "del" }

// day reads a day (5, 5th, fifth, twenty-first) at token i into p.
func (s *scanner) day(p *Piece, i int) (day, next int) {
	if s.word(i) == "the" {
		i++
	}
	if n := s.digits(i); n == 1 || n == 2 {
		if v := s.value(i); isDay(v) && !s.is(i+1, ":") {
			s.add(p, i, dayNumber)
			return v, s.suffix(p, i+1)
		}
		return 0, i
	}
	return s.spelled(p, i)
}

func (s *scanner) suffix(p *Piece, i int) int {
	switch s.word(i) {
	case "st", "nd", "rd", "th":
		s.add(p, i, daySuffix)
		return i + 1
	}
	return i
}

func (s *scanner) spelled(p *Piece, i int) (day, next int) {
	word := s.word(i)
	if word == "" {
		return 0, i
	}
	if word == "twenty" || word == "thirty" {
		unit := s.skip(i+1, "-")
		if d := spelledDays[word+"-"+s.word(unit)]; d != 0 {
			p.add(s.tok[i].Start, s.tok[unit].End, daySpelled)
			return d, unit + 1
		}
	}
	if d := spelledDays[word]; d != 0 {
		s.add(p, i, daySpelled)
		return d, i + 1
	}
	return 0, i
}

// rangeEnd matches the end of "March 3-5, 2014" after its first day.
func (s *scanner) rangeEnd(from Piece, i int) (Piece, int) {
	if !s.is(i, "-") && s.word(i) != "to" && s.word(i) != "through" && s.word(i) != "thru" && s.word(i) != "and" {
		if !s.enDash(i) {
			return Piece{}, i
		}
	}
	n := s.digits(i + 1)
	if n == 0 || n > 2 || !isDay(s.value(i+1)) || s.is(i+2, dateMarks) && s.digits(i+3) > 0 && !s.tok[i+3].Space {
		return Piece{}, i
	}
	p := Piece{Date: from.Date}
	p.Date.Day = s.value(i + 1)
	s.add(&p, i+1, dayOfRange)
	return p, s.trailingYear(&p, s.suffix(&p, i+2))
}

func (s *scanner) enDash(i int) bool {
	return i < len(s.tok) && strings.HasPrefix(s.text[s.tok[i].Start:], "–")
}

// trailingYear matches ", 2014", " 2014", "-2014", "'14", "/14" after a month and a day.
func (s *scanner) trailingYear(p *Piece, i int) int {
	at := s.skip(i, ",.-/")
	if isOf(s.word(at)) {
		at++
	}
	tight := at > i && at < len(s.tok) && (!s.tok[at].Space || s.is(at-1, ",")) || at == i && at < len(s.tok) && !s.tok[at].Space
	if next := s.year(p, at, tight || s.shortYearAfter(at)); next > at {
		return next
	}
	return i
}

// shortYearAfter distinguishes the 14 of "March 5 14" from an hour or a count.
func (s *scanner) shortYearAfter(i int) bool {
	if s.digits(i) != 2 || i+1 < len(s.tok) && !s.is(i+1, ",.;)") && s.word(i+1) != "at" {
		return false
	}
	return true
}

// dayMonth matches dates that begin with a day and name the month: 5 Mar 2014,
// 5th of March, 11-July-2013, 11Jul2013.
func (s *scanner) dayMonth(i int) int {
	if n := s.digits(i); n == 0 || n > 2 || !isDay(s.value(i)) {
		return i
	}
	var p Piece
	day, at := s.day(&p, i)
	return s.monthAfterDay(p, day, i, at)
}

// spelledDayMonth matches "fifth of March".
func (s *scanner) spelledDayMonth(i int) int {
	var p Piece
	day, at := s.spelled(&p, i)
	if day == 0 {
		return i
	}
	return s.monthAfterDay(p, day, i, at)
}

func (s *scanner) monthAfterDay(p Piece, day, i, at int) int {
	at = s.skip(at, ",.-/")
	if s.word(at) == "day" {
		at++
	}
	if isOf(s.word(at)) {
		at++
	}
	p.Date.Day, p.Date.Month = day, monthOf(s.word(at))
	if p.Date.Month == 0 {
		return i
	}
	s.add(&p, at, monthName)
	return s.found(p, s.trailingYear(&p, at+1))
}

// yearMonthName matches 2014-Mar-05, 2014 March 5, 2014 Mar.
func (s *scanner) yearMonthName(i int) int {
	if s.digits(i) != 4 || !isYear(s.value(i)) {
		return i
	}
	at := s.skip(i+1, ",.-/")
	m := monthOf(s.word(at))
	if m == 0 {
		return i
	}
	p := Piece{Date: Civil{Year: s.value(i), Month: m}}
	s.add(&p, i, yearField)
	s.add(&p, at, monthName)
	if day, next := s.day(&p, s.skip(at+1, ",.-/")); day != 0 {
		p.Date.Day = day
		return s.found(p, next)
	}
	return s.found(p, at+1)
}
