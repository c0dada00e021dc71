package ident

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Least digits of codes that nothing announces. Shorter ones are results, doses and codes of
// diseases more often than identifiers.
const (
	leastBare    = 7 // of a number
	leastInRow   = 5 // in a row, behind letters
	leastGrouped = 8 // in groups
)

// announcedCode reports whether the name of a system of codes is up to four tokens before
// token i on its line.
func (f *finder) announcedCode(i int) bool {
	for j := i; j > 0 && j > i-5 && f.Here(j); j-- {
		if label.At(f.View, j-1) == label.Code {
			return true
		}
	}
	return false
}

// formed returns the code of letters and digits at token i: up to five capitals, then
// digits, five of them in a row; or the number of a case, "S12-4567".
func (f *finder) formed(i int) found {
	if !f.Word(i) || f.Spaced(i+1) || f.Case(i) != text.Upper {
		return found{}
	}
	r := f.read(i)
	if len(f.Str(i)) > mostLetters || r.letters > mostLetters || f.announcedCode(i) || !f.ended(r.end) || strings.Contains(r.marks, ":") {
		return found{}
	}
	if k := label.At(f.View, i); k != label.None && k < label.SSN || k == label.Code || f.quantity(i, r) {
		return found{}
	}
	if f.In(i, measured|unit|score|vital) && r.digits < leastGrouped && !f.caseNumber(i, r) {
		return found{}
	}
	if r.longest >= leastInRow && !strings.ContainsAny(r.marks, "./") || f.caseNumber(i, r) {
		return found{r.end, phi.IDNum}
	}
	return found{}
}

// caseNumber reports whether a code is one to three capitals, two digits of a year and a
// number of three digits or more: "S12-4567", "SP-20-12345".
func (f *finder) caseNumber(i int, r run) bool {
	j := i + 1
	if f.Mark(j) == '-' {
		j++
	}
	return len(f.Str(i)) <= 3 && f.Digits(j) == 2 && f.Mark(j+1) == '-' && f.Digits(j+2) >= 3 && r.end == j+3
}

// bare returns the number at token i that is an identifier by its length: in one group, or in
// groups with hyphens.
func (f *finder) bare(i int) found {
	if !f.Number(i) || f.announcedCode(i) {
		return found{}
	}
	r := f.read(i)
	l := label.Before(f.View, i).Kind
	switch {
	case l != label.None && l != label.Generic && l != label.Address, f.quantity(i, r), !f.ended(r.end), f.In(r.end, roundWord):
		return found{}
	case r.letters > 0:
		if r.longest > leastInRow && r.letters <= 3 && r.groups <= 2 && !strings.ContainsAny(r.marks, "./:") && f.capitals(i, r) {
			return found{r.end, phi.IDNum}
		}
		return found{}
	case r.groups == 1 && r.digits >= leastBare && !round(f.Plain(i)):
		return found{r.end, phi.IDNum}
	case r.groups > 1 && strings.Trim(r.marks, "-") == "" && r.digits >= leastGrouped && r.longest >= 4 && r.digits <= mostDigits && !f.drug(i, r) && !f.interval(i, r):
		return found{r.end, phi.IDNum}
	}
	return found{}
}

// capitals reports whether the words of a code are in capitals.
func (f *finder) capitals(i int, r run) bool {
	for ; i < r.end; i++ {
		if f.Word(i) && f.Case(i) != text.Upper {
			return false
		}
	}
	return true
}

// round reports whether a number is a count or an amount: its last four digits are zeros.
func round(digits string) bool { return strings.HasSuffix(digits, "0000") }

// interval reports whether a code is two numbers of up to five digits, the second larger:
// a range of values.
func (f *finder) interval(i int, r run) bool {
	return r.groups == 2 && r.end == i+3 && r.longest <= 5 && f.Value(i) < f.Value(i+2)
}

// drug reports whether a code has the form of a drug's package (21 CFR 207.33): groups of
// four or five, three or four, and one or two digits.
func (f *finder) drug(i int, r run) bool {
	return r.groups == 3 && r.end == i+5 && f.Digits(i) >= 4 && f.Digits(i) <= 5 && f.Digits(i+2) >= 3 && f.Digits(i+2) <= 4 && f.Digits(i+4) <= 2
}
