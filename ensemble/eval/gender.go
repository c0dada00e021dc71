package eval

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// gender is what the words of a name are counted under.
type gender uint8

const (
	untold gender = iota
	female
	male
	numGenders
)

var genderNames = [numGenders]string{"not told", "female", "male"}

// parseGender reads a document's gender: F, female, M or male in any case; anything
// else tells nothing.
func parseGender(s string) gender {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "f", "female", "woman":
		return female
	case "m", "male", "man":
		return male
	default:
		return untold
	}
}

// genders counts the words of names by gender: that of their first name, where the
// lexicon knows it as a name of one gender alone; else, for a patient's name, that of
// the patient. Names that tell neither are counted apart.
func (t *tally) genders(doc *Document, found []phi.Span) {
	patient := parseGender(doc.Gender)
	for _, gold := range doc.Spans {
		if gold.Main != phi.Patient && gold.Main != phi.Doctor || gold.Ignored() {
			continue
		}
		g := firstNameGender(doc.Text[gold.Start:gold.End])
		if g == untold && gold.Main == phi.Patient {
			g = patient
		}
		for _, w := range words(doc.Text, gold.Start, gold.End) {
			t.people[g].Gold++
			if covered, _ := coverage(doc.Text, w, found, All, gold.Types); covered {
				t.people[g].Found++
			}
		}
	}
}

// firstNameGender returns the gender of a name's first name: of its first word, or of
// the first behind a comma ("SMITH, JOHN").
func firstNameGender(name string) gender {
	if _, after, ok := strings.Cut(name, ","); ok {
		name = after
	}
	first := ""
	eachWord(name, 0, len(name), func(w phi.Range) {
		if word := name[w.Start:w.End]; first == "" && utf8.RuneCountInString(word) > 1 {
			first = word
		}
	})
	return firstNames()[lexicon.Fold(first)]
}

// firstNames are the folded first names of the lexicon that one gender alone bears.
var firstNames = sync.OnceValue(func() map[string]gender {
	out := map[string]gender{}
	for g := range lexicon.NumGroups {
		for _, sex := range []gender{female, male} {
			for _, name := range lexicon.FirstNames(g, sex == female) {
				name = lexicon.Fold(name)
				if was, seen := out[name]; seen && was != sex {
					out[name] = untold
					continue
				}
				out[name] = sex
			}
		}
	}
	return out
})
