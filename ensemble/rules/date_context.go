package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// monthDay decides whether "3/5" at i is a day of a month, not a fraction, a
// score or a grade.
func (s *scan) monthDay(i int) bool {
	if s.graded(i) {
		return false
	}
	if s.dateContext(i) || s.has(i-1, text.IsWeekday|text.IsShortDay) || s.timeFollows(i+3) {
		return true
	}
	a, b := &s.marks[i], &s.marks[i+2]
	if a.Digits == 2 && b.Digits == 2 && (a.Value < 10 || b.Value < 10 || b.Value > 12) {
		return true
	}
	if b.Digits == 2 && b.Value < 10 || s.afterDay(i) {
		return true
	}
	if b.Value > 12 && b.Value != 15 && b.Value != 16 && b.Value != 30 {
		return true
	}
	if s.startsEntry(i) {
		return true
	}
	improper := a.Value > b.Value && b.Value != 4 && b.Value != 5 && b.Value != 6 && b.Value != 10
	return improper || s.rangeOfDays(i)
}

// startsEntry reports whether "3/5" at i heads a line, a sentence or a row, or
// stands alone in parentheses: "3/5: afebrile", "3/5 Jones", "(8/16)".
func (s *scan) startsEntry(i int) bool {
	if s.c(i-1) == '(' && s.c(i+3) == ')' {
		return s.marks[i+2].Value > 12
	}
	if s.toks[i].Line && s.sameLine(i+3) && (s.numAt(i+3) || s.wordAt(i+3) && s.toks[i+3].Case == text.Title && s.toks[i+3].Space) {
		return true
	}
	if s.toks[i].Line && (i+3 >= len(s.toks) || s.toks[i+3].Line) || s.c(i+3) == ':' && i+4 < len(s.toks) && s.toks[i+4].Space {
		return true
	}
	return (s.toks[i].Line || s.c(i-1) == '.' && !s.glued(i)) && (s.c(i+3) == ':' || s.c(i+3) == '-' && s.toks[i].Line)
}

// afterDay reports whether "3/5" at i goes on a list or range of days: "3/1 and
// 3/5".
func (s *scan) afterDay(i int) bool {
	n := len(s.out)
	if n == s.base || i < 4 || s.out[n-1].Type != phi.Date || s.out[n-1].End != s.toks[i-2].End {
		return false
	}
	return s.c(i-1) == ',' || s.isWord(i-1, "and") || s.isWord(i-1, "or") || s.has(i-1, text.IsPrep)
}

// rangeOfDays reports whether "3/5" is an end of "3/5-3/7".
func (s *scan) rangeOfDays(i int) bool {
	if s.c(i+3) == '-' && s.isMonthNum(i+4) && s.c(i+5) == '/' && s.isDayNum(i+6) && s.marks[i+4].Value >= s.marks[i].Value {
		return s.marks[i+2].Value > 6 || s.marks[i+6].Value > 6
	}
	if n := len(s.out); n > s.base && s.c(i-1) == '-' && i > 1 {
		return s.out[n-1].Type == phi.Date && s.out[n-1].End == s.toks[i-2].End
	}
	return false
}

// monthYear2 accepts "11/98": a month and a year of two digits beyond the days.
func (s *scan) monthYear2(i int) bool {
	v := s.marks[i+2].Value
	if s.graded(i) || s.marks[i+2].Digits != 2 {
		return false
	}
	if s.dateContext(i) {
		return v > 31 && v%10 != 0 || s.marks[i].Digits == 2
	}
	return v >= 70 && v%10 != 0
}

// graded reports whether words around "a/b" tell of a grade, a score, an amount.
func (s *scan) graded(i int) bool {
	if s.isWord(i-1, "as") && !s.has(i-2, text.IsDateCue) && !s.has(i-3, text.IsDateCue) && !s.has(i-4, text.IsDateCue) {
		return true // "recorded as 5/5"
	}
	for j := i - 1; j >= 0 && j >= i-3 && (!s.toks[j+1].Line || j == i-1) && !(s.has(j, text.IsPrep) && !s.has(j, text.IsScore)); j-- {
		if j == i-1 && s.has(j, text.IsShortDay) && s.toks[j].Case != text.Lower {
			break // "Sat 4/21" is no saturation
		}
		if s.has(j, text.IsScore|text.IsVital) && !s.has(j, text.IsDateCue) || j == i-1 && s.has(j, text.IsDayUnit) {
			return true
		}
		if s.numAt(j) || s.c(j) == ',' || s.c(j) == ';' || s.c(j) == '.' {
			break
		}
	}
	for j := i + 3; j < len(s.toks) && j < i+6 && s.sameLine(j); j++ {
		if s.has(j, text.IsGraded) && j < i+5 || s.has(j, text.IsNoun) && j == i+3 || j == i+3 && s.has(j, text.IsUnit) && s.glued(j) ||
			j == i+3 && s.c(j) == '%' {
			return true
		}
		if s.has(j, text.IsDateCue) || !s.wordAt(j) && s.c(j) != '-' {
			break
		}
	}
	return false
}

// dateContext reports whether the words before token i announce a date.
func (s *scan) dateContext(i int) bool {
	j := i - 1
	for j >= 0 && !s.wordAt(j) {
		c := s.c(j)
		if s.toks[j+1].Line && c != ':' || c != ':' && c != '-' && c != '.' && c != '#' && c != '(' && c != '=' && c != '~' {
			return false
		}
		j--
	}
	if j < 0 {
		return false
	}
	if s.has(j, text.IsPrep|text.IsDateCue|text.IsIn|text.IsWeekday|text.IsShortDay|text.IsMonth|text.IsLast) && !s.has(j, text.IsVital) {
		return true
	}
	return s.has(j, text.IsThe|text.IsOf|text.IsFill) && s.has(j-1, text.IsPrep|text.IsDateCue) && s.sameLine(j) || s.has(j, text.IsOf) && s.isWord(j-1, "week")
}

// timeFollows reports whether a time of day stands at token i, perhaps after
// "at", "@" or a comma.
func (s *scan) timeFollows(i int) bool {
	if c := s.c(i); c == '@' || c == ',' {
		i++
	} else if s.wordAt(i) && s.tok(i) == "at" {
		i++
	}
	return s.numAt(i) && (s.c(i+1) == ':' && s.glued(i+1) && s.numAt(i+2) && s.marks[i+2].Digits == 2 || s.halfDay(i+1) > 0)
}
