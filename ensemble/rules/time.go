package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// clockTime finds a time of day at the number i: "10:00 a.m.", "14:30:05",
// "10am", "1430 hrs".
func (s *scan) clockTime(i int) int {
	n, v := s.marks[i].Digits, s.marks[i].Value
	if n <= 2 && v <= 24 && s.c(i+1) == ':' && s.glued(i+1) && s.minutes(i+2) && s.glued(i+2) {
		end := i + 3
		if s.c(end) == ':' && s.glued(end) && s.minutes(end+1) && s.glued(end+1) {
			end += 2
			if s.c(end) == '.' && s.glued(end) && s.numAt(end+1) && s.glued(end+1) {
				end += 2
			}
		}
		if s.c(end) == ':' && s.glued(end) && s.numAt(end+1) {
			return 0
		}
		if h := s.halfDay(end); h > 0 {
			end = h
		}
		return s.emit(i, end, phi.Time)
	}
	if n <= 2 && v >= 1 && v <= 12 && !s.precededByMark(i) {
		if h := s.halfDay(i + 1); h > i+2 || h == i+2 && s.marks[i+1].Number == 0 && s.has(i+1, text.IsHalfDay) && s.isAMPM(i+1) {
			return s.emit(i, h, phi.Time)
		}
	}
	if n == 4 && v < 2400 && v%100 < 60 {
		return s.militaryTime(i)
	}
	return 0
}

// precededByMark reports whether number i is the rest of a range or fraction.
func (s *scan) precededByMark(i int) bool {
	return s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != '@' && s.c(i-1) != '-' && s.c(i-1) != ','
}

func (s *scan) minutes(i int) bool {
	return s.numAt(i) && s.marks[i].Digits == 2 && s.marks[i].Value < 60
}

func (s *scan) isAMPM(i int) bool {
	switch s.tok(i) {
	case "am", "pm", "AM", "PM", "Am", "Pm":
		return true
	}
	return false
}

// halfDay returns the token after "am", "p.m." or "hrs" at i, or 0.
func (s *scan) halfDay(i int) int {
	if !s.has(i, text.IsHalfDay) || s.toks[i].Line {
		return 0
	}
	if s.isAMPM(i) {
		return i + 1
	}
	switch s.tok(i) {
	case "a", "p", "A", "P":
		if s.c(i+1) != '.' || !s.glued(i+1) || !s.wordAt(i+2) || s.tok(i+2) != "m" && s.tok(i+2) != "M" {
			return 0
		}
		if s.c(i+3) == '.' && s.glued(i+3) {
			return i + 4
		}
		return i + 3
	}
	return 0
}

func (s *scan) militaryTime(i int) int {
	if s.has(i+1, text.IsHalfDay) && s.sameLine(i+1) {
		switch s.tok(i + 1) {
		case "hrs", "hours", "hr", "h", "HRS", "Hours", "H", "hour":
			return s.emit(i, i+2, phi.Time)
		}
		if s.isAMPM(i + 1) {
			return s.emit(i, i+2, phi.Time)
		}
	}
	if s.afterFullDate(i) && !s.measured(i+1) {
		return s.emit(i, i+1, phi.Time)
	}
	if s.wordAt(i-1) && s.sameLine(i) && (s.tok(i-1) == "at" || s.tok(i-1) == "@" || s.tok(i-1) == "time" ||
		s.tok(i-1) == "Time") && !s.measured(i+1) {
		return s.emit(i, i+1, phi.Time)
	}
	return 0
}

// afterFullDate reports whether a date with day, month and year stands right
// before number i, which then is no year but a time: "07/29/2017 1557".
func (s *scan) afterFullDate(i int) bool {
	n := len(s.out)
	if n == s.base || i == 0 || s.out[n-1].Type != phi.Date || !s.sameLine(i) {
		return false
	}
	j := i - 1
	if s.c(j) == ',' {
		if s.marks[i].Value >= 1900 && s.marks[i].Value < 2060 {
			return false // a list of years, rather
		}
		j--
	}
	if j < 0 || s.out[n-1].End != s.toks[j].End {
		return false
	}
	digits := 0
	for ; j >= 0 && s.toks[j].Start >= s.out[n-1].Start; j-- {
		digits += int(s.marks[j].Digits)
		if s.has(j, text.IsMonth) {
			digits++
		}
	}
	return digits >= 5 || digits >= 4 && (s.marks[i].Value < 1900 || s.marks[i].Value > 2059)
}
