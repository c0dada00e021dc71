package ident

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// checked returns the identifier at token i that its check digit proves, or its form.
func (f *finder) checked(i int) found {
	for _, find := range [...]func(*finder, int) found{
		(*finder).uuid, (*finder).vehicle, (*finder).beneficiary, (*finder).socialSecurity, (*finder).card, (*finder).iban,
		(*finder).prescriber,
	} {
		if id := find(f, i); id.end > i {
			return id
		}
	}
	return found{}
}

// solid returns what is at token i without blanks if it has n bytes, and the token behind it.
func (f *finder) solid(i, n int) (string, int) {
	from := f.Tokens[i].Start
	if len(f.Text) < from+n {
		return "", 0
	}
	end := i
	for f.Has(end) && f.Tokens[end].End <= from+n && end < i+n {
		end++
	}
	if end == i || f.Tokens[end-1].End != from+n || f.Glued(end) && (f.Mark(end) == 0 || !f.ended(end)) {
		return "", 0
	}
	s := f.Text[from : from+n]
	if strings.ContainsAny(s, " \t\r\n") {
		return "", 0
	}
	return s, end
}

// uuid returns the universally unique identifier at token i (RFC 9562).
func (f *finder) uuid(i int) found {
	s, end := f.solid(i, 36)
	if s == "" || !like(s, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh") {
		return found{}
	}
	return found{end, phi.IDNum}
}

// vehicle returns the vehicle identification number at token i.
func (f *finder) vehicle(i int) found {
	if s, end := f.solid(i, 17); s != "" && validVIN(strings.ToUpper(s)) {
		return found{end, phi.Vehicle}
	}
	return found{}
}

// beneficiary returns the number of a Medicare beneficiary at token i, with or without
// hyphens (CMS, Understanding the Medicare Beneficiary Identifier).
func (f *finder) beneficiary(i int) found {
	for _, form := range [...]string{"9aX9aX9aa99", "9aX9-aX9-aa99"} {
		if s, end := f.solid(i, len(form)); s != "" && like(strings.ToUpper(s), form) {
			return found{end, phi.HealthPlan}
		}
	}
	return found{}
}

// socialSecurity returns the social security number at number i in groups of three, two and
// four digits, none of them all zeros. With a capital behind it, it is a Medicare number of
// the old form.
func (f *finder) socialSecurity(i int) found {
	if f.Digits(i) == 4 && f.In(i-1, four) || f.Digits(i) == 4 && f.Plain(i-1) == "4" && f.In(i-2, last) {
		if f.In(i-2, last) && !f.In(i+1, unit|counted) {
			return found{i + 1, phi.SSN}
		}
	}
	b, c := i+2, i+4
	if f.Number(i + 1) {
		b, c = i+1, i+2
	}
	if f.Digits(i) != 3 || f.Digits(b) != 2 || f.Digits(c) != 4 || !f.Here(b) || !f.Here(c) {
		return found{}
	}
	spaced := b == i+1
	if !spaced && (f.Mark(i+1) != f.Mark(b+1) || f.Mark(i+1) != '-' && f.Mark(i+1) != '.' || f.Spaced(i+1) != f.Spaced(b)) ||
		f.Value(i) == 0 || f.Value(b) == 0 || f.Value(c) == 0 {
		return found{}
	}
	kind := label.Before(f.View, i).Kind
	if spaced && kind != label.SSN && (f.Number(i-1) && f.Here(i) || f.Number(c+1) && f.Here(c+1) || f.In(c+1, unit|counted)) ||
		kind != label.None && kind != label.SSN && kind != label.Generic && kind != label.Plan {
		return found{}
	}
	end := c + 1
	if f.Word(end) && f.Glued(end) && f.shortCapitals(end) && len(f.Str(end)) <= 2 {
		return found{end + 1, phi.HealthPlan}
	}
	if !f.ended(end) {
		return found{}
	}
	if kind == label.Plan {
		return found{end, phi.HealthPlan}
	}
	return found{end, phi.SSN}
}

// masked returns the social security number of which five digits are hidden, at the first
// mark: "***-**-6789".
func (f *finder) masked(i int) found {
	if f.Glued(i) && f.Mark(i-1) == f.Mark(i) {
		return found{}
	}
	if f.Equal(i, "xxx") && f.Tight(i+1) && f.Equal(i+2, "xx") && f.Tight(i+3) && f.Digits(i+4) == 4 && f.ended(i+5) {
		return found{i + 5, phi.SSN}
	}
	j, hidden := i, 0
	for ; j < i+8 && (f.Mark(j) == f.Mark(i) || f.Mark(j) == '-') && (j == i || f.Glued(j)); j++ {
		if f.Mark(j) != '-' {
			hidden++
		}
	}
	if hidden != 5 || f.Digits(j) != 4 || !f.Glued(j) || !f.ended(j+1) {
		return found{}
	}
	return found{j + 1, phi.SSN}
}

// card returns the number of a payment card at number i: 13 to 19 digits with a right check
// digit (ISO/IEC 7812), in one group or in groups of four, or of four, six and five.
func (f *finder) card(i int) found {
	digits, end, groups := f.Plain(i), i+1, 1
	for groups < 5 && f.Digits(i) == 4 {
		k := end
		if f.Mark(k) == '-' {
			k++
		}
		if n := f.Digits(k); n < 4 || n > 6 || !f.Here(k) {
			break
		}
		digits, end, groups = digits+f.Plain(k), k+1, groups+1
	}
	if len(digits) < 13 || len(digits) > 19 || !luhn(digits) || !f.ended(end) {
		return found{}
	}
	if kind := label.Before(f.View, i).Kind; kind != label.None && kind != label.Account {
		return found{}
	}
	return found{end, phi.Account}
}

// iban returns the international bank account number at word i, in one run or in groups.
func (f *finder) iban(i int) found {
	if !f.Word(i) || len(f.Str(i)) != 2 || f.Digits(i+1) < 2 || !f.Glued(i+1) {
		return found{}
	}
	var b strings.Builder
	for j := i; j < i+20 && f.Has(j) && f.Mark(j) == 0 && (j == i || f.Here(j)); j++ {
		if f.Word(j) && f.Case(j) != text.Upper {
			break
		}
		b.WriteString(f.Str(j))
		if b.Len() > 34 {
			break
		}
		if b.Len() >= 15 && f.ended(j+1) && !(f.Glued(j+1) && f.Mark(j+1) == 0) && validIBAN(b.String()) {
			return found{j + 1, phi.Account}
		}
	}
	return found{}
}

// prescriber returns the number of the Drug Enforcement Administration at token i: two
// letters and seven digits, of which the last checks the others.
func (f *finder) prescriber(i int) found {
	if s, end := f.solid(i, 9); s != "" && validDEA(strings.ToUpper(s)) {
		return found{end, phi.License}
	}
	return found{}
}
