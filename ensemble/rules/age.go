package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// age finds the age that begins with the number i. The span of an age in years
// is the number alone, as i2b2 marks it; one in smaller units has its units.
func (s *scan) age(i int) int {
	m := &s.marks[i]
	if m.Digits > 3 || m.Value > 125 || s.precededByDecimal(i) {
		return 0
	}
	if end := s.ageWithUnit(i); end > 0 {
		return end
	}
	if end := s.ageRace(i); end > 0 {
		return end
	}
	if s.announcedAge(i) || s.agePlus(i) || s.lifeEventAge(i) || s.ageOfSomeone(i) || s.ageOfKin(i) {
		end := i + 1
		if s.c(end) == '+' && s.glued(end) {
			end++
		}
		return s.emit(i, end, phi.Age)
	}
	return 0
}

func (s *scan) precededByDecimal(i int) bool {
	return s.glued(i) && (s.c(i-1) == '.' || s.c(i-1) == '/') && s.numAt(i-2) ||
		s.c(i+1) == '.' && s.glued(i+1) && s.numAt(i+2) && s.glued(i+2) || s.c(i-1) == '$'
}

// skipDash returns i, or i+1 where a dash stands at i.
func (s *scan) skipDash(i int) int {
	if s.c(i) == '-' {
		return i + 1
	}
	return i
}

// ageWithUnit reads "53 y/o", "53-year-old", "5 days old", "6 weeks 4 days old".
func (s *scan) ageWithUnit(i int) int {
	j := s.skipDash(i + 1)
	switch {
	case s.has(j, text.IsYearUnit) && s.sameLine(j):
		return s.ageInYears(i, j)
	case s.has(j, text.IsDayUnit) && s.sameLine(j):
		return s.ageInUnits(i, j)
	case (s.c(j) == '-' || s.wordAt(j) && (s.tok(j) == "or" || s.tok(j) == "to" || s.tok(j) == "and")) && s.numAt(j+1) ||
		j == i+2 && s.numAt(j):
		return s.ageRange(i, j)
	}
	return 0
}

func (s *scan) ageRange(i, j int) int {
	if !s.numAt(j) {
		j++
	}
	if s.marks[j].Digits > 3 {
		return 0
	}
	k := s.skipDash(j + 1)
	if !s.has(k, text.IsYearUnit) || !s.old(k) {
		return 0
	}
	s.emit(i, i+1, phi.Age)
	return s.emit(j, j+1, phi.Age)
}

// ageInYears decides on "53 years", whose unit is token j.
func (s *scan) ageInYears(i, j int) int {
	if s.old(j) || s.has(i-1, text.IsOf) && s.has(i-2, text.IsPerson) {
		return s.emit(i, i+1, phi.Age)
	}
	k := s.skipDash(j + 1)
	switch s.tok(j) {
	case "yo", "YO", "Yo", "y", "Y":
		if s.tok(j) == "y" && !s.has(k, text.IsSex|text.IsSexLetter) {
			return 0
		}
		return s.emit(i, i+1, phi.Age)
	}
	if s.has(k, text.IsSex) && s.sameLine(k) && !s.has(k, text.IsPrep) {
		return s.emit(i, i+1, phi.Age)
	}
	if s.has(j+1, text.IsDayUnit) || s.numAt(j+1) && s.has(j+2, text.IsDayUnit) && s.old(j+2) {
		return s.emit(i, i+1, phi.Age)
	}
	return 0
}

// old reports whether "old", "of age", "/o" or ".o." follows the unit j.
func (s *scan) old(j int) bool {
	k := j + 1
	if c := s.c(k); c == '-' || c == '/' || c == '.' {
		k++
	}
	if c := s.c(k); c == '-' || c == '/' {
		k++
	}
	if s.isWord(k, "old") && s.c(k-1) != '.' {
		return true // on the next line too
	}
	if !s.wordAt(k) || !s.sameLine(k) {
		return false
	}
	switch s.tok(k) {
	case "o", "O", "old", "Old", "OLD", "young":
		return true
	}
	return s.has(k, text.IsOf|text.IsIn) && (s.has(k+1, text.IsAgeCue|text.IsOld) || s.tok(k) == "de" && s.has(k+1, text.IsOld))
}

