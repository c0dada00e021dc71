package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// streetFirst finds a street whose type goes before its name and whose number
// after it: "Calle Carmen Romero, 23, 1D", "Av. Litoral 30".
func (s *scan) streetFirst(i int) int {
	j := s.afterAbbreviation(i)
	if s.toks[i].Case == text.Lower || s.isWord(i, "av") && (j == i+1 || s.toks[i].Case != text.Title) {
		return 0
	}
	for k := j; k < len(s.toks) && k < j+8 && s.sameLine(k); k++ {
		c := s.c(k)
		if k > j && s.numAt(k) && s.marks[k].Digits <= 4 {
			end := k + 1
			if s.c(end) == ',' && s.numAt(end+1) && s.glued(end+2) && s.wordAt(end+2) {
				end += 3
			}
			return s.emit(i, end, phi.Street)
		}
		if c != 0 && c != ',' && c != '.' && c != '-' && c != '\'' || c == '.' && len(s.tok(k-1)) > 3 || s.numAt(k) {
			return 0
		}
		if s.wordAt(k) && s.toks[k].Case == text.Lower && !s.has(k, text.IsOf|text.IsThe) && len(s.tok(k)) > 3 {
			return 0
		}
	}
	return 0
}

// postBox finds "PO Box 123", "P.O. Box 12-B" at the word "box".
func (s *scan) postBox(i int) int {
	start := i
	switch {
	case s.isWord(i, "pobox"):
	case s.isWord(i-1, "po"):
		start = i - 1
	case s.c(i-1) == '.' && s.isWord(i-2, "o") && s.c(i-3) == '.' && s.isWord(i-4, "p"):
		start = i - 4
	case s.isWord(i-1, "o") && s.isWord(i-2, "p"):
		start = i - 2
	default:
		return s.ruralBox(i)
	}
	j := i + 1
	for s.c(j) == '#' || s.c(j) == ':' || s.isWord(j, "no") {
		j++
	}
	if !s.numAt(j) || !s.sameLine(j) {
		return 0
	}
	return s.cityLine(s.emit(start, s.apartment(j+1), phi.Street))
}

// ruralBox finds "RR 2 Box 45", "Rural Route 2, Box 45" and "Box 45," at the
// word "box".
func (s *scan) ruralBox(i int) int {
	if !s.numAt(i+1) || !s.sameLine(i+1) {
		return 0
	}
	j := i - 1
	if s.c(j) == ',' {
		j--
	}
	if !s.numAt(j) {
		return 0
	}
	if s.c(j-1) == '#' {
		j--
	}
	switch {
	case s.isWord(j-1, "route") && s.isWord(j-2, "rural"):
		j -= 2
	case s.isWord(j-1, "psc") || s.isWord(j-1, "cmr") || s.isWord(j-1, "unit"):
		j--
	case s.isWord(j-1, "rr") || s.isWord(j-1, "hc") || s.isWord(j-1, "rt") || s.isWord(j-1, "route"):
		j--
	default:
		return 0
	}
	return s.cityLine(s.emit(j, i+2, phi.Street))
}
