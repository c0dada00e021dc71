package phi

import (
	"strings"
	"testing"
)

func TestTypeNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, typ := range Types() {
		name := typ.String()
		if name == "" || name != strings.ToUpper(name) || seen[name] {
			t.Errorf("type %d is named %q", typ, name)
		}
		seen[name] = true
		for _, s := range []string{name, strings.ToLower(name)} {
			if got, err := ParseType(s); err != nil || got != typ {
				t.Errorf("%q is read as %v, %v", s, got, err)
			}
		}
	}
	if len(seen) != int(numTypes)-1 || seen["NONE"] {
		t.Errorf("%d types", len(seen))
	}
}

func TestParseTypeRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "NONE", "none", "NAME", "PATIENT ", "LOCATION_OTHER", "TYPE(3)"} {
		if got, err := ParseType(s); err == nil || got != None {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}

func TestTypesBeyondTheLast(t *testing.T) {
	t.Parallel()
	if got := numTypes.String(); got != "TYPE(32)" {
		t.Errorf("%q", got)
	}
	if numTypes.Class() != ClassNone || None.Class() != ClassNone {
		t.Error("what is no type has a class")
	}
}

// Classes are the tag groups of i2b2, with times and numbers of their own.
func TestClasses(t *testing.T) {
	t.Parallel()
	want := map[Class][]Type{
		ClassName:       {Patient, Doctor, Username},
		ClassProfession: {Profession},
		ClassLocation:   {Hospital, Organization, Street, City, State, Country, County, Zip, LocationOther},
		ClassAge:        {Age},
		ClassDate:       {Date},
		ClassTime:       {Time},
		ClassContact:    {Phone, Fax, Pager, Email, URL, IPAddr},
		ClassID:         {SSN, MedicalRecord, HealthPlan, Account, License, Vehicle, Device, BioID, IDNum},
	}
	n := 0
	for class, types := range want {
		for _, typ := range types {
			n++
			if typ.Class() != class {
				t.Errorf("%s is of class %s, want %s", typ, typ.Class(), class)
			}
		}
	}
	if n != len(Types()) {
		t.Errorf("%d of %d types have a class", n, len(Types()))
	}
	if ClassContact.String() != "CONTACT" || ClassID.String() != "ID" {
		t.Error("names of classes")
	}
}
