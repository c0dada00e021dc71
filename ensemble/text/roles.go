package text

import (
	mathbits "math/bits"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Roles is the set of roles that a word can play for the words next to it: a title before a name,
// a word that ends the name of a facility. The words of each are a file of the lexicon,
// words/roles.
type Roles uint64

// The roles.
const (
	RoleDoctorTitle Roles = 1 << iota // Dr, Prof: before names of staff
	RolePersonTitle                   // Mr, Ms: before names of patients and relatives
	RoleStaffTitle                    // nurse, officer: before names, when these have a capital
	RoleCredential                    // MD, RN: after names
	RoleWeakCred                      // MA, PA, DO: after names, and much else
	RoleSigning                       // signed, dictated: before "by" and a name
	RolePatientTag                    // "Patient:", "Name:"
	RoleStaffTag                      // "Attending:", "cc:"
	RoleKin                           // wife, friend
	RoleReach                         // called, paged: before names
	RoleMeet                          // discussed, lives: before "with" and a name
	RoleGreeting                      // dear, hi, thanks
	RoleSubjectVerb                   // is, denies: after the name of a patient
	RoleParticle                      // van, de: inside names
	RoleSuffix                        // Jr, III
	RoleBy
	RoleWith
	RoleIs
	RoleNamed // named, called, alias
	RolePossessive
	RoleAnd
	RoleFrom
	RolePlacePrep  // in, at, to, near
	RoleDwell      // lives, moved, born: before a preposition and a place
	RoleFacility   // hospital, clinic, pharmacy: ends names of facilities
	RoleFacilityIn // medical, general, memorial: inside names of facilities, never enough alone
	RoleInstitute  // memorial, university: makes a facility's name one of its own
	RoleCompany    // Inc, university, school: ends names of organisations
	RoleWork       // works, employed: before at/for/by and an employer
	RoleRoom       // room, suite: before a number
	RoleSex        // male, woman
	RoleRace       // caucasian: not a country
	RoleEponymNoun // disease, score, catheter: after eponyms
	RoleGroupNoun  // group, club: before "called" and an organisation
	RoleRetired    // retired, former: before an occupation
	RoleStop       // never part of a name
	RoleCare       // attendant, aide: after the name of an agency
	RoleHome       // admitted, transferred: before a facility's short name
	RoleSocial     // occupation, profession: before ":" and an occupation
	RoleArticle
	RoleBaby       // baby, newborn: before a surname
	RolePlaceTop   // port, lake, north: begins towns
	RoleSchool     // middle, high: before "school"
	RoleSeen       // seen, referred: before "by" and a name
	RoleDose       // mg, units: after numbers behind drugs
	RoleFill       // filled, sent: before "at" or "to" and a pharmacy
	RoleAttend     // attends: before a club or a school
	RoleEmployer   // employer, school: before ":" and an organisation
	RoleProcedure  // procedure, protocol: before ":" and eponyms
	RoleDrugUse    // continue, samples of: before drugs
	RoleTypist     // technologist, typist: before ":" and initials
	RoleLetter     // note, order: before "for" or "to" and an organisation
	RoleGeo        // river, heights: after names of places
	RoleStreet     // street, lane: no name of a town, and rarely of a person
	RoleEponymSure // disease, score: what no person has by name
	RoleNotJob     // smoker, historian: nouns like those of occupations
	RoleDuration   // hours, days: what "bed 2" is followed by in "in bed 2 days"
)

// roleNames are the names of roles, in the order of their constants.
var roleNames = [...]string{
	"doctor-title", "person-title", "staff-title", "credential", "weak-credential", "signing", "patient-tag", "staff-tag", "kin", "reach",
	"meet", "greeting", "subject-verb", "particle", "suffix", "by", "with", "is", "named", "possessive", "and", "from", "place-preposition",
	"dwell", "facility", "in-facility", "institute", "company", "work", "room", "sex", "race", "eponym-noun", "group-noun", "retired", "stop",
	"care", "home", "social", "article", "baby", "place-top", "school", "seen", "dose", "fill", "attend", "employer", "procedure", "drug-use",
	"typist", "letter", "geo", "street", "sure-eponym-noun", "no-job", "duration",
}

// Append appends the names of the roles to buf: "doctor-title street".
func (c Roles) Append(buf []byte) []byte {
	for rest := uint64(c); rest != 0; rest &= rest - 1 {
		if i := mathbits.TrailingZeros64(rest); i < len(roleNames) {
			if rest != uint64(c) {
				buf = append(buf, ' ')
			}
			buf = append(buf, roleNames[i]...)
		}
	}
	return buf
}

// String lists the roles.
func (c Roles) String() string { return string(c.Append(nil)) }

// RolesOf returns the roles of a word in any case.
func RolesOf(word string) Roles {
	var buf [longestRole]byte
	key, ok := lexicon.LowerASCII(buf[:], word)
	if !ok {
		return 0
	}
	return roleTable()[string(key)]
}

// longestRole is the length of the longest word with a role, at most.
const longestRole = 24

var roleTable = sync.OnceValue(func() map[string]Roles {
	m := make(map[string]Roles, 1500)
	for i, name := range roleNames {
		for _, w := range lexicon.Words("roles/" + name) {
			m[w] |= 1 << i
		}
	}
	return m
})
