package surrogate

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// oddsMargin is the difference of scores (8*log2, so a factor of 8) from which the lexicon rather
// than the position decides the role.
const oddsMargin = 24

// assignRoles decides for each name whether it is a given or a family name: by the record, then by
// the lexicon if its odds are clear, so that a name has one role everywhere, then by position.
func assignRoles(words []nameWord, known *roster) {
	hintRoles(words)
	for i := range words {
		w := &words[i]
		if w.class != nameToken {
			continue
		}
		if r := known.role(w.plain); r != anyName {
			w.role = r
			continue
		}
		w.role = likelyRole(w.plain, w.role)
	}
}

// likelyRole weighs the lexicon's odds against the role suggested by the position.
func likelyRole(word string, hint nameRole) nameRole {
	e, _ := lexicon.LookupFolded(word)
	odds := int(e.First) - int(e.Surname)
	switch {
	case odds >= oddsMargin || hint == anyName && odds > 0:
		return givenName
	case odds <= -oddsMargin || hint == anyName:
		return familyName
	default:
		return hint
	}
}

// hintRoles sets the roles that the order of a name suggests: "First Last",
// "Last, First", "Dr. Last".
func hintRoles(words []nameWord) {
	comma := invertedAt(words)
	last := lastName(words)
	for i := range words {
		w := &words[i]
		switch {
		case comma > 0 && i < comma:
			w.role = familyName
		case comma > 0:
			w.role = givenName
		case last >= 0 && i >= last:
			w.role = familyName
		case last >= 0:
			w.role = givenName
		}
	}
}

// invertedAt returns the index of the first word after the comma of "Last, First",
// or 0.
func invertedAt(words []nameWord) int {
	seen := false
	for i, w := range words {
		named := w.class == nameToken || w.class == initials
		if w.comma && seen && named {
			return i
		}
		seen = seen || w.class == nameToken
	}
	return 0
}

// lastName returns the index at which the family name of "First Last" starts, with particles and
// hyphens, or -1 for a single name.
func lastName(words []nameWord) int {
	at, named := -1, 0
	for i, w := range words {
		if w.class == nameToken {
			at = i
			named++
		}
	}
	if at < 0 {
		return -1
	}
	before := at > 0 && (words[at-1].class == initials || titles[words[at-1].plain] || particles[words[at-1].plain])
	if named == 1 && !before {
		return -1
	}
	for at > 0 && (words[at].joined && words[at-1].class == nameToken || isKeptParticle(words[at-1])) {
		at--
	}
	return at
}

func isKeptParticle(w nameWord) bool { return w.class == keptWord && particles[w.plain] }
