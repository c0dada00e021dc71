package date

// complete reads day, month and year in figures between two equal marks: 3/5/2014, 2014-03-05, 5.3.14. Behind
// dashes and full stops, which series and sections have too, a year of two digits needs an announced date or a
// number of two digits before it.
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
	case f.year4(a) && f.dayOf(c, b), f.year4(c) && (f.dayOf(b, a) || f.dayOf(a, b)):
		return i + 5
	case !f.year2(c) || !f.dayOf(b, a) && !f.dayOf(a, b), f.In(i-1, score|vital) && !f.In(i-1, event), sep != '/' && f.measured(i+5):
		return 0
	case sep == '/' || f.Digits(a) == 2 || f.Digits(b) == 2 || f.announced(i):
		return i + 5
	}
	return 0
}

// together reports whether mark i joins two parts of a date: it touches both or, a slash, may have blanks around it.
func (f *finder) together(i int, sep byte) bool {
	return f.Number(i+1) && (f.Tight(i) || sep == '/' && f.Joins(i))
}

// compact reads a date without marks between its parts, perhaps with the time of day and its zone (HL7's TS):
// 20130718, 20130718111836-0400; with the month first only where it is announced.
func (f *finder) compact(i int) int {
	n := f.Digits(i)
	if n != 8 && n != 12 && n != 14 || f.Glued(i+1) && f.Word(i+1) || f.Mark(i+1) == '-' && f.Tight(i+1) && n == 8 {
		return 0
	}
	d := f.Plain(i)
	switch {
	case validDay(d[:4], d[4:6], d[6:8]) && (n == 8 || d[8:10] < "24" && d[10:12] < "60"):
	case n == 8 && validDay(d[4:8], d[:2], d[2:4]) && f.announced(i):
	default:
		return 0
	}
	if c := f.Mark(i + 1); n > 8 && (c == '-' || c == '+') && f.Tight(i+1) && f.Digits(i+2) == 4 {
		return i + 3
	}
	return i + 1
}

// monthYear reads a month and a year in figures, 3/2014 and 2014-03, which no unit follows. The name of a score
// behind a year begins the next finding.
func (f *finder) monthYear(i int) int {
	sep, b := f.Mark(i+1), i+2
	if sep != '/' && sep != '-' || !f.Tight(i+1) || f.goesOn(i+3) || f.In(f.Back(i, ".:"), label) || f.measured(i+3) && !f.In(i+3, score) {
		return 0
	}
	if f.month2(i) && f.year4(b) && (sep == '/' || f.Digits(i) == 2) || f.bare4(i) && f.month2(b) && f.Digits(b) == 2 {
		return i + 3
	}
	return 0
}

// goesOn reports whether a word, or a mark and a number, touch the number before token i.
func (f *finder) goesOn(i int) bool {
	if !f.Glued(i) {
		return false
	}
	c := f.Mark(i)
	return f.Word(i) || (c == '/' || c == '.') && f.Tight(i) && f.Number(i+1)
}

// year reads a year that has neither day nor month: behind a word that years follow, or, if it is not round as
// amounts are, behind another word that announces a date.
func (f *finder) year(i int) int {
	j := f.Back(i, "-")
	if !f.bare4(i) || f.goesOn(i+1) || f.measured(i+1) || f.Number(i+1) && f.Here(i+1) || f.Glued(i) && f.Mark(i-1) != '-' {
		return 0
	}
	if f.In(j, beforeYear) || f.In(j, before|event) && !f.In(j, label|vital) && f.Here(i) && f.Value(i)%roundYear != 0 {
		return i + 1
	}
	return 0
}

// roundYear is what amounts are multiples of more often than years are.
const roundYear = 50
