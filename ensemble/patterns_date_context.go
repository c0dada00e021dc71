package ensemble

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
	if s.dateContext(i) || s.has(i-1, isWeekday|isShortDay) || s.timeFollows(i+3) {
		return true
	}
	a, b := &s.marks[i], &s.marks[i+2]
	if a.n == 2 && b.n == 2 && (a.v < 10 || b.v < 10 || b.v > 12) {
		return true
	}
	if b.n == 2 && b.v < 10 || s.afterDay(i) {
		return true
	}
	if b.v > 12 && b.v != 15 && b.v != 16 && b.v != 30 {
		return true
	}
	if s.startsEntry(i) {
		return true
	}
	improper := a.v > b.v && b.v != 4 && b.v != 5 && b.v != 6 && b.v != 10
	return improper || s.rangeOfDays(i)
}

// startsEntry reports whether "3/5" at i heads a line, a sentence or a row, or
// stands alone in parentheses: "3/5: afebrile", "3/5 Jones", "(8/16)".
func (s *scan) startsEntry(i int) bool {
	if s.c(i-1) == '(' && s.c(i+3) == ')' {
		return s.marks[i+2].v > 12
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
	return s.c(i-1) == ',' || s.isWord(i-1, "and") || s.isWord(i-1, "or") || s.has(i-1, isPrep)
}

// rangeOfDays reports whether "3/5" is an end of "3/5-3/7".
func (s *scan) rangeOfDays(i int) bool {
	if s.c(i+3) == '-' && s.isMonthNum(i+4) && s.c(i+5) == '/' && s.isDayNum(i+6) && s.marks[i+4].v >= s.marks[i].v {
		return s.marks[i+2].v > 6 || s.marks[i+6].v > 6
	}
	if n := len(s.out); n > s.base && s.c(i-1) == '-' && i > 1 {
		return s.out[n-1].Type == phi.Date && s.out[n-1].End == s.toks[i-2].End
	}
	return false
}

// monthYear2 accepts "11/98": a month and a year of two digits beyond the days.
func (s *scan) monthYear2(i int) bool {
	v := s.marks[i+2].v
	if s.graded(i) || s.marks[i+2].n != 2 {
		return false
	}
	if s.dateContext(i) {
		return v > 31 && v%10 != 0 || s.marks[i].n == 2
	}
	return v >= 70 && v%10 != 0
}

// graded reports whether words around "a/b" tell of a grade, a score, an amount.
func (s *scan) graded(i int) bool {
	if s.isWord(i-1, "as") && !s.has(i-2, isDateCue) && !s.has(i-3, isDateCue) && !s.has(i-4, isDateCue) {
		return true // "recorded as 5/5"
	}
	for j := i - 1; j >= 0 && j >= i-3 && (!s.toks[j+1].Line || j == i-1) && !(s.has(j, isPrep) && !s.has(j, isScore)); j-- {
		if j == i-1 && s.has(j, isShortDay) && s.toks[j].Case != text.Lower {
			break // "Sat 4/21" is no saturation
		}
		if s.has(j, isScore|isVital) && !s.has(j, isDateCue) || j == i-1 && s.has(j, isDayUnit) {
			return true
		}
		if s.numAt(j) || s.c(j) == ',' || s.c(j) == ';' || s.c(j) == '.' {
			break
		}
	}
	for j := i + 3; j < len(s.toks) && j < i+6 && s.sameLine(j); j++ {
		if s.has(j, isGraded) && j < i+5 || s.has(j, isNoun) && j == i+3 || j == i+3 && s.has(j, isUnit) && s.glued(j) ||
			j == i+3 && s.c(j) == '%' {
			return true
		}
		if s.has(j, isDateCue) || !s.wordAt(j) && s.c(j) != '-' {
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
	if s.has(j, isPrep|isDateCue|isIn|isWeekday|isShortDay|isMonth|isLast) && !s.has(j, isVital) {
		return true
	}
	return s.has(j, isThe|isOf|isFill) && s.has(j-1, isPrep|isDateCue) && s.sameLine(j) || s.has(j, isOf) && s.isWord(j-1, "week")
}

// timeFollows reports whether a time of day stands at token i, perhaps after
// "at", "@" or a comma.
func (s *scan) timeFollows(i int) bool {
	if c := s.c(i); c == '@' || c == ',' {
		i++
	} else if s.wordAt(i) && s.tok(i) == "at" {
		i++
	}
	return s.numAt(i) && (s.c(i+1) == ':' && s.glued(i+1) && s.numAt(i+2) && s.marks[i+2].n == 2 || s.halfDay(i+1) > 0)
}
