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

// The roles that rules ask for, by their places in roleNames. Learned members are given all roles, by name.
const (
	RoleDoctorTitle Roles = 1 << 0  // Dr, Prof: before names of staff
	RolePersonTitle Roles = 1 << 1  // Mr, Ms: before names of patients and relatives
	RoleStaffTitle  Roles = 1 << 2  // nurse, officer: before names, when these have a capital
	RoleCredential  Roles = 1 << 3  // MD, RN: after names
	RoleSigning     Roles = 1 << 5  // signed, dictated: before "by" and a name
	RolePatientTag  Roles = 1 << 6  // "Patient:", "Name:"
	RoleStaffTag    Roles = 1 << 7  // "Attending:", "cc:"
	RoleRelative    Roles = 1 << 8  // wife, friend
	RoleReach       Roles = 1 << 9  // called, paged: before names
	RoleSubjectVerb Roles = 1 << 12 // is, denies: after the name of a patient
	RoleParticle    Roles = 1 << 13 // van, de: inside names
	RoleSuffix      Roles = 1 << 14 // Jr, III
	RoleBy          Roles = 1 << 15
	RoleNamed       Roles = 1 << 18 // named, called, alias
	RoleAnd         Roles = 1 << 20
	RoleSex         Roles = 1 << 30 // male, woman
	RoleEponymNoun  Roles = 1 << 32 // disease, score, catheter: after eponyms
	RoleHome        Roles = 1 << 37 // admitted, transferred: before a facility's short name
	RoleArticle     Roles = 1 << 39
	RoleSeen        Roles = 1 << 43 // seen, referred: before "by" and a name
)

// roleNames are the names of roles, in the order of their bits, which the features of learned members depend on.
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
	if len(word) > longestRole {
		return 0
	}
	roles, _ := roleTable().Get(word)
	return roles
}

// longestRole is the length of the longest word with a role, at most.
const longestRole = 24

var roleTable = sync.OnceValue(func() *lexicon.AnyCase[Roles] {
	m := make(map[string]Roles, 1500)
	for i, name := range roleNames {
		for _, w := range lexicon.Words("roles/" + name) {
			m[w] |= 1 << i
		}
	}
	return lexicon.NewAnyCase(m)
})
