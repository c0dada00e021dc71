package ensemble

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

var labelTypes = [...]phi.Type{
	labelSSN: phi.SSN, labelMRN: phi.MedicalRecord, labelPlan: phi.HealthPlan, labelAccount: phi.Account, labelLicense: phi.License,
	labelVehicle: phi.Vehicle, labelDevice: phi.Device, labelBio: phi.BioID, labelID: phi.IDNum,
}

// labelReach is how many tokens may stand between a label and its value.
const labelReach = 7

// labelled finds the identifier that label word i announces.
func (s *scan) labelled(i int, l label) int {
	j, named := s.valueAfter(i)
	if j == 0 || j >= len(s.toks) {
		return 0
	}
	if named >= labelPhone && named <= labelExt || named >= labelZip {
		return 0
	}
	if c := s.c(j - 1); c == '+' || c == '(' {
		if end := s.phone(j - 1); end > 0 {
			return end
		}
	}
	if l == labelID && named == noLabel && s.numAt(j) {
		if g := s.phoneGroups(j); g.n >= 3 && s.northAmerican(j, &g) { // "best number: 1-308-555-0196"
			return s.phone(j)
		}
	}
	if named != noLabel && int(named) < len(labelTypes) && labelTypes[named] != phi.None && named != labelID {
		l = named
	}
	end, digits := s.identifier(j)
	if l == labelSSN && digits != 9 && digits != 4 {
		return 0
	}
	if end == 0 || digits < s.leastDigits(i, j, l) || s.isQuantity(i, j, end, digits) {
		return 0
	}
	t := labelTypes[l]
	if t == phi.IDNum && !s.isMixed(j, end) && s.longestGroup(j, end) < 3 {
		return 0
	}
	if l == labelVehicle && digits < 3 {
		return 0
	}
	return s.emit(j, end, t)
}

// leastDigits tells how many digits make a value after label i. A label that is
// an ordinary word too needs more where no colon or number sign stands between.
func (s *scan) leastDigits(i, j int, l label) int {
	least := int(s.marks[i].val)
	if s.marks[i].bits&isMonth != 0 {
		least = 5
	}
	marked := false
	for k := i + 1; k < j; k++ {
		c := s.c(k)
		marked = marked || c == '#' || c == ':' || s.isWord(k, "number") || s.isWord(k, "no") || s.isWord(k, "id")
	}
	if marked || l == labelMRN && s.marks[i].val == 3 || l == labelSSN {
		return least
	}
	if l == labelVehicle || s.runHasLetters(j) {
		return max(least, 3)
	}
	if l == labelDevice {
		return max(least, 4)
	}
	return max(least, 5)
}

// valueAfter returns the first token of the value that label i announces, and a
// narrower label that stands between.
func (s *scan) valueAfter(i int) (int, label) {
	named := noLabel
	for j := i + 1; j < len(s.toks) && j <= i+labelReach; j++ {
		if s.toks[j].Line && s.c(j-1) != ':' && s.c(j-1) != '#' {
			return 0, noLabel
		}
		switch s.toks[j].Kind {
		case text.Number:
			return j, named
		case text.Punct:
			if c := s.c(j); c == '_' && s.marks[i].val > 3 || c == ';' || c == ',' || c == '?' || c == ')' || c == otherMark ||
				c == '.' && !s.isAbbreviation(j) {
				return 0, noLabel
			}
		case text.Word:
			if s.glued(j+1) && s.runHasDigits(j) {
				if l := s.marks[j].label; l != noLabel && int(l) < len(labelTypes) {
					named = l
				}
				return j, named
			}
			if l := s.marks[j].label; l != noLabel {
				if l == labelCode {
					return 0, noLabel
				}
				named = l
			} else if !s.has(j, isFill|isThe|isOf|isIn) {
				if s.codeLetters(j) {
					return j, named
				}
				return 0, noLabel
			}
		}
	}
	return 0, noLabel
}

// isAbbreviation reports whether the full stop at j ends "No." or "Acct.".
func (s *scan) isAbbreviation(j int) bool {
	return s.glued(j) && s.wordAt(j-1) && (s.marks[j-1].label != noLabel || s.has(j-1, isFill)) && s.sameLine(j+1)
}

// codeLetters reports whether the word j may begin a value in several groups:
// "XYZ 123 456".
func (s *scan) codeLetters(j int) bool {
	plate := s.toks[j].Case == text.Lower && len(s.tok(j)) == 3 && s.isWord(j-1, "plate")
	return (s.toks[j].Case == text.Upper && len(s.tok(j)) <= 4 || plate) && s.numAt(j+1) && s.sameLine(j+1) && s.marks[j+1].n >= 3
}

// runHasDigits reports whether the glued run that begins at j holds a digit.
func (s *scan) runHasDigits(j int) bool {
	for k := j; k == j || s.glued(k); k++ {
		if s.numAt(k) {
			return true
		}
		if c := s.c(k); c != 0 && c != '-' && c != '/' && c != '.' && c != '_' && c != '#' && c != '*' {
			return false
		}
		if k > j+8 {
			return false
		}
	}
	return false
}
