package review

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Bearer is what public lists of names tell of the people who bear a name: the group of the US Census that most of them
// belong to, and the sex. It is a guess from words, of names and not of persons, and serves to compare how well names of
// different origin are found. It has one letter for each; "" means that it was not worked out.
type Bearer string

// The letters of what no list tells.
const unknown = 'u'

var (
	origins = map[lexicon.Group]rune{
		lexicon.White: 'w', lexicon.Black: 'b', lexicon.Hispanic: 'h', lexicon.Asian: 'a', lexicon.Native: 'n',
	}
	originNames = map[byte]string{
		'w': "White", 'b': "Black", 'h': "Hispanic", 'a': "Asian or Pacific Islander", 'n': "Native American",
	}
	sexNames = map[byte]string{'f': "women", 'm': "men", 'e': "both women and men"}
)

// Unknown is the group of names that are in no list.
const Unknown = "unknown"

// Origins returns the groups of names by origin, in the order of a report.
func Origins() []string {
	return []string{originNames['a'], originNames['b'], originNames['h'], originNames['n'], originNames['w'], Unknown}
}

// Sexes returns the groups of names by sex, in the order of a report.
func Sexes() []string { return []string{sexNames['f'], sexNames['m'], sexNames['e'], Unknown} }

// Origin returns the group by origin that the name counts in.
func (b Bearer) Origin() string { return b.group(0, originNames) }

// Sex returns the group by sex that the name counts in.
func (b Bearer) Sex() string { return b.group(1, sexNames) }

func (b Bearer) group(at int, names map[byte]string) string {
	if at < len(b) {
		if name, ok := names[b[at]]; ok {
			return name
		}
	}
	return Unknown
}

// BearerOf guesses who bears a name. The family name decides about the origin where a list has it, else a given name that sets
// a group apart; a given name decides about the sex.
func BearerOf(name string) Bearer {
	given, family := nameParts(name)
	origin, sex := rune(unknown), rune(unknown)
	for _, word := range family {
		if e, ok := lexicon.Lookup(word); ok && e.Surname > 0 {
			origin = origins[e.Group]
		}
	}
	for _, word := range given {
		e, _ := lexicon.Lookup(word)
		if e.First == 0 {
			continue
		}
		if origin == unknown && telling()[lexicon.Fold(word)] {
			origin = origins[e.Group]
		}
		if sex == unknown {
			sex = sexOf(e)
		}
	}
	return Bearer([]rune{origin, sex})
}

// oneSex is the percentage of a first name's bearers from which on it is one of women, or of men.
const oneSex = 90

func sexOf(e lexicon.Entry) rune {
	switch {
	case e.Female >= oneSex:
		return 'f'
	case e.Female <= 100-oneSex:
		return 'm'
	default:
		return 'e'
	}
}

// telling returns the first names that set a group apart, folded. Of other first names the lexicon may not know a group at all. Those of
// Native Americans set nobody apart: hardly any of their bearers are.
var telling = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for g := range lexicon.Native {
		for _, name := range slices.Concat(lexicon.FirstNames(g, false), lexicon.FirstNames(g, true)) {
			key := lexicon.Fold(name)
			if e, _ := lexicon.LookupFolded(key); e.Group == g {
				names[key] = true
			}
		}
	}
	return names
})

// noName are words around names that readers may mark with them, some of which are rare surnames.
var noName = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "miss": true, "prof": true, "md": true, "rn": true, "np": true, "phd": true,
	"jr": true, "sr": true, "ii": true, "iii": true, "iv": true,
}

// nameParts divides a name into given and family names: what is in front of a comma, or else the last word, is the family name.
func nameParts(name string) (given, family []string) {
	front, behind, turned := strings.Cut(name, ",")
	words, rest := nameWords(front), nameWords(behind)
	if turned && len(rest) > 0 {
		return rest, words
	}
	switch len(words) {
	case 0:
		return nil, nil
	case 1:
		if e, _ := lexicon.Lookup(words[0]); e.First > e.Surname {
			return words, nil
		}
		return nil, words
	}
	last := len(words) - 1
	return words[:last], words[last:]
}

// apostrophes are no letters in lists of names.
var apostrophes = strings.NewReplacer("'", "", "’", "", "ʻ", "")

// nameWords returns the words of a name, without initials, titles and degrees.
func nameWords(name string) []string {
	var words []string
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for word := range strings.FieldsFuncSeq(apostrophes.Replace(name), between) {
		if utf8.RuneCountInString(word) > 1 && !noName[strings.ToLower(word)] {
			words = append(words, word)
		}
	}
	return words
}

// IsName reports whether the mark is of the name of a person, whose bearers may be guessed.
func (m *Mark) IsName() bool { return m.Type == phi.Patient.String() || m.Type == phi.Doctor.String() }
