package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// announcedAge reports whether "age", "aged" or "turned" goes before number i.
func (s *scan) announcedAge(i int) bool {
	j := i - 1
	for steps := 0; steps < 4 && (s.has(j, text.IsOf|text.IsIn) || s.c(j) == ':' || s.c(j) == '=' || s.c(j) == '-' ||
		s.wordAt(j) && s.between(j)); steps++ {
		j--
	}
	if s.numAt(j) && s.has(j-1, text.IsAgeCue) && j == i-2 && !s.measured(i+1) {
		return true
	}
	if j == i-2 && s.isWord(j+1, "was") && s.isWord(j-1, "when") && s.ends(i+1) {
		return true
	}
	return s.has(j, text.IsAgeCue) && !s.percentOrUnit(i+1) && s.line(j, i)
}

// line reports whether tokens j to i stand on one line, or i begins the line
// after a label.
func (s *scan) line(j, i int) bool {
	for k := j + 1; k <= i; k++ {
		if s.toks[k].Line && s.c(k-1) != ':' {
			return false
		}
	}
	return true
}

func (s *scan) between(j int) bool {
	switch s.tok(j) {
	case "is", "was", "about", "approximately", "at", "around", "to", "and", "or", "between":
		return true
	}
	return false
}

func (s *scan) percentOrUnit(i int) bool {
	return s.c(i) == '%' || s.has(i, text.IsUnit) && !s.has(i, text.IsSexLetter|text.IsYearUnit|text.IsDayUnit|text.IsIn|text.IsPrep) && s.sameLine(i)
}

// agePlus accepts "89+", "90+" where nothing makes it a grade.
func (s *scan) agePlus(i int) bool {
	return s.c(i+1) == '+' && s.glued(i+1) && s.marks[i].Value >= 85 && s.marks[i].Value <= 120 && s.ends(i+2) && !s.measurement(i-1)
}

// lifeEventAge accepts the number of "had a stroke at 80", "died at 92".
func (s *scan) lifeEventAge(i int) bool {
	if !s.isWord(i-1, "at") && s.c(i-1) != '@' || s.marks[i].Digits != 2 || s.marks[i].Value < 10 || s.c(i+1) == ':' || !s.sameLine(i) {
		return false
	}
	if n := len(s.out); n > s.base && s.c(i-2) == ',' && s.out[n-1].Type == phi.Age && s.toks[i].Start-s.out[n-1].End < 60 &&
		s.wordAt(i+1) {
		return !s.measured(i + 1)
	}
	if !s.ends(i+1) && !s.has(i+1, text.IsOf|text.IsPrep|text.IsIn) && !s.conjunction(i+1) {
		return false
	}
	for k := i - 2; k >= 0 && k > i-8 && s.c(k) != '.' && s.c(k) != ';'; k-- {
		if s.has(k, text.IsVital|text.IsContact) && !s.has(k, text.IsLifeEvent) {
			return false
		}
		if s.has(k, text.IsLifeEvent|text.IsKin) {
			return true
		}
	}
	return false
}

// ageOfKin accepts "Sister, 54, healthy", "father (82)" and the rest of "ages 4, 6
// and 9".
func (s *scan) ageOfKin(i int) bool {
	if n := len(s.out); n > s.base && i > 1 && s.out[n-1].Type == phi.Age && s.out[n-1].End == s.toks[i-2].End && s.marks[i].Digits <= 2 {
		list := s.c(i-1) == ',' || s.isWord(i-1, "and")
		for k := i - 3; list && k >= 0 && k > i-12; k-- {
			if s.isWord(k, "ages") {
				return !s.measured(i + 1)
			}
		}
	}
	if s.marks[i].Digits != 2 || !s.ends(i+1) || !s.sameLine(i) {
		return false
	}
	if s.presented(i) || s.c(i-1) == '/' && s.has(i-2, text.IsSexLetter) && len(s.tok(i-2)) == 1 && s.glued(i) && s.glued(i-1) {
		return true
	}
	if s.isWord(i-1, "now") || (s.isWord(i-1, "to") || s.isWord(i-1, "be")) && (s.isWord(i-2, "lived") ||
		s.isWord(i-3, "lived")) || s.c(i-1) == '.' && s.isWord(i-2, "d") && s.c(i-3) == '(' {
		return true
	}
	j := i - 1
	if s.c(j) == '(' && s.c(i+1) == ')' {
		return s.kinBefore(j)
	}
	if c := s.c(j); c == ',' || c == '(' || c == '-' || c == ':' {
		j--
	}
	return s.has(j, text.IsKin)
}

