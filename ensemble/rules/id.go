package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

var labelTypes = [...]phi.Type{
	text.LabelSSN: phi.SSN, text.LabelMRN: phi.MedicalRecord, text.LabelPlan: phi.HealthPlan, text.LabelAccount: phi.Account, text.LabelLicense: phi.License,
	text.LabelVehicle: phi.Vehicle, text.LabelDevice: phi.Device, text.LabelBio: phi.BioID, text.LabelID: phi.IDNum,
}

// labelReach is how many tokens may stand between a label and its value.
const labelReach = 7

// labelled finds the identifier that label word i announces.
func (s *scan) labelled(i int, l text.Label) int {
	j, named := s.valueAfter(i)
	if j == 0 || j >= len(s.toks) {
		return 0
	}
	if named >= text.LabelPhone && named <= text.LabelExt || named >= text.LabelZip {
		return 0
	}
	if c := s.c(j - 1); c == '+' || c == '(' {
		if end := s.phone(j - 1); end > 0 {
			return end
		}
	}
	if l == text.LabelID && named == text.NoLabel && s.numAt(j) {
		if g := s.phoneGroups(j); g.n >= 3 && s.northAmerican(j, &g) { // "best number: 1-308-555-0196"
			return s.phone(j)
		}
	}
	if named != text.NoLabel && int(named) < len(labelTypes) && labelTypes[named] != phi.None && named != text.LabelID {
		l = named
	}
	end, digits := s.identifier(j)
	if l == text.LabelSSN && digits != 9 && digits != 4 {
		return 0
	}
	if end == 0 || digits < s.leastDigits(i, j, l) || s.isQuantity(i, j, end, digits) {
		return 0
	}
	t := labelTypes[l]
	if t == phi.IDNum && !s.isMixed(j, end) && s.longestGroup(j, end) < 3 {
		return 0
	}
	if l == text.LabelVehicle && digits < 3 {
		return 0
	}
	return s.emit(j, end, t)
}

// leastDigits tells how many digits make a value after label i. A label that is
// an ordinary word too needs more where no colon or number sign stands between.
func (s *scan) leastDigits(i, j int, l text.Label) int {
	least := int(s.marks[i].Number)
	if s.marks[i].Classes&text.IsMonth != 0 {
		least = 5
	}
	marked := false
	for k := i + 1; k < j; k++ {
		c := s.c(k)
		marked = marked || c == '#' || c == ':' || s.isWord(k, "number") || s.isWord(k, "no") || s.isWord(k, "id")
	}
	if marked || l == text.LabelMRN && s.marks[i].Number == 3 || l == text.LabelSSN {
		return least
	}
	if l == text.LabelVehicle || s.runHasLetters(j) {
		return max(least, 3)
	}
	if l == text.LabelDevice {
		return max(least, 4)
	}
	return max(least, 5)
}

// valueAfter returns the first token of the value that label i announces, and a
// narrower label that stands between.
func (s *scan) valueAfter(i int) (int, text.Label) {
	named := text.NoLabel
	for j := i + 1; j < len(s.toks) && j <= i+labelReach; j++ {
		if s.toks[j].Line && s.c(j-1) != ':' && s.c(j-1) != '#' {
			return 0, text.NoLabel
		}
		switch s.toks[j].Kind {
		case text.Number:
			return j, named
		case text.Punct:
			if c := s.c(j); c == '_' && s.marks[i].Number > 3 || c == ';' || c == ',' || c == '?' || c == ')' || c == text.OtherPunct ||
				c == '.' && !s.isAbbreviation(j) {
				return 0, text.NoLabel
			}
		case text.Word:
			if s.glued(j+1) && s.runHasDigits(j) {
				if l := s.marks[j].Label; l != text.NoLabel && int(l) < len(labelTypes) {
					named = l
				}
				return j, named
			}
			if l := s.marks[j].Label; l != text.NoLabel {
				if l == text.LabelCode {
					return 0, text.NoLabel
				}
				named = l
			} else if !s.has(j, text.IsFill|text.IsThe|text.IsOf|text.IsIn) {
				if s.codeLetters(j) {
					return j, named
				}
				return 0, text.NoLabel
			}
		}
	}
	return 0, text.NoLabel
}

// isAbbreviation reports whether the full stop at j ends "No." or "Acct.".
func (s *scan) isAbbreviation(j int) bool {
	return s.glued(j) && s.wordAt(j-1) && (s.marks[j-1].Label != text.NoLabel || s.has(j-1, text.IsFill)) && s.sameLine(j+1)
}

// codeLetters reports whether the word j may begin a value in several groups:
// "XYZ 123 456".
func (s *scan) codeLetters(j int) bool {
	plate := s.toks[j].Case == text.Lower && len(s.tok(j)) == 3 && s.isWord(j-1, "plate")
	return (s.toks[j].Case == text.Upper && len(s.tok(j)) <= 4 || plate) && s.numAt(j+1) && s.sameLine(j+1) && s.marks[j+1].Digits >= 3
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
