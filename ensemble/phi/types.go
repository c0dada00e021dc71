// Package phi holds what every part of detection speaks of: the types of protected
// health information (PHI), and spans of a text that hold it.
package phi

import (
	"fmt"
	"strings"
)

// Type is the kind of protected health information (PHI) of a span. The names
// are those of the i2b2/UTHealth 2014 annotation guidelines (Stubbs and Uzuner,
// J. Biomed. Inform. 58, 2015), plus COUNTY, PAGER and TIME.
type Type uint8

// The PHI types. Time is found, so that its digits are not taken for something
// else, and is never replaced.
const (
	None Type = iota
	Patient
	Doctor
	Username
	Profession
	Hospital
	Organization
	Street
	City
	State
	Country
	County
	Zip
	LocationOther
	Age
	Date
	Time
	Phone
	Fax
	Pager
	Email
	URL
	IPAddr
	SSN
	MedicalRecord
	HealthPlan
	Account
	License
	Vehicle
	Device
	BioID
	IDNum
	numTypes
)

var typeNames = [numTypes]string{
	"NONE", "PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "HOSPITAL", "ORGANIZATION", "STREET", "CITY",
	"STATE", "COUNTRY", "COUNTY", "ZIP", "LOCATION-OTHER", "AGE", "DATE", "TIME", "PHONE", "FAX", "PAGER",
	"EMAIL", "URL", "IPADDR", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE",
	"DEVICE", "BIOID", "IDNUM",
}

// String returns the type's name as i2b2 writes it, such as "LOCATION-OTHER".
func (t Type) String() string {
	if t >= numTypes {
		return fmt.Sprintf("TYPE(%d)", uint8(t))
	}
	return typeNames[t]
}

// ParseType is the inverse of [Type.String]; upper and lower case are the same.
func ParseType(s string) (Type, error) {
	for i, n := range typeNames {
		if strings.EqualFold(n, s) && Type(i) != None {
			return Type(i), nil
		}
	}
	return None, fmt.Errorf("unknown PHI type %q", s)
}

// Types lists every PHI type, in the order of their constants.
func Types() []Type {
	ts := make([]Type, 0, numTypes-1)
	for t := None + 1; t < numTypes; t++ {
		ts = append(ts, t)
	}
	return ts
}

// Class is the i2b2 tag group of a type.
type Class uint8

// The classes of PHI types.
const (
	ClassNone Class = iota
	ClassName
	ClassProfession
	ClassLocation
	ClassAge
	ClassDate
	ClassTime
	ClassContact
	ClassID
)

var classNames = [...]string{"NONE", "NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "TIME", "CONTACT", "ID"}

// String returns the class's name, such as "CONTACT".
func (c Class) String() string { return classNames[c] }

// Class returns the tag group that t belongs to.
func (t Type) Class() Class {
	switch {
	case t == None || t >= numTypes:
		return ClassNone
	case t <= Username:
		return ClassName
	case t == Profession:
		return ClassProfession
	case t <= LocationOther:
		return ClassLocation
	case t == Age:
		return ClassAge
	case t == Date:
		return ClassDate
	case t == Time:
		return ClassTime
	case t <= IPAddr:
		return ClassContact
	default:
		return ClassID
	}
}