// presented reports whether number i stands between commas as ages do after a
// name: "Ann Long, 30, presents today", "Ann is 30, lives alone".
func (s *scan) presented(i int) bool {
	if s.c(i+1) != ',' || !s.wordAt(i+2) || s.toks[i+2].Case == text.Upper && s.toks[i-1].Kind != text.Punct {
		return false
	}
	if s.isWord(i-1, "is") {
		return s.isWord(i+2, "lives") || s.isWord(i+2, "and")
	}
	if s.c(i-1) != ',' || !s.wordAt(i-2) || s.toks[i-2].Case == text.Lower {
		return false
	}
	return s.isWord(i+2, "presents") || s.isWord(i+2, "is") || s.isWord(i+2, "was") || s.isWord(i+2, "who") || s.isWord(i+2, "came")
}

// kinBefore reports whether a relative's name, of capitalised words, or the word
// for the relative stands before token j: "sister: Ann Long (58)".
func (s *scan) kinBefore(j int) bool {
	for k := j - 1; k >= 0 && k > j-6; k-- {
		if s.has(k, text.IsKin) {
			return true
		}
		if s.c(k) != ':' && s.c(k) != '.' && !(s.wordAt(k) && s.toks[k].Case != text.Lower) {
			return false
		}
	}
	return false
}

// ageOfSomeone accepts "a 54" before a sex and race of several words: "54 black
// female", "54 right-handed man".
func (s *scan) ageOfSomeone(i int) bool {
	if s.marks[i].Digits != 2 || s.marks[i].Value < 12 || s.glued(i) && s.c(i-1) != '(' {
		return false
	}
	for k := i + 1; k < i+5 && s.wordAt(k) && s.sameLine(k); k++ {
		switch s.tok(k) {
		case "male", "female", "man", "woman", "gentleman", "lady":
			return k > i+1
		case "white", "black", "African", "American", "Caucasian", "Hispanic", "Asian", "white-", "right", "left", "handed", "pleasant", "elderly", "married", "single":
			if s.c(k+1) == '-' {
				k++
			}
		default:
			return false
		}
	}
	return false
}

// spelledAge finds "eighty-five-year-old" and "DOL 6", "day of life 7".
func (s *scan) spelledAge(i int) int {
	if s.has(i, text.IsDoL) {
		j := i + 1
		if s.isWord(i, "day") {
			if !s.has(j, text.IsOf) || !s.isWord(j+1, "life") {
				return 0
			}
			j += 2
		}
		if c := s.c(j); c == '#' || c == ':' || c == '-' {
			j++
		}
		if s.numAt(j) && s.marks[j].Digits <= 3 && s.sameLine(j) {
			return s.emit(i, j+1, phi.Age)
		}
		return 0
	}
	if !s.has(i, text.IsNumWord) {
		return 0
	}
	end := i + 1
	if k := s.skipDash(end); s.has(k, text.IsNumWord) && s.sameLine(k) && s.marks[i].Number >= 20 {
		end = k + 1
	}
	k := s.skipDash(end)
	if !s.sameLine(k) || !s.has(k, text.IsYearUnit|text.IsDayUnit) {
		return 0
	}
	if s.has(k, text.IsYearUnit) && s.old(k) {
		return s.emit(i, end, phi.Age)
	}
	if o := s.skipDash(k + 1); s.has(k, text.IsDayUnit) && s.wordAt(o) && s.tok(o) == "old" {
		return s.emit(i, o+1, phi.Age)
	}
	return 0
}
