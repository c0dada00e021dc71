package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// lineFollows reports whether "(cell)", "-Office" or "fax" follows a number.
func (s *scan) lineFollows(i int) bool {
	bracket := s.c(i) == '('
	if bracket || s.c(i) == '-' {
		i++
	}
	return s.has(i, text.IsLine) && s.sameLine(i) && (bracket || len(s.tok(i)) > 2)
}

// contactReach is how many tokens a word like "phone" announces numbers for.
const contactReach = 8

// announced reports whether a word that announces a telephone number stands
// shortly before token i, with nothing between that ends its reach.
func (s *scan) announced(i int) bool {
	k := s.labelBefore(i)
	return k == text.LabelPhone || k == text.LabelFax || k == text.LabelPager || k == text.LabelExt
}

// labelBefore returns the label whose value begins at token i, looking back over
// fill words and marks.
func (s *scan) labelBefore(i int) text.Label {
	for j := i - 1; j >= 0 && j >= i-contactReach; j-- {
		if s.toks[j+1].Line && s.c(j) != ':' && s.c(j) != '#' && s.marks[j].Label == text.NoLabel {
			return text.NoLabel
		}
		switch s.toks[j].Kind {
		case text.Punct:
			if c := s.c(j); c == ';' || c == ',' && s.marks[j-min(j, 1)].Label == text.NoLabel || c == '?' || c == '!' {
				return text.NoLabel
			}
		case text.Number:
			return text.NoLabel
		case text.Word:
			if l := s.marks[j].Label; l != text.NoLabel {
				return l
			}
			if !s.has(j, text.IsFill|text.IsThe|text.IsOf|text.IsIn|text.IsPrep) && len(s.tok(j)) > 1 {
				return text.NoLabel
			}
		}
	}
	return text.NoLabel
}

// contactType returns the kind of number by the nearest word that tells it.
func (s *scan) contactType(i int) phi.Type {
	if end := s.phoneGroups(i).end; s.lineFollows(end) && s.faxOf(end) {
		return phi.Fax
	}
	for j := i - 1; j >= 0 && j >= i-contactReach; j-- {
		if s.toks[j+1].Line && s.c(j) != ':' {
			break
		}
		switch s.marks[j].Label {
		case text.LabelFax:
			return phi.Fax
		case text.LabelPager:
			return phi.Pager
		case text.LabelPhone, text.LabelExt:
			return phi.Phone
		}
		if s.numAt(j) {
			break
		}
		if word := s.tok(j); s.wordAt(j) && (word == "F" || word == "f") && (s.c(j+1) == ':' || s.c(j+1) == '.') {
			return phi.Fax
		}
	}
	return phi.Phone
}

// faxOf tells "555-0100 (fax)" from "555-0100 Fax 555-0101", where the word is the next
// number's.
func (s *scan) faxOf(i int) bool {
	if s.c(i) == '(' || s.c(i) == '-' {
		return s.isWord(i+1, "fax")
	}
	j := i + 1
	for c := s.c(j); c == ':' || c == '#' || c == '.' || c == '+' || c == '('; c = s.c(j) {
		j++
	}
	return s.isWord(i, "fax") && !(s.numAt(j) && s.sameLine(j))
}

// contactWord finds the value of "pager", "x", "call w/ questions" where it is
// too short to be found by its form.
func (s *scan) contactWord(i int) int {
	m := &s.marks[i]
	j := i + 1
	for ; j < len(s.toks) && j <= i+contactReach; j++ {
		if s.toks[j].Line && s.c(j-1) != ':' && s.c(j-1) != '#' {
			return 0
		}
		c := s.c(j)
		if s.numAt(j) || c == '(' && s.numAt(j+1) || c == '+' {
			break
		}
		if c != 0 && (c == ';' || c == ',' || c == '?' || c == text.OtherPunct) || s.wordAt(j) && !s.has(j, text.IsFill|text.IsThe|text.IsContact) {
			return 0
		}
	}
	if j >= len(s.toks) || j > i+contactReach {
		return 0
	}
	if end := s.phone(j); end > 0 {
		return end
	}
	return s.shortNumber(j, m)
}

func (s *scan) shortNumber(j int, m *text.Mark) int {
	if !s.numAt(j) || s.glued(j) && s.wordAt(j-1) && s.tok(j-1) != "x" && s.tok(j-1) != "X" && s.tok(j-1) != "p" {
		return 0
	}
	end, n := j+1, int(s.marks[j].Digits)
	for s.c(end) == '-' && s.separates(end, false) && s.numAt(end+1) {
		n += int(s.marks[end+1].Digits)
		end += 2
	}
	pager := m.Label == text.LabelPager
	if n < int(m.Number) && !(n == 4 && s.questionsBefore(j)) || n > 11 || s.measured(end) || s.c(end) == '/' ||
		s.c(end) == ':' || m.Label == text.LabelFax && n < 5 {
		return 0
	}
	if m.Label == text.LabelPhone && n < 5 && !s.questionsBefore(j) ||
		s.isYear4(j) && !pager && !s.questionsBefore(j) && m.Label != text.LabelExt {
		return 0
	}
	return s.emit(j, end, s.contactType(j))
}

// questionsBefore reports whether "questions" or "concerns" stands before token j:
// "Call with questions 5943" gives a number of the house.
func (s *scan) questionsBefore(j int) bool {
	return s.isWord(j-1, "questions") || s.isWord(j-1, "concerns")
}

// providerNumber reports whether the number i ends a line that names a member of
// the staff: "Ordering provider: Ann Long 90308".
func (s *scan) providerNumber(i int) bool {
	if i+1 < len(s.toks) && !s.toks[i+1].Line || !s.sameLine(i) {
		return false
	}
	for k := i - 1; k >= 0 && k > i-7; k-- {
		if s.c(k) == ':' {
			return s.has(k-1, text.IsStaff)
		}
		if !s.wordAt(k) && s.c(k) != '.' && s.c(k) != ',' || s.toks[k].Line {
			return false
		}
	}
	return false
}

// extension finds "x5-1234", "x 51234" at the x.
func (s *scan) extension(i int) int {
	j := i + 1
	for c := s.c(j); c == '.' || c == '#' || c == ':'; c = s.c(j) {
		j++
	}
	if s.marks[i].Label == text.LabelExt {
		if end := s.phone(j); end > 0 {
			return end
		}
	}
	if !s.numAt(j) || !s.glued(j) && s.marks[i].Label != text.LabelExt {
		return 0
	}
	end, n := j+1, int(s.marks[j].Digits)
	if s.c(end) == '-' && s.separates(end, false) && s.numAt(end+1) {
		n += int(s.marks[end+1].Digits)
		end += 2
	}
	if n < 4 || n > 7 || s.glued(i) && i > 0 && s.c(i-1) != '(' || s.measured(end) {
		return 0
	}
	return s.emit(j, end, s.contactType(j))
}
