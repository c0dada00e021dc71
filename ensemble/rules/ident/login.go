package ident

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// login returns the login at token i: a word in small letters with up to four digits glued
// to its end behind "by"; capitals with up to four digits behind a word for signing; or what
// a word for logins announces, if it has a digit, a dot or an underscore, or a colon is before it.
func (f *finder) login(i int) found {
	if !f.Word(i) {
		return found{}
	}
	before := f.Back(i, ":=")
	marked := before < i-1
	r := f.loginRun(i)
	switch {
	case f.In(before, signedWord) || f.Equal(before, "by") && f.In(before-1, signedWord):
		if f.Case(i) == text.Upper && r == i+2 && f.Number(i+1) && f.Digits(i+1) >= 2 && f.Digits(i+1) <= 4 && len(f.Str(i)) <= 4 {
			return found{r, phi.Username}
		}
	case label.At(f.View, before) == label.Login && f.Here(i):
		if r > i+1 || marked && !f.Title(i) && !f.OpensLine(i) {
			return found{r, phi.Username}
		}
	}
	if f.In(before, loginWord) && f.InLower(i) && r > i+1 && f.Number(r-1) && f.Digits(r-1) <= 4 && len(f.Str(i)) >= 2 {
		return found{r, phi.Username}
	}
	return found{}
}

// loginRun returns the token behind the run of words, numbers, dots, hyphens and underscores
// from token i on.
func (f *finder) loginRun(i int) int {
	end := i + 1
	for end < i+12 && f.Glued(end) {
		c := f.Mark(end)
		if c != 0 && (c != '.' && c != '_' && c != '-' || !f.Tight(end)) {
			break
		}
		end++
	}
	for f.Mark(end-1) != 0 {
		end--
	}
	return end
}
