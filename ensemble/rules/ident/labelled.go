package ident

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// types are what labels announce.
var types = map[label.Kind]phi.Type{
	label.SSN: phi.SSN, label.Record: phi.MedicalRecord, label.Plan: phi.HealthPlan, label.Account: phi.Account, label.License: phi.License,
	label.Vehicle: phi.Vehicle, label.Device: phi.Device, label.Biometric: phi.BioID, label.ID: phi.IDNum, label.Generic: phi.IDNum,
}

// labelled returns the identifier that a label announces at token i.
func (f *finder) labelled(i int) found {
	l := f.label
	t, ok := types[l.Kind]
	if !ok {
		return found{}
	}
	r := f.readGroups(i)
	switch {
	case !f.ended(r.end) && r.letters == 0 || f.quantity(i, r) || !f.enough(i, l, r), !l.Marked && l.Kind > label.Biometric && f.limits(i, r):
		return found{}
	case f.Spaced(i+1) && (label.Announces(f.View, i) || f.In(i, measured|score|vital)), label.At(f.View, i) == label.Code:
		return found{} // a word before a blank begins what is announced only if it says nothing itself
	}
	return found{r.end, t}
}

// Digits of codes behind labels.
const (
	leastLabelled = 3 // behind any label
	digitsOfSSN   = 9
	lastOfSSN     = 4 // the last four stand for all
)

// enough reports whether a code is long enough for its label.
func (f *finder) enough(i int, l label.Label, r run) bool {
	switch {
	case l.Kind == label.SSN:
		return r.digits >= max(l.Least, digitsOfSSN) || r.digits == lastOfSSN && l.Marked || r.digits >= l.Least && r.letters > 0
	case r.letters > 0 && f.Word(i) && !f.shortCapitals(i) && !l.Marked:
		return r.digits >= max(leastLabelled, l.Least)
	case r.longest < leastLabelled && r.marks == "" && !f.capitals(i, r):
		return false
	}
	// Letters make a code as rare as digits do.
	return r.digits+min(r.letters, 2) >= l.Least && (r.digits >= leastLabelled || r.digits == 2 && r.letters >= 2 && l.Marked)
}

// Least digits of codes that nothing announces. Shorter ones are results, doses and codes of diseases more often than
// identifiers.
const (
	leastBare    = 7 // of a number
	leastInRow   = 5 // in a row, behind letters
	leastGrouped = 8 // in groups
)

// bare returns the code at token i that is an identifier by its length: a number in one group or in groups with
// hyphens, or up to five capitals and digits.
func (f *finder) bare(i int) found {
	r, l := f.read(i), f.label.Kind
	switch {
	case l != label.None && l != label.Generic && l != label.Address && !f.Word(i), f.quantity(i, r) || !f.ended(r.end) || f.ofSystem(i):
		return found{}
	case r.letters > 0 && f.lettered(i, r),
		r.letters == 0 && r.groups == 1 && r.digits >= leastBare,
		r.letters == 0 && r.groups > 1 && strings.Trim(r.marks, "-") == "" && r.digits >= leastGrouped && r.longest >= 4 && r.digits <= mostDigits &&
			!f.interval(i, r):
		return found{r.end, phi.IDNum}
	}
	return found{}
}

// ofSystem reports whether the name of a system of codes is up to four tokens before token i on its line.
func (f *finder) ofSystem(i int) bool {
	for j := i; j > i-4 && f.Here(j); j-- {
		if label.At(f.View, j-1) == label.Code {
			return true
		}
	}
	return false
}

// lettered reports whether a code of letters and digits is long enough: five digits in a row, or the number of a
// case. Capitals that measure something need more digits.
func (f *finder) lettered(i int, r run) bool {
	k := label.At(f.View, i)
	switch {
	case f.caseNumber(i, r):
		return true
	case r.letters > mostLetters || f.Spaced(i+1) || !f.capitals(i, r) || strings.ContainsAny(r.marks, "./:") || k != label.None && k < label.SSN || k == label.Code:
		return false
	case f.Number(i):
		return r.longest > leastInRow && r.groups <= 2
	}
	return r.longest >= leastInRow && (r.digits >= leastGrouped || !f.In(i, measured|unit|score|vital))
}

// caseNumber reports whether a code is one to three capitals, two digits of a year and a number of three digits or
// more: "S12-4567", "SP-20-12345".
func (f *finder) caseNumber(i int, r run) bool {
	j := f.Skip(i+1, "-")
	return f.Case(i) == text.Upper && len(f.Str(i)) <= 3 && f.Digits(j) == 2 && f.Mark(j+1) == '-' && f.Digits(j+2) >= 3 && r.end == j+3
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

// interval reports whether a code is two numbers of up to five digits, the second larger: a range of values.
func (f *finder) interval(i int, r run) bool {
	return r.groups == 2 && r.longest <= mostGroupDigits && f.Value(i) < f.Value(i+2)
}

// limits reports whether a code is two numbers of up to three digits, the second larger: what is normal for a test.
func (f *finder) limits(i int, r run) bool {
	return r.letters == 0 && r.longest <= 3 && r.marks == "-" && f.Plain(i)[0] != '0' && f.interval(i, r)
}

// login returns the login that a word for logins announces at word i, if it has a digit, a dot or an underscore, or a
// colon is before it.
func (f *finder) login(i int) found {
	before := f.Back(i, ":=")
	if !f.Word(i) || !f.Here(i) || label.At(f.View, before) != label.Login {
		return found{}
	}
	end := i + 1
	for end < i+text.LongestRun && f.Glued(end) && (f.Mark(end) == 0 || strings.IndexByte("._-", f.Mark(end)) >= 0 && f.Tight(end)) {
		end++
	}
	if end > i+1 || before < i-1 && !f.Title(i) {
		return found{end, phi.Username}
	}
	return found{}
}
