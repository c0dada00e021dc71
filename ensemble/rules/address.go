package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// street finds a street address that begins with the house number i.
func (s *scan) street(i int) int {
	if s.marks[i].Digits > 6 || s.glued(i) && i > 0 && s.c(i-1) != '(' && s.c(i-1) != ':' && s.c(i-1) != ',' &&
		s.c(i-1) != '"' && s.c(i-1) != '=' {
		return 0
	}
	j := s.houseSuffix(i)
	if !s.wordAt(j) && !s.numAt(j) || s.toks[j].Line {
		return 0
	}
	end := s.streetName(i, j)
	if end == 0 {
		return 0
	}
	from := i
	if end = s.apartment(end); end == 0 {
		return 0
	}
	s.emit(from, end, phi.Street)
	return s.cityLine(end)
}

// houseSuffix returns the token after the house number: "12", "12B", "12-14",
// "3/42", "12 1/2".
func (s *scan) houseSuffix(i int) int {
	j := i + 1
	if c := s.c(j); (c == '-' || c == '/') && s.separates(j, false) && s.numAt(j+1) {
		j += 2
	}
	if s.wordAt(j) && s.glued(j) && len(s.tok(j)) == 1 && s.toks[j].Case == text.Upper {
		j++
	}
	return j
}

// maxStreetWords is how many words a street's name may have before its type.
const maxStreetWords = 5

// streetName reads the name and the type of a street from j on and returns the
// token after it, or 0.
func (s *scan) streetName(house, j int) int {
	end, words := 0, 0
	for k := j; k < len(s.toks) && k < j+4*maxStreetWords && words <= maxStreetWords && s.sameLine(k); k++ {
		switch {
		case s.c(k) == '.' && s.glued(k) && s.wordAt(k-1) && len(s.tok(k-1)) <= 4 && s.sameLine(k+1) && !s.glued(k+1):
			if end == k {
				end = k + 1
				if s.wordAt(end) && s.toks[end].Case == text.Title && !s.has(end, text.IsStreet|text.IsCompass|text.IsWay) {
					return s.finishStreet(end) // the next sentence
				}
			}
			continue
		case s.c(k) == '\'' || s.c(k) == '-' && s.separates(k, false):
			continue
		case s.has(k, text.IsWay) && (s.numAt(k+1) ||
			s.wordAt(k+1) && len(s.tok(k+1)) == 1 && s.toks[k+1].Case == text.Upper) && s.sameLine(k+1):
			return k + 2
		case words > 0 && s.toks[k].Case != text.Lower && s.toks[j].Case != text.Lower && s.marks[house].Digits >= 2 && s.unitFollows(k):
			return s.finishStreet(k) // "77 Elm Apt 2"
		case words > 0 && s.streetType(house, j, k):
			end = k + 1
		case !s.streetWord(j, k):
			return s.finishStreet(s.untypedStreet(house, end, j, k))
		}
		words++
	}
	return s.finishStreet(end)
}

// untypedStreet accepts a street without a type, from j to k, where an address is
// announced or an apartment follows: "lives at 1234 Six Forks", "77 Elm Apt 2".
func (s *scan) untypedStreet(house, end, j, k int) int {
	if end > 0 || k == j || s.toks[j].Case == text.Lower || !s.wordAt(j) {
		return end
	}
	for s.toks[k-1].Kind == text.Punct {
		k--
	}
	if s.numAt(k) && s.has(k+1, text.IsApart) {
		k++
	}
	if s.has(k, text.IsApart) && s.toks[k].Case != text.Lower && (s.numAt(k+1) ||
		s.c(k+1) == '.' && s.numAt(k+2)) && s.sameLine(k) || s.labelBefore(house) == text.LabelAddress ||
		s.c(k) == ',' && s.marks[house].Digits >= 2 && s.addressAhead(k) {
		return k
	}
	return 0
}

// finishStreet takes in a compass point after the street.
func (s *scan) finishStreet(end int) int {
	if end == 0 {
		return 0
	}
	if s.has(end, text.IsCompass) && s.toks[end].Case != text.Lower && s.sameLine(end) && s.c(end+1) != '/' { // "S/p"
		end++
	}
	if s.c(end) == '.' && s.glued(end) && s.has(end-1, text.IsStreet) && len(s.tok(end-1)) <= 4 && s.c(end+1) != 0 {
		end++
	}
	return end
}

