package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// monthDate finds a date that begins with the name of a month at token i.
func (s *scan) monthDate(i int) int {
	if s.glued(i) && i > 0 && (s.wordAt(i-1) || s.c(i-1) == '_') {
		return 0
	}
	j := s.afterAbbreviation(i)
	if end := s.dayAfterMonth(i, j); end > 0 {
		return s.emit(i, end, phi.Date)
	}
	if end := s.yearAfterMonth(i, j); end > 0 {
		return s.emit(i, end, phi.Date)
	}
	if s.monthAlone(i) {
		return s.emit(i, i+1, phi.Date)
	}
	return 0
}

// afterAbbreviation returns the token after the word i and its full stop.
func (s *scan) afterAbbreviation(i int) int {
	if s.c(i+1) == '.' && s.glued(i+1) && s.sameLine(i+2) {
		return i + 2
	}
	return i + 1
}

// dayAfterMonth reads "5", "5th", "5-7", "5, 2014", "05/2014" after a month.
func (s *scan) dayAfterMonth(month, j int) int {
	if c := s.c(j); (c == '-' || c == '/' || c == ',') && s.sameLine(j+1) && (c == ',' || s.separates(j, true)) {
		j++
	}
	if s.has(j, text.IsThe) {
		j++
	}
	if end := s.spelledOrdinal(j); end > 0 && s.sameLine(j) {
		if y := s.yearAfterDay(end); y > 0 {
			return y
		}
		return s.spelledDayAlone(month, j, end)
	}
	if !s.isDayNum(j) || s.followedByTime(j) || s.toks[j].Line && !s.toks[j].Space {
		return 0
	}
	if s.c(j+1) == '.' && s.glued(j+1) && s.numAt(j+2) && s.glued(j+2) && s.marks[j+2].Digits < 4 {
		return 0
	}
	end := s.afterOrdinal(j)
	ordinal := end > j+1
	end = s.moreDays(end)
	if y := s.yearAfterDay(end); y > 0 {
		return y
	}
	if s.has(month, text.IsDoubtful) && !ordinal && !s.surelyMonth(month) {
		return 0
	}
	if s.has(end, text.IsUnit|text.IsNoun) && !s.has(end, text.IsDateCue|text.IsPrep|text.IsIn|text.IsHalfDay) { // "in" is an inch, too
		return 0
	}
	return end
}

// surelyMonth reports whether a doubtful month's word is written as a month.
func (s *scan) surelyMonth(i int) bool {
	if s.toks[i].Case == text.Lower {
		return s.has(i-1, text.IsPrep|text.IsIn|text.IsDateCue)
	}
	return true
}

// afterOrdinal returns the token after day j and its "th".
func (s *scan) afterOrdinal(j int) int {
	if s.has(j+1, text.IsOrdinal) && (s.glued(j+1) || s.toks[j+1].Case == text.Lower && !s.has(j+1, text.IsState)) {
		return j + 2
	}
	return j + 1
}

// moreDays takes in the rest of a range or list of days: "-7", " and 9th".
func (s *scan) moreDays(end int) int {
	j := end
	switch {
	case s.c(j) == '-' && s.sameLine(j) && s.sameLine(j+1):
	case s.wordAt(j) && s.sameLine(j) && (s.tok(j) == "and" || s.tok(j) == "to" || s.tok(j) == "through" || s.tok(j) == "thru"):
	case s.c(j) == '&':
	default:
		return end
	}
	if !s.isDayNum(j+1) || s.toks[j+1].Line || s.c(j+2) == '/' || s.c(j+2) == ':' || s.marks[j+1].Digits > 2 {
		return end
	}
	after := s.afterOrdinal(j + 1)
	if s.has(after, text.IsUnit|text.IsNoun|text.IsDayUnit|text.IsYearUnit) || s.c(after) == '.' && s.glued(after+1) && s.numAt(after+1) {
		return end
	}
	if s.c(j) != '-' && after == j+2 && s.yearAfterDay(after) == 0 {
		return end
	}
	return after
}

// yearAfterDay reads the year after a day: ", 2014", "-14", " '14", "/2014".
func (s *scan) yearAfterDay(j int) int {
	tight := false
	if c := s.c(j); c == ',' || c == '-' || c == '/' || c == '.' {
		tight = c != ',' && s.separates(j, false)
		if c == '.' && !tight {
			return 0
		}
		j++
	} else if s.has(j, text.IsOf|text.IsIn) {
		j++
	}
	if j >= len(s.toks) {
		return 0
	}
	if s.c(j) == '\'' && s.isYear2(j+1) && s.glued(j+1) {
		return j + 2
	}
	if s.isYear4(j) && !s.followedByTime(j) {
		return j + 1
	}
	if tight && s.isYear2(j) {
		return j + 1
	}
	return s.spelledYear(j)
}

// followedByTime reports whether number j has minutes, so that it is no year.
func (s *scan) followedByTime(j int) bool {
	return s.c(j+1) == ':' && s.glued(j+1) && s.numAt(j+2) && s.glued(j+2) && s.marks[j].Digits <= 2
}

// yearAfterMonth reads "2014", ", 2014", "of 2014", "'14", "-14" after a month.
func (s *scan) yearAfterMonth(month, j int) int {
	k := j
	if c := s.c(k); c == ',' || c == '-' || c == '/' {
		k++
	}
	for s.has(k, text.IsOf|text.IsThe) || s.wordAt(k) && s.tok(k) == "year" {
		k++
	}
	if k >= len(s.toks) || s.toks[k].Line && s.c(k-1) != ',' && !s.has(k-1, text.IsOf) {
		return 0
	}
	if s.c(k) == '\'' && s.isYear2(k+1) && s.glued(k+1) {
		return k + 2
	}
	if s.isYear4(k) {
		return k + 1
	}
	if s.isYear2(k) && s.marks[k].Value > 31 && !s.has(month, text.IsDoubtful) && s.ends(k+1) {
		return k + 1
	}
	return s.spelledYear(k)
}

