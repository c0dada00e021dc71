package net

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// longest is how many tokens an address is followed over, so that no text takes more than linear time.
const longest = text.LongestRun

// email returns the address around the at sign i.
func (f *finder) email(i int) found {
	from, end := f.localPart(i), f.domainEnd(i+1)
	if !f.Tight(i) || from == i || end == 0 {
		return found{}
	}
	return found{from, end, phi.Email}
}

// localPart returns the first token of the name without blanks before token i.
func (f *finder) localPart(i int) int {
	from := i
	for j := i - 1; j >= max(f.Last, i-longest) && f.Glued(j+1); j-- {
		if c := f.Mark(j); c != 0 && strings.IndexByte("._%+-'&~!#$*^{}|", c) < 0 {
			break
		}
		from = j
	}
	for from < i && f.Mark(from) != 0 && f.Mark(from) != '_' {
		from++
	}
	return from
}

// domainEnd returns the token behind the domain at token i: words and numbers with dots and hyphens between, of
// which the last is a word behind a dot; 0 if there is none.
func (f *finder) domainEnd(i int) int {
	end, dots := 0, 0
	for j := i; j < i+longest && f.Has(j) && (j == i || f.Glued(j)); j++ {
		switch {
		case f.Word(j):
			if dots > 0 {
				end = j + 1
			}
		case f.Number(j), f.Mark(j) == '-':
		case j > i && f.Mark(j) == '.' && f.Glued(j+1) && f.Mark(j+1) == 0:
			dots++
		default:
			return end
		}
	}
	return end
}

// url returns the URL whose scheme, or whose "www", is token i.
func (f *finder) url(i int) found {
	c, end := f.Mark(i+1), f.runEnd(i)
	if f.Equal(i, "www") && c == '.' && f.Tight(i+1) || c == ':' && f.Glued(i+1) && f.Mark(i+2) == '/' && f.Tight(i+2) && end > i+4 {
		return found{i, end, phi.URL}
	}
	return found{}
}

// domain returns the domain with its path around the dot i: what is behind the last dot is no word, and in small
// letters as what is before it, or all is in capitals.
func (f *finder) domain(i int) found {
	if !f.Tight(i) || !f.part(i-1) || !f.In(i+1, bare) || f.Glued(i+2) && f.part(i+2) || f.Title(i+1) || len(f.Str(i-1)) < 2 && !f.Glued(i-1) {
		return found{}
	}
	from := f.localPart(i)
	if f.Mark(from-1) == '@' {
		return found{}
	}
	return found{from, f.runEnd(i), phi.URL}
}

// runEnd returns the token behind the run of tokens without blanks from token i on, less the marks that close a
// sentence or a bracket.
func (f *finder) runEnd(i int) int {
	end := i + 1
	for f.Glued(end) && end < i+longest && !closes(f.Mark(end)) {
		end++
	}
	for end > i+1 && f.Mark(end-1) != 0 && strings.IndexByte("/_=", f.Mark(end-1)) < 0 {
		end--
	}
	return end
}

// closes reports whether mark c ends an address: quotes and brackets are around it.
func closes(c byte) bool { return c != 0 && strings.IndexByte("\"<>|)]}", c) >= 0 }
