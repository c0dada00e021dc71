package rules

import "github.com/pgdeid/pgdeid/ensemble/phi"

// genericID finds numbers that are identifiers by their length or form.
func (s *scan) genericID(i int) int {
	if s.glued(i) && i > 0 && (s.c(i-1) == '.' && s.numAt(i-2) || s.c(i-1) == '$') {
		return 0
	}
	end, digits := s.codeRun(i)
	if s.medicareNumber(i) {
		return s.emit(i, s.trimRun(i, s.runEnd(i)), phi.HealthPlan)
	}
	if end == i+5 && s.c(i+1) == '-' && s.c(i+3) == '-' && (s.groupSizes(i, 3, 2, 2) || s.groupSizes(i, 1, 3, 3)) {
		return s.emit(i, end, phi.MedicalRecord)
	}
	if end == 0 || digits < 5 || s.measured(end) && !s.isMixed(i, end) {
		return 0
	}
	if s.vinAt(i, end) {
		return s.emit(i, end, phi.Vehicle)
	}
	if t := s.text[s.toks[i].Start:s.toks[end-1].End]; isHardwareAddr(t) {
		return s.emit(i, end, phi.Device)
	}
	if end == i+1 {
		if digits >= 7 && !s.roundNumber(i) || s.c(i-1) == '#' || s.afterStamp(i) {
			return s.emit(i, end, phi.IDNum)
		}
		return 0
	}
	if s.idByGroups(i, end, digits) {
		return s.emit(i, end, phi.IDNum)
	}
	return 0
}

// medicareNumber knows the form of a Medicare beneficiary identifier:
// "1EG4-TE3-MK58" (CMS, 2017), with or without dashes.
func (s *scan) medicareNumber(i int) bool {
	const form = "9a*9a*9aa99"
	at := 0
	for p := s.toks[i].Start; p < len(s.text) && at < len(form); p++ {
		c := s.text[p] | 0x20
		if s.text[p] == '-' && (at == 4 || at == 7) {
			continue
		}
		digit, letter := c >= '0' && c <= '9', c >= 'a' && c <= 'z'
		if form[at] == '9' && !digit || form[at] == 'a' && !letter || !digit && !letter {
			return false
		}
		at++
		if at == len(form) {
			return p+1 == s.toks[s.trimRun(i, s.runEnd(i))-1].End
		}
	}
	return false
}

// afterStamp reports whether number i ends the line on which a date was stamped
// right before it, as transcription services do.
func (s *scan) afterStamp(i int) bool {
	n := len(s.out)
	return n > s.base && i > 0 && s.out[n-1].Type == phi.Date && s.out[n-1].End == s.toks[i-1].End && s.marks[i].Digits >= 5 &&
		(i+1 == len(s.toks) || s.toks[i+1].Line)
}

// groupSizes reports whether the groups of digits from token i, one mark apart,
// have these lengths.
func (s *scan) groupSizes(i int, sizes ...uint8) bool {
	for k, n := range sizes {
		if s.marks[i+2*k].Digits != n {
			return false
		}
	}
	return true
}

func (s *scan) roundNumber(i int) bool {
	return s.marks[i].Digits <= 9 && s.marks[i].Value%100000 == 0
}

// idByGroups decides on a run of several groups that begins with number i.
func (s *scan) idByGroups(i, end, digits int) bool {
	longest, letters, dots := 0, 0, 0
	for k := i; k < end; k++ {
		longest = max(longest, int(s.marks[k].Digits))
		if s.wordAt(k) {
			letters += len(s.tok(k))
		}
		if c := s.c(k); c == '.' || c == '/' {
			dots++
		}
	}
	switch {
	case s.marks[i].Digits == 5 && s.c(i+1) == '-' && end == i+3 && s.marks[i+2].Digits == 1:
		return false // a LOINC code
	case dots == 2 && s.c(i+1) == '.' && digits == 11 && longest == 3 && end == i+7:
		return true
	case dots > 0 && longest < 7, letters > 8 && longest < 5:
		return false
	case longest >= 7:
		return true
	case letters == 1 && end == i+3 && s.isWord(i+1, "x"):
		return false // a size
	case letters > 0:
		return longest >= 5 || digits >= 6 && longest >= 4
	}
	return digits >= 8 && longest >= 5 || digits >= 8 && longest >= 3 && s.marks[i].Digits <= 4 && end >= i+5
}
