package rules

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// words reads the tokens for numbers in words, on one line after the first.
func (s *scan) words() spelled.Words {
	return func(i int) string {
		switch {
		case s.c(i) == '-' && s.sameLine(i):
			return "-"
		case !s.wordAt(i):
			return ""
		}
		return strings.ToLower(s.tok(i))
	}
}

// spelledYear returns the token after a year in words at token i, or 0.
func (s *scan) spelledYear(i int) int {
	if !s.has(i, text.IsNumWord) || !s.sameLine(i) {
		return 0
	}
	if _, end := s.words().Year(i); end > i {
		return end
	}
	return 0
}

// spelledOrdinal returns the token after a day of the month in words at token i, or 0.
func (s *scan) spelledOrdinal(i int) int {
	if !s.has(i, text.IsSpelledDay|text.IsNumWord) {
		return 0
	}
	if day, end := s.words().Ordinal(i); day > 0 && day <= 31 {
		return end
	}
	return 0
}

// spelledDayAlone returns the end of a day in words, tokens [j, end), behind a month and
// without a year, or 0 where it goes on as something else: "may first try", "June, first
// week", "March second".
func (s *scan) spelledDayAlone(month, j, end int) int {
	switch {
	case s.has(month, text.IsDoubtful) && s.toks[month].Case == text.Lower, s.has(j, text.IsUnit), s.c(j-1) == ',':
		return 0
	case s.wordAt(end) && s.sameLine(end) && !s.has(end, text.IsPrep|text.IsIn|text.IsConjunction|text.IsDateCue|text.IsAt):
		return 0
	}
	return end
}

// spelledDate finds a date that begins with a number in words, or with the word "day":
// "twentieth of July, nineteen eighty-two", "twentieth July 1982", "seventy-ninth day of
// 1981", "day 79 of 1981".
func (s *scan) spelledDate(i int) int {
	if s.isWord(i, "day") {
		return s.dayOfYear(i, s.countAt(i+1))
	}
	if n, end := s.words().Ordinal(i); end > i && s.isWord(end, "day") {
		if n > 31 || !s.has(end+1, text.IsOf) || !s.has(end+2, text.IsMonth) {
			return s.dayOfYear(i, end+1)
		}
	}
	j := s.spelledOrdinal(i)
	if j == 0 {
		return 0
	}
	if s.isWord(j, "day") {
		j++
	}
	of := s.has(j, text.IsOf) && s.sameLine(j)
	if of {
		j++
	}
	if !s.has(j, text.IsMonth) || !s.sameLine(j) {
		return 0
	}
	if end := s.yearAfterMonth(j, s.afterAbbreviation(j)); end > 0 {
		return s.emit(i, end, phi.Date)
	}
	if !of || s.modal(j) {
		return 0
	}
	return s.emit(i, j+1, phi.Date)
}

// countAt returns the token after a number of up to three digits, or its words, at token
// i; i if there is none.
func (s *scan) countAt(i int) int {
	if s.numAt(i) && s.marks[i].Digits <= 3 && s.marks[i].Value <= 366 && s.marks[i].Value > 0 {
		return i + 1
	}
	_, end := s.words().Count(i)
	return end
}

// dayOfYear emits the tokens from i if "of" and a year follow at token j, behind the
// number of a day.
func (s *scan) dayOfYear(i, j int) int {
	if j <= i+1 || !s.has(j, text.IsOf) || !s.sameLine(j) {
		return 0
	}
	j++
	for s.has(j, text.IsThe) || s.isWord(j, "year") {
		j++
	}
	if s.isYear4(j) {
		return s.emit(i, j+1, phi.Date)
	}
	if end := s.spelledYear(j); end > 0 {
		return s.emit(i, end, phi.Date)
	}
	return 0
}

// numberedDay finds "79th day of 1981" at the number i.
func (s *scan) numberedDay(i int) int {
	j := s.afterOrdinal(i)
	if j == i+1 || !s.isWord(j, "day") || s.marks[i].Value > 366 {
		return 0
	}
	return s.dayOfYear(i, j+1)
}

// romanMonths are the months as numbers of some countries' dates write them.
var romanMonths = map[string]bool{
	"i": true, "ii": true, "iii": true, "iv": true, "v": true, "vi": true, "vii": true, "viii": true, "ix": true, "x": true, "xi": true, "xii": true,
}

// romanDate finds "20.III.1982", "20/III/82" and "20 III 1982" at the number i.
func (s *scan) romanDate(i int) int {
	if !s.isDayNum(i) || s.glued(i) && i > 0 {
		return 0
	}
	mark := s.c(i + 1)
	month, year := i+1, i+2
	if mark == '.' || mark == '/' || mark == '-' {
		if s.c(i+3) != mark || !s.separates(i+1, true) && mark != '.' || !s.sameLine(i+4) {
			return 0
		}
		month, year = i+2, i+4
	}
	if !s.wordAt(month) || !s.sameLine(month) || !s.sameLine(year) || !romanMonths[strings.ToLower(s.tok(month))] {
		return 0
	}
	marked := month == i+2
	switch {
	case !marked && (s.toks[month].Case != text.Upper || len(s.tok(month)) < 2): // "5 V 2000 mg"
		return 0
	case s.isYear4(year):
	case !marked || !s.isYear2(year) || !s.glued(year) || len(s.tok(month)) < 2:
		return 0
	}
	return s.emit(i, year+1, phi.Date)
}
