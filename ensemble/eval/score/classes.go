package score

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Class is a row of Supplementary Table 4: i2b2's tag groups, with organisations separate from
// places, plus ages and professions.
type Class uint8

// The classes.
const (
	Dates Class = iota
	Names
	Locations
	Organizations
	Identifiers
	Contacts
	Ages
	Professions
	NumClasses
)

var classNames = [NumClasses]string{
	"DATE", "NAME", "LOCATION", "ORGANIZATION", "ID", "CONTACT", "AGE", "PROFESSION",
}

// String returns the class's name, such as "ORGANIZATION".
func (c Class) String() string { return classNames[c] }

// ClassOf returns the class of a type; ok is false for TIME, which is kept.
func ClassOf(t phi.Type) (c Class, ok bool) {
	switch t.Class() {
	case phi.ClassDate:
		return Dates, true
	case phi.ClassName:
		return Names, true
	case phi.ClassLocation:
		if t == phi.Hospital || t == phi.Organization {
			return Organizations, true
		}
		return Locations, true
	case phi.ClassID:
		return Identifiers, true
	case phi.ClassContact:
		return Contacts, true
	case phi.ClassAge:
		return Ages, true
	case phi.ClassProfession:
		return Professions, true
	default:
		return 0, false
	}
}

// Group is a set of types that are scored together.
type Group uint8

// The groups of the main paper's Table 1, each contained in the next, and All: every type but
// TIME, including ages up to 89 and professions.
const (
	A Group = iota
	B
	C
	All
	NumGroups
)

// String returns "A", "B", "C" or "all".
func (g Group) String() string { return [NumGroups]string{"A", "B", "C", "all"}[g] }

// Has reports whether the group contains spans of type t with this text: an age is in A to C only
// if it is over 89.
func (g Group) Has(t phi.Type, text string) bool {
	switch t {
	case phi.None, phi.Time:
		return false
	case phi.Profession:
		return g == All
	case phi.Age:
		return g == All || over89(text)
	case phi.Doctor, phi.Username:
		return g >= B
	case phi.Hospital, phi.Country, phi.State:
		return g >= C
	default:
		return true
	}
}

// over89 reports whether an age, in digits or words, is over 89.
func over89(text string) bool {
	n, digits := 0, 0
	for _, r := range text {
		if r >= '0' && r <= '9' {
			if digits++; digits <= 3 {
				n = n*10 + int(r-'0')
			}
			continue
		}
		if digits > 0 {
			break
		}
	}
	if digits > 0 {
		return n > 89
	}
	low := strings.ToLower(text)
	for _, w := range []string{"ninety", "nineties", "hundred", "nonagenarian", "centenarian"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// hasClass reports whether a type of class c is in the set.
func hasClass(s corpus.TypeSet, c Class) bool {
	for _, t := range s.Types() {
		if tc, ok := ClassOf(t); ok && tc == c {
			return true
		}
	}
	return false
}

// Within reports whether the group contains a gold span of these types.
func (g Group) Within(s corpus.TypeSet, text string) bool {
	for _, t := range s.Types() {
		if g.Has(t, text) {
			return true
		}
	}
	return false
}
