package surrogate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// index finds persons by parts of their names. If several match, it returns the first that was
// added, like a linear search.
type index struct {
	phi.Redacted

	persons  []person
	same     map[string]bool     // persons, spelt out
	initials map[string][]string // letters to the words that they abbreviate
	behind   map[letterOf]string // a letter with a family name, or alone, to a given name
	given    map[string]int      // given names to the person
	logins   map[string]int      // "asmith", "smitha" and "annsmith" to the person
	groups   map[string]lexicon.Group
	surnames *lexicon.Group
}

// letterOf is an initial with a family name, or with "" for any.
type letterOf struct {
	phi.Redacted

	letter rune
	family string
}

func newIndex() *index {
	return &index{
		same: map[string]bool{}, initials: map[string][]string{}, behind: map[letterOf]string{}, given: map[string]int{},
		logins: map[string]int{}, groups: map[string]lexicon.Group{},
	}
}

func (x *index) len() int { return len(x.persons) }

// spelt returns a person as one string.
func (p person) spelt() string {
	return strings.Join(p.given, " ") + "," + strings.Join(p.family, " ")
}

func (x *index) has(p person) bool { return x.same[p.spelt()] }

func (x *index) add(p person) {
	n := len(x.persons)
	x.persons = append(x.persons, p)
	x.same[p.spelt()] = true
	for _, g := range p.given {
		putFirst(x.given, g, n)
	}
	x.addLetters(p)
	x.addGroup(p)
	if len(p.given) == 0 || len(p.family) == 0 {
		return
	}
	for _, order := range p.orders() {
		putFirst(x.initials, lettersOf(order), order)
	}
	given, family := p.given[0], p.family[len(p.family)-1]
	for _, login := range []string{given[:1] + family, family + given[:1], given + family} {
		putFirst(x.logins, login, n)
	}
}

func putFirst[K comparable, V any](m map[K]V, key K, value V) {
	if _, ok := m[key]; !ok {
		m[key] = value
	}
}

// mostWith is the number of family names of one person under which an initial is indexed.
const mostWith = 12

func (x *index) addLetters(p person) {
	seen := map[rune]bool{}
	for _, g := range p.given {
		letter, size := utf8.DecodeRuneInString(g)
		if len(g) == size || seen[letter] {
			continue
		}
		seen[letter] = true
		putFirst(x.behind, letterOf{letter: letter, family: ""}, g)
		for _, f := range p.family[:min(len(p.family), mostWith)] {
			putFirst(x.behind, letterOf{letter: letter, family: f}, g)
		}
	}
}

// addGroup records, for each word of a name, the group of the first of its names that the lexicon
// contains.
func (x *index) addGroup(p person) {
	for _, f := range p.family {
		if e, ok := lexicon.LookupFolded(f); ok && e.Surname > 0 && x.surnames == nil {
			x.surnames = &e.Group
		}
	}
	all := append(slices.Clip(p.family), p.given...)
	for _, known := range all {
		e, ok := lexicon.LookupFolded(known)
		if !ok || max(e.Surname, e.First) == 0 {
			continue
		}
		for _, word := range all {
			putFirst(x.groups, word, e.Group)
		}
		return
	}
}

// surnameGroup returns the group of the first surname that the lexicon contains.
func (x *index) surnameGroup() (lexicon.Group, bool) {
	if x.surnames == nil {
		return 0, false
	}
	return *x.surnames, true
}

// byInitials returns the words that folded initials abbreviate, in their order, or nil.
func (x *index) byInitials(letters string) []string {
	if len(letters) < 2 {
		return nil
	}
	return x.initials[letters]
}

// givenBehind returns the given name that a single initial abbreviates before a family name, or
// "": "c", "smith" -> "carl".
func (x *index) givenBehind(letter rune, family string) string {
	return x.behind[letterOf{letter: letter, family: family}]
}

// allBehind returns the given names that letters abbreviate before a family name ("J.C. Smith"),
// or nil if one is unknown.
func (x *index) allBehind(letters, family string) []string {
	if family == "" && len(letters) > 1 {
		return nil
	}
	var out []string
	for _, l := range letters {
		name := x.givenBehind(l, family)
		if name == "" {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// formal returns the given name, among forms, of the first person who has one, or "". If a person
// has several, it returns the first.
func (x *index) formal(forms []string) string {
	first := -1
	for _, form := range forms {
		if n, ok := x.given[form]; ok && (first < 0 || n < first) {
			first = n
		}
	}
	if first < 0 {
		return ""
	}
	p := x.persons[first]
	return p.given[slices.IndexFunc(p.given, func(g string) bool { return slices.Contains(forms, g) })]
}

// orders returns the orders in which a person's names are abbreviated.
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

// lettersOf returns the first letters of words.
func lettersOf(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(r)
	}
	return b.String()
}
