package surrogate

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// person is a name seen in full, as folded words.
type person struct {
	phi.Redacted
	given, family []string
}

// roster holds the persons named in a patient's record and in the current text, with which
// initials, nicknames and typing errors are resolved. It is not carried from one note to the next:
// the output depends on the note, the record and the stored entries alone, not on what the process
// has seen before.
type roster struct {
	phi.Redacted

	roles   map[string]nameRole // of the record's words
	slips   *lexicon.Slips      // finds these words by misspelt ones
	persons *index              // of the record
	met     *index              // of the text
	group   lexicon.Group       // of the record's surnames
	grouped bool                // whether group is known
}

// maxMet limits the persons of one text, so that a huge text takes time linear in its size.
const maxMet = 256

// forText returns a roster for one text.
func (r *roster) forText() *roster {
	c := *r
	c.met = newIndex()
	return &c
}

var recordNames = []record.Role{
	record.NameFull, record.NameAlias, record.RelativeName, record.ProviderName,
}

// newRoster reads the names of a gazetteer's record.
func newRoster(rec record.Record) *roster {
	r := &roster{roles: map[string]nameRole{}, slips: &lexicon.Slips{}, persons: newIndex(), met: newIndex()}
	first, middle, last := rec[record.NameFirst], rec[record.NameMiddle], rec[record.NameLast]
	for i := range max(len(first), len(last)) {
		p := person{given: r.learn(pick(first, i), givenName), family: r.learn(pick(last, i), familyName)}
		p.given = append(p.given, r.learn(pick(middle, i), givenName)...)
		r.persons.add(p)
	}
	for _, role := range recordNames {
		for _, full := range rec[role] {
			r.learnFull(full)
		}
	}
	r.group, r.grouped = r.persons.surnameGroup()
	for _, word := range slices.Sorted(maps.Keys(r.roles)) {
		r.slips.Add(word)
	}
	return r
}

// pick returns the i-th value, or the last one.
func pick(values []string, i int) string {
	if len(values) == 0 {
		return ""
	}
	return values[min(i, len(values)-1)]
}

// learn records the words of a value with their role and returns them.
func (r *roster) learn(value string, role nameRole) []string {
	var out []string
	for _, w := range scanName(value) {
		if w.class == digitsWord || suffixes[w.plain] && len(out) > 0 {
			continue
		}
		out = append(out, w.plain)
		if utf8.RuneCountInString(w.plain) > 1 && !(particles[w.plain] && w.end < len(value)) {
			r.roles[w.plain] = role
		}
	}
	return out
}

func (r *roster) learnFull(value string) {
	words := splitName(value, r)
	var p person
	for _, w := range words {
		if w.class == nameToken || w.class == initials {
			p.add(w)
			if w.class == nameToken {
				r.roles[w.plain] = w.role
			}
		}
	}
	r.persons.add(p)
}

func (p *person) add(w nameWord) {
	if w.role == familyName {
		p.family = append(p.family, w.plain)
	} else {
		p.given = append(p.given, w.plain)
	}
}

// role returns the record's role of a folded word, or anyName.
func (r *roster) role(word string) nameRole { return r.roles[word] }

// meet adds a person named in a note with given and family name.
func (r *roster) meet(words []nameWord) {
	var p person
	whole := false
	for _, w := range words {
		switch {
		case w.class == nameToken:
			p.add(w)
			whole = whole || w.role == givenName
		case w.class == initials && utf8.RuneCountInString(w.plain) == 1:
			p.add(w)
		}
	}
	if !whole { // "J. Smith" adds nothing to a person who may be known in full
		return
	}
	if len(p.family) > 0 && r.met.len() < maxMet && !r.met.has(p) {
		r.met.add(p)
	}
}
