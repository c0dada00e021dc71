package ident

import (
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/checkdigit"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// form is an identifier that is known by how it is written, and by its check digit if valid is not nil.
type form struct {
	written *regexp.Regexp
	valid   func(string) bool
	as      phi.Type
}

var forms = [...]form{
	{regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`), nil, phi.IDNum},
	{regexp.MustCompile(`^[0-9A-HJ-NPR-Za-hj-npr-z]{17}`), checkdigit.VIN, phi.Vehicle},
	{regexp.MustCompile(`^[1-9][A-Z][A-Z0-9][0-9](-?)[A-Z][A-Z0-9][0-9](-?)[A-Z]{2}[0-9]{2}`), nil, phi.HealthPlan},
	{regexp.MustCompile(`^[A-Za-z][A-Za-z9][0-9]{7}`), checkdigit.DEA, phi.License},
	{regexp.MustCompile(`^(\*\*\*-\*\*|[Xx]{3}-[Xx]{2}|###-##)-[0-9]{4}`), nil, phi.SSN},
}

// The lengths of the shortest of them, of the Drug Enforcement Administration, and of the longest, a UUID.
const (
	shortestForm = 9
	longestForm  = 36
)

// written returns the identifier at token i that has one of the forms, which have two tokens or more.
func (f *finder) written(i int) found {
	from, end := f.Tokens[i].Start, i
	for (end == i || f.Glued(end)) && f.inForm(end) {
		end++
	}
	if end < i+2 || f.Tokens[end-1].End-from < shortestForm {
		return found{}
	}
	s := f.Text[from:min(len(f.Text), from+longestForm)]
	for _, form := range forms {
		match := form.written.FindString(s)
		if match == "" || form.valid != nil && !form.valid(strings.ToUpper(match)) {
			continue
		}
		if end := f.endingAt(i, from+len(match)); end > 0 {
			return found{end, form.as}
		}
	}
	return found{}
}

// inForm reports whether token i can be part of one of the forms.
func (f *finder) inForm(i int) bool {
	c := f.Mark(i)
	return c == 0 || c == '-' || c == '*' || c == '#'
}

// endingAt returns the token behind a code that begins at token i and ends at a byte, or 0 if it goes on there.
func (f *finder) endingAt(i, stop int) int {
	end := i
	for f.Has(end) && f.Tokens[end].End <= stop {
		end++
	}
	if end == i || f.Tokens[end-1].End != stop || f.Glued(end) && f.Mark(end) == 0 || !f.ended(end) {
		return 0
	}
	return end
}

// socialSecurity returns the social security number at number i in groups of three, two and four digits, none of
// them all zeros. With a capital behind it, it is a Medicare number of the old form.
func (f *finder) socialSecurity(i int) found {
	b, c := i+2, i+4
	spaced := f.Number(i + 1)
	if spaced {
		b, c = i+1, i+2
	}
	switch sep := f.Mark(i + 1); {
	case f.Digits(i) != 3 || f.Digits(b) != 2 || f.Digits(c) != 4 || !f.Here(b) || !f.Here(c):
		return found{}
	case !spaced && (sep != f.Mark(b+1) || sep != '-' && sep != '.'), f.Value(i) == 0 || f.Value(b) == 0 || f.Value(c) == 0:
		return found{}
	}
	end, kind := c+1, f.label.Kind
	row := f.Number(i-1) && f.Here(i) || f.Number(end) && f.Here(end) || f.In(end, unit|counted)
	switch {
	case kind != label.None && kind != label.SSN && kind != label.Generic && kind != label.Plan, spaced && kind != label.SSN && row:
		return found{}
	case f.Glued(end) && f.Letter(end):
		return found{end + 1, phi.HealthPlan}
	case !f.ended(end):
		return found{}
	case kind == label.Plan:
		return found{end, phi.HealthPlan}
	}
	return found{end, phi.SSN}
}

// Bounds of the digits of a payment card, and of the groups they are written in.
const (
	leastCardGroup = 4
	leastCard      = 13
	mostCard       = 19
	mostCardGroups = 5
)

// card returns the number of a payment card at number i with a right check digit, in one group or in groups of four,
// or of four, six and five.
func (f *finder) card(i int) found {
	if f.Digits(i) < leastCardGroup {
		return found{}
	}
	digits, end := f.Plain(i), i+1
	for groups := 1; groups < mostCardGroups && f.Digits(i) == leastCardGroup; groups++ {
		k := f.Skip(end, "-")
		if n := f.Digits(k); n < leastCardGroup || n > 6 || !f.Here(k) {
			break
		}
		digits, end = digits+f.Plain(k), k+1
	}
	kind := f.label.Kind
	if len(digits) < leastCard || len(digits) > mostCard || !checkdigit.Luhn(digits) || !f.ended(end) || kind != label.None && kind != label.Account {
		return found{}
	}
	return found{end, phi.Account}
}

// Bounds of an IBAN's length, and how many tokens are read for it.
const (
	leastIBAN      = 15
	mostIBAN       = 34
	mostIBANTokens = 20
)

// iban returns the international bank account number at word i, in one run or in groups.
func (f *finder) iban(i int) found {
	if !f.Word(i) || len(f.Str(i)) != 2 || f.Digits(i+1) < 2 || !f.Glued(i+1) {
		return found{}
	}
	var b strings.Builder
	for j := i; j < i+mostIBANTokens && f.Has(j) && f.Mark(j) == 0 && (j == i || f.Here(j)); j++ {
		if f.Word(j) && f.Case(j) != text.Upper || b.Len() > mostIBAN {
			break
		}
		b.WriteString(f.Str(j))
		if b.Len() >= leastIBAN && f.ended(j+1) && checkdigit.IBAN(b.String()) {
			return found{j + 1, phi.Account}
		}
	}
	return found{}
}
