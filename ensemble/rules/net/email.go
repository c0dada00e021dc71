package net

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// email returns the address around the at sign i.
func (f *finder) email(i int) found {
	if !f.Tight(i) {
		return f.spokenEmail(i, i, i+1)
	}
	from, end := f.localPart(i), f.domainEnd(i+1)
	if from == i || end == 0 {
		return found{}
	}
	return found{from, end, phi.Email}
}

// localPart returns the first token of the name without blanks before token i, at most
// longest tokens back.
func (f *finder) localPart(i int) int {
	from := i
	for j := i - 1; j >= max(f.last, i-longest) && f.Glued(j+1); j-- {
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

// domainEnd returns the token behind the domain at token i: words and numbers with dots and
// hyphens between, of which the last is a word behind a dot; 0 if there is none.
func (f *finder) domainEnd(i int) int {
	end, dots := 0, 0
	for j := i; j < i+longest && f.Has(j) && (j == i || f.Glued(j)); j++ {
		switch {
		case f.Word(j):
			if dots > 0 {
				end = j + 1
			}
		case f.Number(j), f.Mark(j) == '-':
		case f.Mark(j) == '.' && f.Glued(j+1) && f.Mark(j+1) == 0:
			dots++
		default:
			return end
		}
	}
	return end
}

// spokenEmail returns an address whose at sign is token at, with its brackets the tokens
// [left, right), and whose parts have blanks between them or dots in words. Behind the word
// "at" a dot must be in words, or the at sign in brackets.
func (f *finder) spokenEmail(at, left, right int) found {
	if left == 0 || !f.part(left-1) || !f.part(right) || !f.Here(left) || !f.Here(right) {
		return found{}
	}
	end := f.dotted(right)
	from := f.dottedBack(left)
	if end == 0 || from < f.last {
		return found{}
	}
	if f.Word(at) && left == at && !f.says(from, end) {
		return found{}
	}
	return found{from, end, phi.Email}
}

// part reports whether token i is a word or a number.
func (f *finder) part(i int) bool { return f.Word(i) || f.Number(i) }

// dotted returns the token behind "x dot com", "x . com" or "x.com" at token i, or 0.
func (f *finder) dotted(i int) int {
	end := 0
	for j := i; j < i+longest && f.part(j); {
		d := f.dot(j + 1)
		if d == 0 || !f.part(d) || !f.Here(d) {
			if f.Mark(j+1) != '-' || !f.Tight(j+1) {
				break
			}
			j += 2
			continue
		}
		if f.In(d, top) && f.Case(d) != text.Title {
			end = d + 1
		}
		j = d
	}
	return end
}

// dot returns the token behind a dot at token i: ".", "dot", "(dot)" or "[dot]"; 0 if it is none.
func (f *finder) dot(i int) int {
	switch c := f.Mark(i); {
	case !f.Here(i):
		return 0
	case c == '.', f.In(i, dotWord):
		return i + 1
	case (c == '(' || c == '[') && (f.In(i+1, dotWord) || f.Mark(i+1) == '.') && f.Mark(i+2) != 0:
		return i + 3
	}
	return 0
}

// dottedBack returns the first token of the name before token i: words and numbers that are
// glued, or with dots, hyphens or underscores between, as marks or in words.
func (f *finder) dottedBack(i int) int {
	j := i - 1
	for j >= 2 && j > i-longest && f.Here(j) && f.Here(j-1) {
		c := f.Mark(j - 1)
		switch {
		case f.Glued(j) && f.part(j-1):
			j--
		case !f.part(j - 2):
			return j
		case f.In(j-1, dotWord), f.Equal(j-1, "underscore"),
			c == '.' && f.Glued(j) == f.Glued(j-1), (c == '_' || c == '-') && f.Tight(j-1):
			j -= 2
		default:
			return j
		}
	}
	return j
}

// says reports whether a dot is in words among tokens [i, end).
func (f *finder) says(i, end int) bool {
	for ; i < end; i++ {
		if f.In(i, dotWord) {
			return true
		}
	}
	return false
}
