package ident

import (
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
	l := label.Before(f.View, i)
	t, ok := types[l.Kind]
	if l.Kind == label.None {
		return f.ownLabel(i)
	}
	if !ok {
		return found{}
	}
	r := f.readGroups(i)
	if !f.ended(r.end) && r.letters == 0 || f.quantity(i, r) || f.Spaced(i+1) && label.Announces(f.View, i) {
		return found{}
	}
	if f.Word(i) && (f.Spaced(i+1) && f.In(i, measured|score|vital) || label.At(f.View, i) == label.Code) || !f.enough(i, l, r) {
		return found{}
	}
	return found{r.end, t}
}

// enough reports whether a code is long enough for its label.
func (f *finder) enough(i int, l label.Label, r run) bool {
	if l.Kind == label.SSN {
		return r.digits == 9 || r.digits == 4 && l.Marked || r.digits >= l.Least && l.Least < 9 && r.letters > 0 || r.digits == 12
	}
	if !l.Marked && f.year(i, r) {
		return false
	}
	if r.letters > 0 && f.Word(i) && !f.shortCapitals(i) && !l.Marked {
		return r.digits >= 3 && r.digits >= l.Least
	}
	if r.letters >= 2 && r.digits >= 2 && r.letters+r.digits >= 5 && f.capitals(i, r) && l.Least <= 4 {
		return true // "XK22B" behind "lot"
	}
	if r.longest < 3 && r.marks == "" && !f.capitals(i, r) {
		return false
	}
	size := r.digits
	if r.letters > 0 {
		size += min(r.letters, 2) // letters make a code as rare as digits do
	}
	return size >= l.Least && (r.digits >= 3 || r.digits >= 2 && r.letters >= 2 && l.Marked)
}

// year reports whether a code is a year of our time.
func (f *finder) year(i int, r run) bool {
	return r.letters == 0 && r.groups == 1 && r.digits == 4 && f.Value(i) >= 1900 && f.Value(i) < 2100
}

// ownLabel returns the identifier whose label is glued to it, at word i: "MRN133202".
func (f *finder) ownLabel(i int) found {
	if !f.In(i, gluedLabel) || f.Case(i) != text.Upper {
		return found{}
	}
	r := f.read(i)
	t, ok := types[label.At(f.View, i)]
	if !ok || r.digits < 3 || !f.ended(r.end) || f.quantity(i, r) || f.Spaced(i+1) {
		return found{}
	}
	return found{r.end, t}
}
