package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// code steps over the codes that a word like "ICD" or "CPT" announces, also in
// the next cell of a table.
func (s *scan) code(i int) int {
	j, numbers := i+1, 0
	for ; j < len(s.toks) && j < i+40 && s.sameLine(j); j++ {
		switch s.toks[j].Kind {
		case text.Number:
			numbers++
		case text.Word:
			if !s.codeWord(j) {
				return j
			}
		default:
			c := s.c(j)
			if c == '|' && numbers > 0 || c == '.' && !s.glued(j+1) || c == text.OtherPunct || c == ';' {
				return j
			}
		}
	}
	return j
}

// codeWord reports whether the word j may stand between a code system and its
// codes, or within one.
func (s *scan) codeWord(j int) bool {
	if s.has(j, text.IsFill) || s.glued(j) || len(s.tok(j)) == 1 || s.numAt(j+1) && s.glued(j+1) {
		return true
	}
	switch s.tok(j) {
	case "CM", "PCS", "CT", "RT", "ICD", "system":
		return true
	}
	return false
}

// mixedRun looks at the run of letters and digits that begins with word i:
// "MRN133202", "A12345678", "S12-4567".
func (s *scan) mixedRun(i int) int {
	if end := s.uuid(i); end > 0 {
		return end
	}
	if end := s.cardNumber(i); end > 0 {
		return end
	}
	if end := s.postcode(i); end > 0 {
		return end
	}
	if s.glued(i) && i > 0 && s.toks[i-1].Kind != text.Punct {
		return 0
	}
	if s.fullDate(i+1) && s.glued(i+1) && s.runEnds(i+6) { // "INR11/21/2019"
		return s.emit(i+1, i+6, phi.Date)
	}
	if end := s.dictatedJob(i); end > 0 {
		return end
	}
	if l := s.marks[i].Label; l != text.NoLabel {
		if l == text.LabelExt || l == text.LabelPhone || l == text.LabelFax || l == text.LabelPager || l == text.LabelCode || l == text.LabelBox ||
			l == text.LabelZip {
			return 0
		}
		return s.labelRun(i, l)
	}
	if word := s.tok(i); word == "x" || word == "X" {
		if end := s.extension(i); end > 0 {
			return end
		}
	}
	if end := s.bracketedLogin(i); end > 0 {
		return end
	}
	return s.codeByForm(i)
}

// dictatedJob finds whose job it was and its number on the line that transcription
// services put below a note: "XYZ/25410 :8959".
func (s *scan) dictatedJob(i int) int {
	if !s.toks[i].Line || s.c(i+1) != '/' || s.toks[i].Case != text.Upper || len(s.tok(i)) > 3 || !s.numAt(i+2) ||
		s.marks[i+2].Digits < 5 || !s.runEnds(i+3) || s.measured(i+3) {
		return 0
	}
	s.emit(i, i+1, phi.Doctor)
	s.out[len(s.out)-1].Sure = true // whatever the letters mean elsewhere
	return s.emit(i+2, i+3, phi.IDNum)
}

func (s *scan) labelRun(i int, l text.Label) int {
	end, digits := s.codeRun(i)
	if l == text.LabelSSN && digits != 9 && digits != 4 {
		return s.codeByForm(i)
	}
	if int(l) >= len(labelTypes) || labelTypes[l] == phi.None || digits < max(3, int(s.marks[i].Number)) || len(s.tok(i)) < 2 {
		return s.codeByForm(i)
	}
	if s.marks[i].Label == text.LabelID && digits < 4 || s.measured(end) {
		return 0
	}
	return s.emit(i, end, labelTypes[l])
}

// codeByForm accepts a run of letters and digits by its form alone.
func (s *scan) codeByForm(i int) int {
	end, digits := s.codeRun(i)
	if end == 0 || digits < 4 {
		return 0
	}
	if vin := s.vinAt(i, end); vin {
		return s.emit(i, end, phi.Vehicle)
	}
	longest, words := 0, 0
	for k := i; k < end; k++ {
		longest = max(longest, int(s.marks[k].Digits))
		if s.wordAt(k) && len(s.tok(k)) > 4 && s.toks[k].Case != text.Upper {
			words++
		}
	}
	letters := s.tok(i)
	if digits < 8 && s.has(i, text.IsVital|text.IsUnit|text.IsScore) {
		return 0
	}
	if words > 0 && longest < 5 || len(letters) > 8 || s.diagnosisCode(i, end) {
		return 0
	}
	if longest >= 5 || digits >= 6 && longest >= 3 || digits >= 8 {
		return s.emit(i, end, phi.IDNum)
	}
	if s.caseNumber(i, end) || s.taxNumber(i, end) {
		return s.emit(i, end, phi.IDNum)
	}
	return 0
}

// caseNumber knows the numbers of pathology cases: "S12-4567", "SP-20-12345".
func (s *scan) caseNumber(i, end int) bool {
	if s.c(i+1) == '-' {
		i++
		return end == i+4 && s.toks[i-1].Case == text.Upper && len(s.tok(i-1)) <= 3 && s.marks[i+1].Digits == 2 && s.c(i+2) == '-' &&
			s.marks[i+3].Digits >= 3
	}
	return end == i+4 && s.toks[i].Case == text.Upper && len(s.tok(i)) <= 3 && s.marks[i+1].Digits == 2 && s.c(i+2) == '-' &&
		s.marks[i+3].Digits >= 3
}

// taxNumber knows the form "ABCDE1234F".
func (s *scan) taxNumber(i, end int) bool {
	return end == i+3 && s.marks[i+1].Digits == 4 && s.toks[i].Case == text.Upper && len(s.tok(i)) == 5 && s.toks[i+2].Case == text.Upper
}

// diagnosisCode knows the form of ICD-10, HCPCS and LOINC codes: they tell what,
// not who.
func (s *scan) diagnosisCode(i, end int) bool {
	if len(s.tok(i)) != 1 {
		return false
	}
	if end == i+2 && s.marks[i+1].Digits == 4 {
		return true
	}
	return s.marks[i+1].Digits == 2 && s.c(i+2) == '.'
}

// machineReadable finds the lines of passports at "<<".
func (s *scan) machineReadable(i int) int {
	if s.c(i+1) != '<' || !s.glued(i+1) {
		return 0
	}
	start := i
	for start > 0 && start > i-text.LongestRun && s.glued(start) {
		start--
	}
	end := s.runEnd(i)
	if s.toks[end-1].End-s.toks[start].Start < 20 {
		return 0
	}
	return s.emit(start, end, phi.IDNum)
}
