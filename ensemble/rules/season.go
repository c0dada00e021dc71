package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// decade finds "1980s", "the late 60s" (a date) and "in his 60s" (an age) at the
// number.
func (s *scan) decade(i int) int {
	end := i + 1
	if s.c(end) == '\'' && s.glued(end) {
		end++
	}
	if !s.wordAt(end) || !s.glued(end) || s.tok(end) != "s" && s.tok(end) != "S" || s.marks[i].Value%10 != 0 {
		return 0
	}
	end++
	if s.isYear4(i) && s.marks[i].Value >= 1890 && s.marks[i].Value < 2100 {
		return s.emit(i, end, phi.Date)
	}
	if s.marks[i].Digits != 2 || s.marks[i].Value < 20 {
		return 0
	}
	j := i - 1
	for s.has(j, text.IsPartOf) || s.c(j) == '-' || s.wordAt(j) && s.tok(j) == "to" {
		j--
	}
	if s.has(j, text.IsPossessive) {
		return s.emit(i, end, phi.Age)
	}
	if j < i-1 && (s.has(j, text.IsThe|text.IsPrep|text.IsIn) || s.ends(end) || s.conjunction(end)) && !s.measurement(j) {
		return s.emit(i, end, phi.Date)
	}
	return 0
}

// measurement reports whether one of the four words up to j tells of a vital
// sign.
func (s *scan) measurement(j int) bool {
	for k := j; k >= 0 && k > j-5; k-- {
		if s.has(k, text.IsVital) {
			return true
		}
	}
	return false
}

// theDay finds "the 29th" and "on the 29th of this month" at the number.
func (s *scan) theDay(i int) int {
	if !s.isDayNum(i) || !s.has(i+1, text.IsOrdinal) || !s.glued(i+1) || !s.has(i-1, text.IsThe) {
		return 0
	}
	prep := s.has(i-2, text.IsPrep) && !s.has(i-2, text.IsUnit)
	if s.has(i+2, text.IsOf) && (s.has(i+3, text.IsLast|text.IsThe) && s.wordAt(i+4) && s.tok(i+4) == "month" ||
		s.has(i+3, text.IsLast) && s.has(i+4, text.IsDayUnit)) {
		return s.emit(i, i+2, phi.Date)
	}
	if (s.isWord(i-2, "since") || s.isWord(i-2, "rtc")) && !s.has(i+2, text.IsNoun) {
		return s.emit(i, i+2, phi.Date)
	}
	if !s.ends(i+2) && !s.has(i+2, text.IsPrep|text.IsIn) && !s.conjunction(i+2) || s.has(i+2, text.IsNoun) {
		return 0
	}
	if prep || s.marks[i].Value > 12 || s.isWord(i-2, "rtc") || s.isWord(i-2, "return") {
		return s.emit(i, i+2, phi.Date)
	}
	return 0
}

// season finds "spring 2011", "the fall of 2010", "last summer".
func (s *scan) season(i int) int {
	j := i + 1
	if s.c(j) == ',' {
		j++
	}
	if s.has(j, text.IsOf) {
		j++
	}
	if s.isYear4(j) && s.marks[j].Value > 1900 && s.sameLine(j) {
		return s.emit(i, j+1, phi.Date)
	}
	if s.c(j) == '\'' && s.isYear2(j+1) && s.glued(j+1) {
		return s.emit(i, j+2, phi.Date)
	}
	fall := s.tok(i) == "fall" || s.tok(i) == "Fall"
	article := s.has(i-1, text.IsThe) && s.has(i-2, text.IsIn|text.IsPrep|text.IsPartOf)
	if fall {
		article = article && s.has(i-2, text.IsIn)
	}
	if fall && s.isWord(i-1, "past") && s.isWord(i-2, "this") {
		return s.emit(i, i+1, phi.Date)
	}
	if article || s.has(i-1, text.IsLast|text.IsPartOf) && !fall || s.has(i-1, text.IsIn) && !fall {
		return s.emit(i, i+1, phi.Date)
	}
	return 0
}

// holiday finds the names of holidays at their first word.
func (s *scan) holiday(i int) int {
	end := i + 1
	if s.wordAt(end) && s.sameLine(end) && (s.tok(end) == "Day" || s.tok(end) == "Eve" || s.tok(end) == "day" ||
		s.tok(end) == "eve") {
		end++
	}
	if s.toks[i].Case == text.Lower && s.marks[i].Label == text.NoLabel && (s.tok(i) == "lent" || s.tok(i) == "epiphany") {
		return 0
	}
	return s.emit(i, end, phi.Date)
}

// namedDay finds holidays of several words at the first: "Labor Day", "New
// Year's Eve", "Good Friday".
func (s *scan) namedDay(i int) int {
	if s.toks[i].Case == text.Lower {
		return 0
	}
	j := i + 1
	if s.c(j) == '\'' && s.glued(j) && s.isWord(j+1, "s") {
		j += 2
	}
	if !s.has(j, text.IsDayWord) || s.toks[j].Case == text.Lower || !s.sameLine(j) {
		return 0
	}
	switch {
	case s.isWord(i, "new") != s.has(j, text.IsYearUnit):
		return 0
	case s.isWord(i, "good") != s.isWord(j, "friday"), s.isWord(i, "ash") != s.isWord(j, "wednesday"):
		return 0
	}
	end := j + 1
	if s.isWord(i, "new") {
		if s.c(end) != '\'' || !s.isWord(end+1, "s") {
			return 0
		}
		end += 2
		if s.has(end, text.IsDayWord) && s.sameLine(end) {
			end++
		}
	}
	return s.emit(i, end, phi.Date)
}
