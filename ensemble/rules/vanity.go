package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// vanity finds "1-800-FLOWERS" and "888-555-HELP" at the first number.
func (s *scan) vanity(i int) int {
	j := i
	if s.marks[j].Value == 1 && s.marks[j].Digits == 1 && s.c(j+1) == '-' && s.numAt(j+2) {
		j += 2
	}
	v := s.marks[j].Value
	if s.marks[j].Digits != 3 || !tollFree(v) || s.c(j+1) != '-' || !s.separates(j+1, false) {
		return 0
	}
	end, letters, all := j+2, 0, 0
	for end == j+2 || s.glued(end) {
		switch {
		case s.wordAt(end) && s.toks[end].Case == text.Upper:
			letters += len(s.tok(end))
			all += len(s.tok(end))
		case s.numAt(end):
			all += int(s.marks[end].Digits)
		case s.c(end) != '-' || !s.separates(end, false):
			end = len(s.toks)
			continue
		}
		end++
	}
	return s.endVanity(i, j+2, letters, all)
}

func tollFree(v uint32) bool {
	switch v {
	case 800, 833, 844, 855, 866, 877, 888:
		return true
	}
	return false
}

// endVanity emits a telephone number spelled in letters if it has as many as a
// keypad number.
func (s *scan) endVanity(i, from, letters, all int) int {
	if letters < 3 || all < 7 || all > 12 {
		return 0
	}
	end := from
	for end == from || s.glued(end) && (s.toks[end].Kind != text.Punct || s.c(end) == '-' && s.separates(end, false)) {
		end++
	}
	return s.emit(i, end, phi.Phone)
}
