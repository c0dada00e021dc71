package ensemble

import mathbits "math/bits"

// Cues is the set of roles that a word plays in telling what stands beside it: a title
// before a name, a word that ends the name of a facility.
type Cues uint64

// cueNames are the names of roles, in the order of their constants.
var cueNames = [...]string{
	"doctor-title", "person-title", "staff-title", "credential", "weak-credential", "signing", "patient-tag", "staff-tag", "kin", "reach",
	"meet", "greeting", "subject-verb", "particle", "suffix", "by", "with", "is", "named", "possessive", "and", "from", "place-preposition",
	"dwell", "facility", "in-facility", "institute", "company", "work", "room", "sex", "race", "eponym-noun", "group-noun", "retired", "stop",
	"care", "home", "social", "article", "baby", "place-top", "school", "seen", "dose", "fill", "attend", "employer", "procedure", "drug-use",
	"typist", "letter", "geo", "street", "sure-eponym-noun", "no-job", "duration",
}

// CuesOf returns the roles of token i.
func (n *Note) CuesOf(i int) Cues {
	n.Entries()
	return Cues(n.cues[i])
}

// Append appends the names of the roles to buf: "doctor-title street".
func (c Cues) Append(buf []byte) []byte {
	for rest := uint64(c); rest != 0; rest &= rest - 1 {
		if i := mathbits.TrailingZeros64(rest); i < len(cueNames) {
			if rest != uint64(c) {
				buf = append(buf, ' ')
			}
			buf = append(buf, cueNames[i]...)
		}
	}
	return buf
}

// String lists the roles.
func (c Cues) String() string { return string(c.Append(nil)) }
