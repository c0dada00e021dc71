package surrogate

import (
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// person is a name that was seen in full: folded words.
type person struct{ given, family []string }

// roster knows who is named in a patient's record, and in the text at hand. It is
// what initials, nicknames and typing errors are resolved with. It is never carried
// from one note to the next: what a note becomes depends on the note, the record and
// the stored entries alone, not on what the process has seen since it started.
type roster struct {
	roles   map[string]nameRole // of the record's words
	persons []person            // of the record
	met     []person            // of the text
	group   lexicon.Group       // of the record's surnames
	grouped bool                // whether group is known
}

// maxMet bounds the persons of one text, so that a huge one takes no longer than its
// size explains.
const maxMet = 256

// forText returns a roster for one text.
func (r *roster) forText() *roster {
	c := *r
	return &c
}

// everybody is the record's persons and then the text's.
func (r *roster) everybody() []person { return append(slices.Clip(r.persons), r.met...) }

var recordNames = []ensemble.Role{
	ensemble.NameFull, ensemble.NameAlias, ensemble.RelativeName, ensemble.ProviderName,
}

// newRoster reads the names of a gazetteer's record.
func newRoster(rec ensemble.Record) *roster {
	r := &roster{roles: map[string]nameRole{}}
	first, middle, last := rec[ensemble.NameFirst], rec[ensemble.NameMiddle], rec[ensemble.NameLast]
	for i := range max(len(first), len(last)) {
		p := person{given: r.learn(pick(first, i), givenName), family: r.learn(pick(last, i), familyName)}
		p.given = append(p.given, r.learn(pick(middle, i), givenName)...)
		r.persons = append(r.persons, p)
	}
	for _, role := range recordNames {
		for _, full := range rec[role] {
			r.learnFull(full)
		}
	}
	r.setGroup()
	return r
}

// pick returns the i-th value, or the last that there is.
func pick(values []string, i int) string {
	if len(values) == 0 {
		return ""
	}
	return values[min(i, len(values)-1)]
}

// learn notes the words of a value with their role and returns them.
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
	r.persons = append(r.persons, p)
}

func (p *person) add(w nameWord) {
	if w.role == familyName {
		p.family = append(p.family, w.plain)
	} else {
		p.given = append(p.given, w.plain)
	}
}

func (r *roster) setGroup() {
	for _, p := range r.persons {
		for _, f := range p.family {
			if e, ok := lexicon.LookupFolded(f); ok && e.Surname > 0 {
				r.group, r.grouped = e.Group, true
				return
			}
		}
	}
}

// role returns what the record says of a folded word; anyName: nothing.
func (r *roster) role(word string) nameRole { return r.roles[word] }

// meet notes a person who is named in a note with given and family name.
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
	if !whole { // "J. Smith" tells less than what may be known of him
		return
	}
	if len(p.family) == 0 || len(r.met) == maxMet {
		return
	}
	same := func(q person) bool { return slices.Equal(p.given, q.given) && slices.Equal(p.family, q.family) }
	if !slices.ContainsFunc(r.met, same) {
		r.met = append(r.met, p)
	}
}

// byInitials returns the words that folded initials stand for, in their order: of
// the first of persons whom they fit, or nil.
func byInitials(persons []person, letters string) []string {
	if len(letters) < 2 {
		return nil
	}
	for _, p := range persons {
		if len(p.given) == 0 || len(p.family) == 0 || !p.begins(letters[0]) {
			continue
		}
		for _, order := range p.orders() {
			if fits(order, letters) {
				return order
			}
		}
	}
	return nil
}

// begins is a quick look at whether a first letter may be of this person.
func (p person) begins(letter byte) bool {
	return p.given[0][0] == letter || p.family[0][0] == letter || p.family[len(p.family)-1][0] == letter
}

// orders lists the ways in which a person is abbreviated.
func (p person) orders() [][]string {
	first, last := p.given[0], p.family[len(p.family)-1]
	return [][]string{
		append(slices.Clone(p.given), last),
		{first, last},
		append([]string{first}, p.family...),
		append(slices.Clone(p.given), p.family...),
		append([]string{last}, p.given...),
	}
}

func fits(order []string, letters string) bool {
	if len(order) != utf8.RuneCountInString(letters) {
		return false
	}
	i := 0
	for _, l := range letters {
		if r, _ := utf8.DecodeRuneInString(order[i]); r != l {
			return false
		}
		i++
	}
	return true
}

// behind returns the given name of one of persons that a single initial stands for
// beside a family name, or "": "c", "smith" -> "carl".
func behind(persons []person, letter, family string) string {
	for _, p := range persons {
		if family != "" && !slices.Contains(p.family, family) {
			continue
		}
		for _, g := range p.given {
			if len(g) > len(letter) && g[:len(letter)] == letter {
				return g
			}
		}
	}
	return ""
}
