package rules

import "github.com/pgdeid/pgdeid/ensemble/text"

// runHasLetters reports whether the run from token j mixes letters and digits.
func (s *scan) runHasLetters(j int) bool {
	end, _ := s.codeRun(j)
	return end > j+1 && s.isMixed(j, end)
}

func (s *scan) longestGroup(j, end int) int {
	longest := 0
	for ; j < end; j++ {
		longest = max(longest, int(s.marks[j].Digits))
	}
	return longest
}

// identifier reads an identifier that begins at j: a glued run of letters,
// digits and marks, with further groups of digits after blanks. It returns the
// token after it and the number of its digits.
func (s *scan) identifier(j int) (end, digits int) {
	end, digits = s.codeRun(j)
	if end == 0 {
		return 0, 0
	}
	for range 4 {
		if !s.numAt(end) || s.toks[end].Line || s.marks[end].Digits < 2 || s.isYear4(end) && digits > 5 || s.measured(end+1) ||
			s.c(end+1) == '/' {
			break
		}
		if digits >= 6 && s.marks[end].Digits < 2 {
			break
		}
		next, n := s.codeRun(end)
		if next == 0 {
			break
		}
		end, digits = next, digits+n
	}
	return end, digits
}

// codeRun reads one glued run from j. A capitalised word after the digits, or a
// label, belongs to what follows: "0937884Date".
func (s *scan) codeRun(j int) (end, digits int) {
	end = j
	for k := j; k < len(s.toks) && k < j+text.LongestRun && (k == j || s.glued(k)); k++ {
		switch s.toks[k].Kind {
		case text.Number:
			digits += int(s.marks[k].Digits)
			end = k + 1
		case text.Word:
			if digits > 0 && s.startsNext(k) {
				return end, digits
			}
			end = k + 1
		default:
			c := s.c(k)
			if c != '-' && c != '/' && c != '.' && c != '_' && c != ':' && c != '*' && c != '#' || !s.glued(k+1) {
				return end, digits
			}
		}
	}
	return end, digits
}

// startsNext reports whether word k, glued to digits, is the next field's name.
func (s *scan) startsNext(k int) bool {
	n := len(s.tok(k))
	return n >= 3 && (s.toks[k].Case == text.Title || s.toks[k].Case == text.Mixed) || n >= 3 && s.marks[k].Label != text.NoLabel ||
		s.has(k, text.IsDateCue) && n >= 3
}

// isQuantity reports whether the value from j to end is a date, a time, a
// decimal or a measurement and no identifier.
func (s *scan) isQuantity(i, j, end, digits int) bool {
	if s.measured(end) && !s.isMixed(j, end) || s.c(j-1) == '$' {
		return true
	}
	if !s.numAt(j) {
		return false
	}
	sep := s.c(j + 1)
	if end == j+5 && (sep == '/' || sep == '-' ||
		sep == '.') && s.marks[j].Digits <= 4 && s.threePartDate(j, sep) > 0 && s.marks[i].Label != text.LabelSSN {
		return true
	}
	if sep == ':' && s.minutes(j+2) && s.marks[j].Digits <= 2 || sep == '.' && end == j+3 && digits < 6 {
		return true
	}
	if sep == '/' && end == j+3 && s.marks[j].Digits <= 3 && s.marks[j+2].Digits <= 4 {
		return true
	}
	return s.isYear4(j) && end == j+1 && s.marks[j].Value >= 1900 && s.marks[j].Value < 2050 && !s.marksNumber(i, j)
}

func (s *scan) marksNumber(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if s.c(k) == '#' || s.isWord(k, "number") || s.isWord(k, "no") || s.isWord(k, "id") {
			return true
		}
	}
	return s.marks[i].Label == text.LabelMRN || s.marks[i].Label == text.LabelSSN
}

func (s *scan) isMixed(j, end int) bool {
	for ; j < end; j++ {
		if s.wordAt(j) {
			return true
		}
	}
	return false
}
