package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Years that a note's date may have: records shifted for release run far ahead.
const (
	firstYear = 1800
	lastYear  = 2199
)

var monthDays = [...]uint32{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func (s *scan) isMonthNum(i int) bool {
	return s.numAt(i) && s.marks[i].Digits <= 2 && s.marks[i].Value >= 1 && s.marks[i].Value <= 12
}

func (s *scan) isDayNum(i int) bool {
	return s.numAt(i) && s.marks[i].Digits <= 2 && s.marks[i].Value >= 1 && s.marks[i].Value <= 31
}

func (s *scan) isDayOf(day, month int) bool {
	return s.isMonthNum(month) && s.isDayNum(day) && s.marks[day].Value <= monthDays[s.marks[month].Value]
}

func (s *scan) isYear4(i int) bool {
	return s.numAt(i) && s.marks[i].Digits == 4 && s.marks[i].Value >= firstYear && s.marks[i].Value <= lastYear
}

func (s *scan) isYear2(i int) bool { return s.numAt(i) && s.marks[i].Digits == 2 }

// numericDate finds a date of numbers that begins at token i.
func (s *scan) numericDate(i int) int {
	sep := s.c(i + 1)
	if sep != '/' && sep != '-' && sep != '.' || !s.numAt(i+2) {
		return 0
	}
	if !s.separates(i+1, sep == '/') || s.continuesNumber(i, sep) {
		return 0
	}
	if s.c(i+3) == sep && s.numAt(i+4) && s.separates(i+3, sep == '/') {
		if end := s.threePartDate(i, sep); end > 0 {
			return s.emit(i, end, phi.Date)
		}
		return 0
	}
	if sep == '.' {
		return 0
	}
	if end := s.twoPartDate(i, sep); end > 0 {
		return end
	}
	return 0
}

// separates reports whether the mark at i joins its neighbours: it is glued to
// both or, where loose allows it, apart from both on one line.
func (s *scan) separates(i int, loose bool) bool {
	if s.glued(i) && s.glued(i+1) {
		return true
	}
	return loose && s.sameLine(i) && s.sameLine(i+1)
}

// continuesNumber reports whether the number at i is the rest of a longer thing:
// of "1.2.3.4", "V2/3", "555-1234-5".
func (s *scan) continuesNumber(i int, sep byte) bool {
	if !s.glued(i) || i == 0 {
		return false
	}
	if s.c(i-1) == sep && sep != '-' && s.glued(i-1) && s.numAt(i-2) {
		return true
	}
	return s.c(i-1) == '$'
}

func (s *scan) threePartDate(i int, sep byte) int {
	a, b, c := i, i+2, i+4
	if s.c(i+5) == sep && s.glued(i+5) && s.glued(i+6) && s.numAt(i+6) && !s.isDayNum(i+6) &&
		!(s.isYear4(i+6) && s.c(i+7) == sep && s.isDayOf(i+10, i+8)) {
		return 0
	}
	switch {
	case s.isYear4(a) && (s.isDayOf(c, b) || s.isDayOf(b, c)):
		return i + 5
	case s.isYear4(c) && (s.isDayOf(b, a) || s.isDayOf(a, b)):
		return i + 5
	case !s.isYear2(c) || s.marks[a].Digits > 2 || s.marks[b].Digits > 2:
		return 0
	case !s.isDayOf(b, a) && !s.isDayOf(a, b) && !(s.isYear2(a) && s.isDayOf(c, b)):
		return 0
	case sep == '/' || s.shortYearIsDate(i):
		return i + 5
	}
	return 0
}

// fullDate reports whether a date of numbers with a year of four digits begins at token i.
func (s *scan) fullDate(i int) bool {
	sep := s.c(i + 1)
	if sep != '/' && sep != '-' && sep != '.' || s.c(i+3) != sep || !s.numAt(i) || !s.numAt(i+2) || !s.numAt(i+4) ||
		!s.separates(i+1, false) || !s.separates(i+3, false) {
		return false
	}
	return (s.isYear4(i) || s.isYear4(i+4)) && s.threePartDate(i, sep) > 0
}

// shortYearIsDate tells "10-07-69" and "4.27.04" from scores and sections.
func (s *scan) shortYearIsDate(i int) bool {
	if s.has(i+5, text.IsUnit) && s.sameLine(i+5) || s.has(i-1, text.IsScore) {
		return false
	}
	if s.dateContext(i) {
		return true
	}
	full := s.marks[i].Digits == 2 && s.marks[i+2].Digits == 2
	year := s.marks[i+4].Value
	plain := s.c(i+1) == '-' && !s.glued(i) && (year < 40 || year > 60)
	return full || plain || s.marks[i+2].Digits == 2 && s.marks[i+2].Value > 12
}

// twoPartDate finds "3/5", "3/2014", "2014-03", "2010-2014" and the range
// "3/5-9/2014".
func (s *scan) twoPartDate(i int, sep byte) int {
	a, b := i, i+2
	gluedWord := i > 0 && s.glued(i) && s.wordAt(i-1)
	switch {
	case gluedWord && s.toks[i-1].End-s.toks[i-1].Start < 4:
		return 0
	case s.isYear4(b) && s.isMonthNum(a) && (sep == '/' || s.marks[a].Digits == 2 || s.dateContext(i)):
		return s.emit(i, i+3, phi.Date)
	case s.isYear4(a) && s.isMonthNum(b) && s.marks[b].Digits == 2 && s.marks[a].Value >= 1900 && s.marks[a].Value < 2100:
		return s.emit(i, i+3, phi.Date)
	case s.isYear4(a) && s.isYear4(b) && s.yearRange(a, b):
		s.emit(a, a+1, phi.Date)
		return s.emit(b, b+1, phi.Date)
	case s.isYear4(a) && s.isYear2(b) && sep == '-' && s.marks[a].Value >= 1900 && s.marks[a].Value < 2040 &&
		s.marks[b].Value > s.marks[a].Value%100 && s.ends(b+1):
		return s.emit(i, i+3, phi.Date)
	case sep == '/' && s.isDayOf(b, a) && s.monthDay(i):
		return s.emit(i, s.dayRange(i+3), phi.Date)
	case sep == '/' && s.isMonthNum(a) && s.isYear2(b) && s.monthYear2(i):
		return s.emit(i, i+3, phi.Date)
	case sep == '/' && s.isDayOf(a, b) && s.marks[a].Value > 12 && s.dateContext(i) && !s.graded(i):
		return s.emit(i, i+3, phi.Date)
	case sep == '-' && s.isDayOf(b, a) && s.marks[a].Digits == 2 && s.marks[b].Digits == 2 && s.dateContext(i) && !s.has(i+3, text.IsUnit|text.IsNoun):
		return s.emit(i, i+3, phi.Date)
	}
	return 0
}

func (s *scan) yearRange(a, b int) bool {
	return s.marks[a].Value >= 1900 && s.marks[b].Value > s.marks[a].Value && s.marks[b].Value < 2100 && !s.has(b+1, text.IsUnit) &&
		!s.clock(a) && s.c(a-1) != '$'
}

// clock reports whether the number at a may be a time of day or a quantity.
func (s *scan) clock(a int) bool {
	return s.marks[a].Value%100 == 0 && !s.has(a-1, text.IsIn|text.IsDateCue|text.IsPrep)
}

// dayRange takes in the rest of "5/12-14/2014", whose first part ends before end; of
// "5/12-6/14" it takes nothing, since that is two dates.
func (s *scan) dayRange(end int) int {
	if s.c(end) == '-' && s.separates(end, false) && s.isDayNum(end+1) && s.c(end+2) == '/' && s.separates(end+2, false) &&
		s.numAt(end+3) && (s.isYear4(end+3) || s.isYear2(end+3) && s.marks[end+3].Value > 12 && !s.isDayOf(end+3, end+1)) {
		return end + 4
	}
	return end
}
