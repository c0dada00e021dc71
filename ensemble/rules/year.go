package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// bareYear decides on a number of four digits that stands alone.
func (s *scan) bareYear(i int) int {
	v := s.marks[i].Value
	last := uint32(2110)
	if s.isWord(i-1, "hospitalized") {
		last = 2199 // sets whose dates were moved into the future
	}
	if v < 1890 || v > last || s.measured(i+1) || s.c(i-1) == '$' || s.c(i-1) == '#' {
		return 0
	}
	if s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != '/' && s.c(i-1) != '-' && s.c(i-1) != ',' {
		return 0
	}
	if s.c(i+1) == 0 && s.has(i+1, text.IsCompass) && s.glued(i+1) {
		return 0
	}
	if s.yearContext(i) {
		return s.emit(i, i+1, phi.Date)
	}
	return 0
}

// measured reports whether what stands at token i makes the number before it a
// quantity.
func (s *scan) measured(i int) bool {
	if i >= len(s.toks) || s.toks[i].Line {
		return false
	}
	if s.isWord(i, "y") && !s.glued(i) {
		return false // Spanish for "and"
	}
	if s.isWord(i, "s") && s.c(i+1) == '/' && s.isWord(i+2, "n") {
		return false // "s/n"
	}
	if c := s.c(i + 1); c == '#' || c == ':' && !s.glued(i) {
		return false // the next field's name
	}
	if s.has(i, text.IsUnit|text.IsNoun|text.IsDayUnit|text.IsYearUnit|text.IsScore) && !s.has(i, text.IsIn|text.IsState|text.IsPrep) {
		return true
	}
	c := s.c(i)
	return c == '%' || c == ':' && s.glued(i) && s.glued(i+1) && s.numAt(i+1) || (c == '.' ||
		c == ',') && s.glued(i) && s.glued(i+1) && s.numAt(i+1)
}

func (s *scan) yearContext(i int) bool {
	v := s.marks[i].Value
	round := v%50 == 0 && v != 2000 && v != 2050
	switch {
	case s.has(i-1, text.IsIn|text.IsSeason|text.IsHoliday):
		return true
	case s.has(i-1, text.IsPossessive):
		return v > 1930 && v < 2040 && !round
	case s.has(i-1, text.IsPartOf|text.IsMonth):
		return true
	case s.wordAt(i-1) && (s.tok(i-1) == "since" || s.tok(i-1) == "Since" || s.tok(i-1) == "circa" ||
		s.tok(i-1) == "año" || s.tok(i-1) == "year") || s.isWord(i-1, "hospitalized"):
		return true
	case s.afterYear(i):
		return true
	case s.has(i-1, text.IsPrep|text.IsDateCue|text.IsLast):
		return !round && v != 2000 || s.ends(i+1) && v >= 1950 && v < 2040 && v%100 != 0
	case s.has(i-1, text.IsOf) && s.has(i-2, text.IsVital):
		return false
	case s.has(i-1, text.IsOf):
		return s.has(i-2, text.IsSeason|text.IsHoliday|text.IsPartOf|text.IsMonth|text.IsDateCue) || s.wordAt(i-2) && (s.tok(i-2) == "end" ||
			s.tok(i-2) == "beginning" || s.toks[i-2].Case == text.Title && !round && !s.toks[i-2].Line) ||
			s.ends(i+1) && !round && v > 1930 && v < 2040 && v != 2000
	}
	if round || v < 1930 || v > 2040 {
		return false
	}
	return s.historyYear(i)
}

// afterYear reports whether the list or range before token i ends in a year that
// was found: "2009, 2010 and 2011".
func (s *scan) afterYear(i int) bool {
	if len(s.out) == s.base || i < 2 {
		return false
	}
	last := s.out[len(s.out)-1]
	if last.Type != phi.Date {
		return false
	}
	j := i - 1
	if s.c(j) != ',' && s.c(j) != '-' && s.c(j) != '/' && s.c(j) != '&' && !s.has(j, text.IsPrep|text.IsFill) {
		return false
	}
	if s.has(j, text.IsFill) && s.c(j-1) == ',' {
		j--
	}
	return j > 0 && s.toks[j-1].End == last.End && s.marks[j-1].Digits == 4
}