// ageInUnits reads ages of children: "6 weeks 4 days old", "3-month-old", "5 mo
// male"; weeks of a pregnancy and durations are none.
func (s *scan) ageInUnits(i, j int) int {
	last := j
	for k := j + 1; ; {
		if c := s.c(k); c == ',' || s.wordAt(k) && s.tok(k) == "and" {
			k++
		}
		if !s.numAt(k) || !s.has(s.skipDash(k+1), text.IsDayUnit) {
			break
		}
		last = s.skipDash(k + 1)
		k = last + 1
	}
	k := s.skipDash(last + 1)
	if s.c(k) == '.' && s.glued(k) {
		if k++; s.wordAt(k) && s.toks[k].Case != text.Lower || !s.isWord(k, "old") && !s.isWord(k, "male") && !s.isWord(k, "female") {
			return 0
		}
	}
	switch {
	case s.wordAt(k) && s.sameLine(k) && (s.tok(k) == "old" || s.tok(k) == "Old" || s.tok(k) == "OLD"):
		return s.emit(i, k+1, phi.Age)
	case s.c(k) == '/' && s.wordAt(k+1) && (s.tok(k+1) == "o" || s.tok(k+1) == "O"), s.has(k, text.IsOf) && s.has(k+1, text.IsAgeCue):
		return s.emit(i, k+2, phi.Age)
	case s.glued(j) && (s.c(i-1) == ',' || s.toks[i].Line || s.c(i-1) == '.' || s.isWord(i-1, "now") ||
		s.isWord(i-1, "currently")) && (s.ends(k) || s.isWord(k, "corrected") || s.isWord(k, "with")):
		return s.emit(i, last+1, phi.Age)
	case s.has(k, text.IsSexLetter) && s.toks[k].Case == text.Upper && s.sameLine(k) && s.glued(j):
		return s.emit(i, last+1, phi.Age)
	case s.has(k, text.IsSex) && s.sameLine(k) && !s.has(k, text.IsPrep) && s.tok(k) != "patient":
		return s.emit(i, last+1, phi.Age)
	}
	return 0
}

// ageRace reads "53RHM", "86F", "73 WM", "54 male".
func (s *scan) ageRace(i int) int {
	if s.text[s.toks[i].Start] == '0' || s.marks[i].Value < 1 ||
		s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != '-' && s.c(i-1) != ',' && s.c(i-1) != '/' && s.c(i-1) != '.' &&
			s.c(i-1) != ':' {
		return 0
	}
	j := s.skipDash(i + 1)
	if s.c(j) == '/' && s.glued(j) {
		j++
	}
	if !s.wordAt(j) || !s.sameLine(j) {
		return 0
	}
	tight := s.glued(j) && j == i+1
	if s.has(j, text.IsSexLetter) && (s.toks[j].Case == text.Upper || len(s.tok(j)) > 2) {
		long := len(s.tok(j)) > 1
		if s.c(j+1) == '.' && s.glued(j+1) && s.wordAt(j+2) && s.glued(j+2) {
			return 0
		}
		if tight && s.marks[i].Value >= 1 && !(s.tok(j) == "F" && s.has(i-1, text.IsVital)) && !(s.has(j, text.IsHalfDay) &&
			s.marks[i].Value <= 12) && (s.marks[i].Digits == 2 || long) {
			return s.ageBeforeSex(i, j)
		}
		if !tight && s.marks[i].Digits == 1 && !long && s.c(i-1) == ':' && (s.isWord(j+1, "with") || s.isWord(j+1, "w") ||
			s.isWord(j+1, "who")) {
			return s.ageBeforeSex(i, j)
		}
		if !tight && s.marks[i].Digits >= 2 && (long && s.toks[j].Case == text.Upper && !s.has(j, text.IsHalfDay) || s.toks[i].Line ||
			s.has(i-1, text.IsSex) || s.c(i-1) == ',' || s.c(i-1) == ':' || s.c(j-1) == '/' || s.afterName(i)) {
			return s.ageBeforeSex(i, j)
		}
	}
	if tight && s.marks[i].Digits == 2 && (s.isWord(j, "f") || s.isWord(j, "m")) && (s.isWord(j+1, "who") ||
		s.isWord(j+1, "with") || s.isWord(j+1, "w") && s.c(j+2) == '/') {
		return s.ageBeforeSex(i, j)
	}
	switch s.tok(j) {
	case "male", "female", "man", "woman", "gentleman", "lady", "MALE", "FEMALE", "Male", "Female", "girl", "boy", "yof", "yom", "yoF", "yoM":
		if s.marks[i].Value > 3 || s.marks[i].Digits == 1 && tight {
			return s.ageBeforeSex(i, j)
		}
	}
	return 0
}

// afterName reports whether a capitalised word that may be a name goes before
// number i, as in the headings of notes: "LONG, ANN 52 F".
func (s *scan) afterName(i int) bool {
	return s.wordAt(i-1) && s.toks[i-1].Case != text.Lower && s.sameLine(i) && s.marks[i-1].Label == text.NoLabel &&
		(len(s.tok(i-1)) == 1 || !s.has(i-1, text.IsNoun|text.IsUnit|text.IsVital|text.IsScore|text.IsDateCue|text.IsPrep))
}

// ageBeforeSex emits the number of "86F" unless the letter is a unit or the
// number one of a range of measurements.
func (s *scan) ageBeforeSex(i, j int) int {
	if s.has(j+1, text.IsNoun) || s.c(i-1) == '-' && s.numAt(i-2) || s.glued(j+1) && s.c(j+1) == '-' {
		return 0
	}
	for k := i - 1; k >= 0 && k > i-4; k-- {
		if s.has(k, text.IsVital|text.IsScore) && !s.has(k, text.IsLifeEvent|text.IsSexLetter) {
			return 0
		}
	}
	return s.emit(i, i+1, phi.Age)
}