// monthAlone decides on a month without day and year.
func (s *scan) monthAlone(i int) bool {
	short := s.toks[i].End-s.toks[i].Start <= 4 && s.marks[i].Number != 5 && s.marks[i].Number != 6 && s.marks[i].Number != 7
	if !short && !s.has(i, text.IsDoubtful) {
		return true
	}
	if m := s.marks[i].Number; s.toks[i].Case == text.Lower && (m == 4 || m == 6 || m == 8) && !short && s.has(i-1, text.IsIn|text.IsPrep|text.IsLast) {
		return true
	}
	if s.toks[i].Case == text.Lower || s.has(i+1, text.IsHalfDay) && s.glued(i+1) {
		return false
	}
	if s.c(i-1) == '-' && s.has(i-2, text.IsPartOf) || s.has(i+1, text.IsOf) && s.has(i+2, text.IsLast) {
		return true
	}
	if s.has(i-1, text.IsOf) && (s.isWord(i-2, "end") || s.isWord(i-2, "beginning") || s.isWord(i-2, "month") ||
		s.isWord(i-2, "week") || s.isWord(i-2, "middle")) {
		return true
	}
	context := s.has(i-1, text.IsPrep|text.IsDateCue|text.IsIn|text.IsLast|text.IsPartOf|text.IsPossessive) ||
		s.has(i-1, text.IsOf) && s.has(i-2, text.IsOrdinal|text.IsPartOf|text.IsDateCue|text.IsLast)
	if s.has(i-1, text.IsPartOf) || s.has(i-1, text.IsIn|text.IsLast) {
		return true
	}
	return context && !(s.wordAt(i+1) && s.toks[i+1].Case != text.Lower && s.sameLine(i+1)) && !s.modal(i)
}

// modal reports whether "May" is followed by what a verb would be.
func (s *scan) modal(i int) bool {
	return s.marks[i].Number == 5 && s.wordAt(i+1) && (s.tok(i+1) == "be" || s.tok(i+1) == "have" || s.tok(i+1) == "need")
}

// dayMonth finds a date that begins with a day and goes on with a month's name:
// "5 Mar 2014", "11-July-2013", "11Jul2013", "the 5th of March".
func (s *scan) dayMonth(i int) int {
	if !s.isDayNum(i) || s.glued(i) && s.isWord(i-1, "x") {
		return 0 // "CABG x2 July 2018"
	}
	j := s.afterOrdinal(i)
	ordinal := j > i+1
	if c := s.c(j); (c == '-' || c == '/' || c == '.' || c == ',') && s.sameLine(j+1) {
		if c == ',' && !ordinal || c == '.' && !s.glued(j+1) && !ordinal {
			return 0
		}
		j++
	}
	if s.wordAt(j) && s.tok(j) == "day" && s.has(j+1, text.IsOf) {
		j++
	}
	if s.has(j, text.IsOf) && s.has(j+1, text.IsMonth) {
		j, ordinal = j+1, true
	}
	if !s.has(j, text.IsMonth) || !s.sameLine(j) {
		return 0
	}
	end := s.yearAfterMonth(j, s.afterAbbreviation(j))
	if end == 0 {
		end = s.tightYear(j)
	}
	if end > 0 {
		return s.emit(i, end, phi.Date)
	}
	if e := s.dayAfterMonth(j, s.afterAbbreviation(j)); e > 0 && s.isYear4(e-1) {
		return 0 // "page 2 of 3 Aug. 26, 2016"
	}
	if s.has(j, text.IsDoubtful) && s.has(i-1, text.IsOf) && s.numAt(i-2) {
		return 0 // "page 2 of 3 May resume"
	}
	if s.has(j, text.IsDoubtful) && (s.toks[j].Case == text.Lower && !ordinal || s.modal(j)) {
		return 0
	}
	return s.emit(i, j+1, phi.Date)
}

// tightYear reads a year of two digits joined to the month j: "5-Mar-14".
func (s *scan) tightYear(j int) int {
	k := j + 1
	if c := s.c(k); c == '-' || c == '/' || c == '.' {
		k++
	}
	if s.isYear2(k) && s.glued(k) && s.glued(j+1) {
		return k + 1
	}
	return 0
}

// weekday finds the names of days.
func (s *scan) weekday(i int) int {
	if s.has(i, text.IsWeekday) {
		return s.emit(i, i+1, phi.Date)
	}
	j := s.afterAbbreviation(i)
	if s.c(j) == ',' {
		j++
	}
	on := s.isWord(i-1, "on") || s.isWord(i-1, "until") || s.isWord(i-1, "by") || s.isWord(i-1, "since")
	if on && s.sameLine(i) && (s.isWord(i-1, "on") || !s.has(i, text.IsDoubtful)) {
		return s.emit(i, i+1, phi.Date)
	}
	if s.toks[i].Case == text.Lower {
		return 0
	}
	dated := s.isMonthNum(j) && s.c(j+1) == '/' || s.has(j, text.IsMonth) && !s.has(j, text.IsHalfDay) || s.dayMonthAt(j)
	if dated && s.sameLine(j) || s.has(i-1, text.IsPrep|text.IsLast|text.IsDateCue) && s.sameLine(i) && s.toks[i].Case == text.Title {
		return s.emit(i, i+1, phi.Date)
	}
	return 0
}

func (s *scan) dayMonthAt(j int) bool { return s.isDayNum(j) && s.has(s.afterOrdinal(j), text.IsMonth) }