// historyYear accepts the year at the end of a phrase, as histories list them:
// "Appendectomy 1995,", "CABG (2008)", "s/p TAH - 1978".
func (s *scan) historyYear(i int) bool {
	j := i - 1
	capital := s.wordAt(i+1) && s.toks[i+1].Case != text.Lower && s.sameLine(i+1)
	if (s.c(j) == ',' || s.c(j) == ';') && capital && !s.glued(i) && !s.has(i+1, text.IsState|text.IsMonth|text.IsStreet) {
		return true
	}
	if s.c(j) == '(' && (s.isWord(i+1, "to") || s.c(i+1) == '-') && s.isYear4(i+2) {
		return true
	}
	if s.c(j) == '(' && s.glued(i) && s.marks[max(j-1, 0)].Label == text.NoLabel && (s.ends(i+1) ||
		s.wordAt(i+1) && s.toks[i+1].Case == text.Title) {
		return true
	}
	if s.c(i+1) == '-' && s.isYear4(i+2) && s.sameLine(i+2) && s.marks[i+2].Value > s.marks[i].Value {
		return true
	}
	if !s.ends(i+1) && !s.conjunction(i+1) || !s.sameLine(i) {
		return false
	}
	if c := s.c(j); c == '(' || c == ',' || c == '-' || c == ':' {
		if s.glued(i) && (c == '-' || !s.wordAt(j-1)) {
			return false
		}
		j--
	}
	if s.numAt(j) && s.wordAt(j-1) && s.glued(j) {
		return true
	}
	if !s.wordAt(j) || s.has(j, text.IsUnit|text.IsFill|text.IsStreet|text.IsWay|text.IsVital|text.IsScore|text.IsContact|text.IsApart) && !s.has(j, text.IsDateCue) {
		return false
	}
	return s.marks[j].Label == text.NoLabel && s.tok(j) != "at" && s.tok(j) != "than"
}

// apostropheYear finds "'98" and "'80s" at the apostrophe.
func (s *scan) apostropheYear(i int) int {
	if !s.isYear2(i+1) || !s.glued(i+1) || s.glued(i) && i > 0 && (s.numAt(i-1) || s.wordAt(i-1)) {
		return 0
	}
	end := i + 2
	if s.wordAt(end) && s.glued(end) {
		if t := s.tok(end); t != "s" {
			return 0
		}
		return s.emit(i, end+1, phi.Date)
	}
	if !s.glued(i) && s.ends(end) || s.has(i-1, text.IsIn|text.IsPrep|text.IsOf|text.IsMonth|text.IsSeason|text.IsPartOf|text.IsLast|text.IsDateCue) {
		return s.emit(i, end, phi.Date)
	}
	return 0
}

// shortYear finds "in 08", "since 98".
func (s *scan) shortYear(i int) int {
	if s.marks[i].Digits != 2 || !s.ends(i+1) && !s.conjunction(i+1) || !s.sameLine(i) {
		return 0
	}
	since := s.wordAt(i-1) && (s.tok(i-1) == "since" || s.tok(i-1) == "Since")
	in := s.wordAt(i-1) && s.tok(i-1) == "in"
	v, zero := s.marks[i].Value, s.tok(i)[0] == '0'
	if in && s.quitBefore(i-1) {
		return s.emit(i, i+1, phi.Date)
	}
	if since && (zero || v > 31) || in && (zero || v >= 60) && !s.has(i-2, text.IsVital) {
		return s.emit(i, i+1, phi.Date)
	}
	return 0
}

// quitBefore reports whether one of the four words before token i tells that a
// habit began or ended.
func (s *scan) quitBefore(i int) bool {
	for k := i - 1; k >= 0 && k > i-5; k-- {
		if s.isWord(k, "quit") || s.isWord(k, "stopped") || s.isWord(k, "started") || s.isWord(k, "retired") {
			return true
		}
	}
	return false
}

func (s *scan) conjunction(i int) bool { return s.has(i, text.IsConjunction) }
