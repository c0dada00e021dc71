package rules

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// email finds the address around the at sign i.
func (s *scan) email(i int) int {
	if !s.glued(i) || !s.glued(i+1) {
		return s.spacedEmail(i)
	}
	start := s.localPart(i)
	end := s.domain(i+1, true)
	if start == i || end == 0 {
		return 0
	}
	return s.emit(start, end, phi.Email)
}

// localPart returns the first token of the run of name characters before i.
func (s *scan) localPart(i int) int {
	start := i
	for j := i - 1; j >= 0 && j > i-text.LongestRun && s.glued(j+1); j-- {
		if s.toks[j].Kind == text.Punct && strings.IndexByte("._%+-'&=~!#$*^{}|/", s.c(j)) < 0 {
			break
		}
		start = j
	}
	for start < i && s.toks[start].Kind == text.Punct && s.c(start) != '_' {
		start++
	}
	return start
}

// domain returns the token after the domain that begins at i. Where strict, it
// needs a dot and a last label of letters.
func (s *scan) domain(i int, strict bool) int {
	end, dots := 0, 0
	for j := i; j < len(s.toks) && j < i+text.LongestRun && (j == i || s.glued(j)); j++ {
		switch {
		case s.toks[j].Kind == text.Word:
			if dots > 0 || !strict {
				end = j + 1
			}
		case s.toks[j].Kind == text.Number:
		case s.c(j) == '.':
			dots++
			if !s.glued(j+1) || s.c(j+1) != 0 {
				return end
			}
		case s.c(j) == '-':
		default:
			return end
		}
	}
	return end
}

// spacedEmail finds "john . smith @ x . com" and "john@ x.com".
func (s *scan) spacedEmail(i int) int {
	if i == 0 || !s.sameLine(i) || !s.sameLine(i+1) || !s.wordAt(i-1) && !s.numAt(i-1) || !s.wordAt(i+1) {
		return 0
	}
	end := s.dotted(i + 1)
	if end == 0 {
		return 0
	}
	return s.emit(s.dottedBack(i), end, phi.Email)
}

// dotted returns the token after "x dot com", "x . com" or "x.com" at i.
func (s *scan) dotted(i int) int {
	j, end := i, 0
	for j < i+text.LongestRun && (s.wordAt(j) || s.numAt(j)) {
		d := s.dotAt(j + 1)
		if d == 0 || !s.wordAt(d) || !s.sameLine(d) {
			break
		}
		if s.has(d, text.IsTopDomain) {
			end = d + 1
		}
		j = d
	}
	return end
}

// dotAt returns the token after a dot at i: ".", "dot", "(dot)", "[dot]".
func (s *scan) dotAt(i int) int {
	if i >= len(s.toks) || s.toks[i].Line {
		return 0
	}
	switch {
	case s.c(i) == '.':
		return i + 1
	case s.isWord(i, "dot"):
		return i + 1
	case (s.c(i) == '(' || s.c(i) == '[') && (s.isWord(i+1, "dot") || s.c(i+1) == '.') && i+3 < len(s.toks):
		return i + 3
	}
	return 0
}

func (s *scan) isWord(i int, lower string) bool {
	return s.wordAt(i) && strings.EqualFold(s.tok(i), lower)
}

// dottedBack returns the first token of the name before token i, of words and
// numbers with dots or joined by "_" and "-" between them.
func (s *scan) dottedBack(i int) int {
	j := i - 1
	for j >= 2 && j > i-text.LongestRun && s.sameLine(j) {
		switch {
		case s.glued(j) && (s.numAt(j) || s.wordAt(j)) && (s.wordAt(j-1) || s.numAt(j-1)):
			j--
		case s.isWord(j-1, "dot") || s.isWord(j-1, "underscore"):
			j -= 2
		case s.c(j-1) == '.' && s.sameLine(j-1) && (s.glued(j) ||
			s.toks[j-1].Space), s.glued(j) && s.glued(j-1) && (s.c(j-1) == '_' || s.c(j-1) == '-'):
			j -= 2
		default:
			return j
		}
	}
	return j
}

// spelledEmail finds "john dot smith at x dot com" at the word "at".
func (s *scan) spelledEmail(i int) int {
	left, right := i, i+1
	if c := s.c(i - 1); (c == '(' || c == '[') && (s.c(i+1) == ')' || s.c(i+1) == ']') {
		left, right = i-1, i+2
	}
	if left == 0 || !s.wordAt(left-1) && !s.numAt(left-1) || !s.wordAt(right) || !s.sameLine(right) {
		return 0
	}
	end := s.dotted(right)
	if end == 0 {
		return 0
	}
	start := s.dottedBack(left)
	bracketed := left < i
	if !bracketed && !s.spelledDot(right, end) && !s.spelledDot(start, left) && s.labelBefore(start) != text.LabelEmail {
		return 0
	}
	return s.emit(start, end, phi.Email)
}

func (s *scan) spelledDot(i, end int) bool {
	for ; i < end; i++ {
		if s.isWord(i, "dot") {
			return true
		}
	}
	return false
}