// streetType reports whether token k is the type of a street whose name begins
// at j.
func (s *scan) streetType(house, j, k int) bool {
	if !s.has(k, text.IsStreet) || s.toks[k].Line {
		return false
	}
	if s.isWord(k, "dr") && s.c(k+1) == '.' && s.wordAt(k+2) && s.toks[k+2].Case == text.Title && s.sameLine(k+2) &&
		!s.has(j, text.IsCompass) && !s.has(house-1, text.IsPrep|text.IsIn|text.IsAt) {
		return false // a doctor
	}
	if s.toks[k].Case == text.Lower && s.unitFollows(k+1) && s.marks[house].Digits >= 2 {
		return true
	}
	if s.toks[k].Case == text.Lower {
		return (s.has(k, text.IsPlainStreet) || s.isWord(k, "st") && s.ends(k+1)) && s.marks[house].Digits >= 2 &&
			!s.has(j, text.IsUnit|text.IsNoun|text.IsDayUnit|text.IsYearUnit|text.IsPrep|text.IsIn|text.IsOf|text.IsThe|text.IsFill) && k <= j+3
	}
	if s.has(k, text.IsPlainStreet) || s.addressAhead(k+1) {
		return true
	}
	return s.marks[house].Digits >= 3 && s.toks[j].Case != text.Lower && (s.ends(k+1) || s.has(k+1, text.IsApart|text.IsCompass|text.IsIn)) ||
		s.labelBefore(house) == text.LabelAddress
}

// addressAhead reports whether ", City, ST 12345" or an apartment follows at i.
func (s *scan) addressAhead(i int) bool {
	if s.c(i) == '.' || s.c(i) == ',' {
		i++
	}
	if s.unitFollows(i) {
		return true
	}
	for k := i; k < i+6 && k < len(s.toks); k++ {
		if s.has(k, text.IsState) && s.toks[k].Case != text.Lower && (s.numAt(k+1) && s.marks[k+1].Digits >= 4 ||
			s.c(k+1) == ',' && s.numAt(k+2)) {
			return true
		}
		if !s.wordAt(k) && s.c(k) != ',' && s.c(k) != '.' {
			return false
		}
	}
	return false
}

// unitFollows reports whether "Apt 4", "unit 36" or "#5" stands at token i.
func (s *scan) unitFollows(i int) bool {
	if s.c(i) == '#' {
		return s.numAt(i+1) && s.sameLine(i)
	}
	if !s.has(i, text.IsApart) || !s.sameLine(i) {
		return false
	}
	if s.c(i+1) == '.' || s.c(i+1) == '#' {
		i++
	}
	return s.numAt(i+1) && s.sameLine(i+1)
}

// streetWord reports whether token k may stand in the name of a street.
func (s *scan) streetWord(j, k int) bool {
	if s.numAt(k) {
		return s.has(k+1, text.IsOrdinal) && s.glued(k+1)
	}
	if !s.wordAt(k) || s.has(k, text.IsUnit|text.IsNoun) && !s.has(k, text.IsStreet|text.IsCompass) && s.toks[k].Case == text.Lower {
		return false
	}
	if s.has(k, text.IsOrdinal) && s.glued(k) && s.numAt(k-1) {
		return true
	}
	if s.isWord(k, "by") || s.isWord(k, "per") {
		return false
	}
	if s.toks[k].Case != text.Lower {
		return true
	}
	return k <= j+2 && !s.has(k, text.IsPrep|text.IsIn|text.IsThe|text.IsFill|text.IsDayUnit|text.IsYearUnit|text.IsSex|text.IsHalfDay) || s.isWord(k, "of") ||
		s.isWord(k, "the") || s.isWord(k, "de") || s.isWord(k, "la")
}

// apartment takes in "Apt. 163", "Suite 386", "Unit B", "# 4" after a street.
func (s *scan) apartment(end int) int {
	for range 2 {
		j := end
		if s.c(j) == ',' || s.c(j) == '.' {
			j++
		}
		if !s.has(j, text.IsApart) && s.c(j) != '#' || j >= len(s.toks) || s.toks[j].Line && s.c(j-1) != ',' {
			return end
		}
		j++
		for s.c(j) == '.' || s.c(j) == '#' {
			j++
		}
		if !s.numAt(j) && !(s.wordAt(j) && len(s.tok(j)) <= 2 && s.toks[j].Case == text.Upper) || !s.sameLine(j) {
			return end
		}
		end = j + 1
		for s.glued(end) && (s.wordAt(end) || s.numAt(end) || s.c(end) == '-' && s.separates(end, false)) {
			end++
		}
	}
	return end
}
