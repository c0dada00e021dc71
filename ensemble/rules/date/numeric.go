package date

import (
	"strings"
)

// complete reads day, month and year in figures, in any usual order, between two equal marks:
// 3/5/2014, 2014-03-05, 5.3.14. Behind dashes and full stops, which series and sections have
// too, a year of two digits needs an announced date or a number of two digits before it.
func (f *finder) complete(i int) int {
	sep := f.Mark(i + 1)
	if sep != '/' && sep != '-' && sep != '.' || f.Mark(i+3) != sep || !f.together(i+1, sep) || !f.together(i+3, sep) {
		return 0
	}
	if f.Mark(i+5) == sep && f.Tight(i+5) && f.Number(i+6) && sep != '-' {
		return 0
	}
	a, b, c := i, i+2, i+4
	switch {
	case f.year4(a) && (f.dayOf(c, b) || f.dayOf(b, c)), f.year4(c) && (f.dayOf(b, a) || f.dayOf(a, b)):
		return i + 5
	case !f.year2(c) || !f.dayOf(b, a) && !f.dayOf(a, b) && !(f.year2(a) && f.dayOf(c, b)):
		return 0
	case f.In(i-1, score|vital) && !f.In(i-1, event|shortDay), sep != '/' && f.measured(i+5):
		return 0
	case sep == '/' || f.announced(i) || f.Digits(a) == 2 || f.Digits(b) == 2 || f.alone(i, i+5):
		return i + 5
	}
	return 0
}

// together reports whether mark i joins two parts of a date: it touches both or, a slash, may
// have blanks around it.
func (f *finder) together(i int, sep byte) bool {
	return f.Number(i+1) && (f.Tight(i) || sep == '/' && f.Joins(i))
}

// alone reports whether tokens [i, end) are a line, or begin one and a blank follows.
func (f *finder) alone(i, end int) bool {
	return f.OpensLine(i) && (f.EndsLine(end) || f.Spaced(end))
}

// compact reads a date without marks between its parts, perhaps with the time of day and its
// zone: 20130718, 20130718111836-0400; with the month first only where it is announced.
func (f *finder) compact(i int) int {
	n := f.Digits(i)
	if n != 8 && n != 12 && n != 14 || f.Glued(i+1) && f.Word(i+1) || f.Mark(i+1) == '-' && f.Tight(i+1) && n == 8 {
		return 0
	}
	d := f.Plain(i)
	switch {
	case validDay(d[:4], d[4:6], d[6:8]):
	case n == 8 && validDay(d[4:8], d[:2], d[2:4]) && f.announced(i):
	default:
		return 0
	}
	if n > 8 && (d[8:10] > "23" || d[10:12] > "59") {
		return 0
	}
	if c := f.Mark(i + 1); n > 8 && (c == '-' || c == '+') && f.Tight(i+1) && f.Digits(i+2) == 4 {
		return i + 3
	}
	return i + 1
}

// validDay reports whether three groups of ASCII digits are a day of the last or next century.
func validDay(y, m, d string) bool {
	month := int(m[0]-'0')*10 + int(m[1]-'0')
	day := int(d[0]-'0')*10 + int(d[1]-'0')
	return y >= "1880" && y <= "2129" && month >= 1 && month <= 12 && day >= 1 && day <= monthDays[month]
}

// monthYear reads a month and a year in figures, 3/2014, 2014-03, '98-style 11/98, and the
// years 1965-68. A year of two digits is one if it can't be a day and no strength of a drug: it
// does not end in 0 unless the date is announced. The name of a score behind a year of four
// digits begins the next finding.
func (f *finder) monthYear(i int) int {
	sep, b := f.Mark(i+1), i+2
	if sep != '/' && sep != '-' || !f.Number(b) || !f.Tight(i+1) || f.goesOn(i+3) {
		return 0
	}
	announced, measured := f.announced(i), f.measured(i+3)
	switch {
	case measured && (!f.year4(b) || sep != '/' || !f.In(i+3, score)):
		return 0
	case f.month2(i) && f.year4(b) && (sep == '/' || f.Digits(i) == 2 || announced):
	case f.bare4(i) && f.month2(b) && f.Digits(b) == 2:
	case f.bare4(i) && f.year2(b) && sep == '-' && f.Value(b) > f.Value(i)%100 && f.Ends(b+1) && !f.In(i-1, label):
	case f.month2(i) && f.year2(b) && sep == '/' && f.Value(b) > 31 && (announced || f.Value(b) >= 70 && f.Value(b)%10 != 0):
		if f.measurement(i) || f.Value(b) == weeksOfYear {
			return 0
		}
	default:
		return 0
	}
	return i + 3
}

// goesOn reports whether a mark and a number, or a letter, touch the number before token i.
func (f *finder) goesOn(i int) bool {
	if !f.Glued(i) {
		return false
	}
	if f.Word(i) {
		return true
	}
	c := f.Mark(i)
	return (c == '/' || c == '.' || c == '-' && !f.month2(i+1) && !f.year4(i+1)) && f.Tight(i) && f.Number(i+1)
}

// roman reads a date with its month in Roman numbers: 20.III.1982, 20 III 1982. Without marks
// the month has two capitals or more.
func (f *finder) roman(i int) int {
	if !f.day2(i) || f.Glued(i) && i > 0 {
		return 0
	}
	m, year := i+1, i+2
	sep := f.Mark(m)
	marked := sep == '.' || sep == '/' || sep == '-'
	if marked {
		m, year = i+2, i+4
		if f.Mark(i+3) != sep || !f.Here(year) {
			return 0
		}
	}
	long := len(f.Str(m)) > 1
	switch {
	case !f.In(m, roman) || !f.Here(m) || !f.Here(year), !marked && (!long || strings.ToUpper(f.Str(m)) != f.Str(m)):
		return 0
	case f.year4(year), marked && long && f.year2(year) && f.Glued(year):
		return year + 1
	}
	return 0
}
