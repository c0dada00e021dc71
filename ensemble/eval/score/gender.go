package score

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// gender is the gender under which the words of a name are counted.
type gender uint8

const (
	unknownGender gender = iota
	female
	male
	numGenders
)

var genderNames = [numGenders]string{"unknown", "female", "male"}

// parseGender reads a document's gender: F, female, M or male in any case; anything else is
// unknown.
func parseGender(s string) gender {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "f", "female", "woman":
		return female
	case "m", "male", "man":
		return male
	default:
		return unknownGender
	}
}

// genders counts the words of names by gender: that of the first name, if the lexicon has it for
// one gender only; otherwise, for a patient's name, that of the patient. Other names count as
// unknown.
func (t *Tally) genders(doc *Document, found []phi.Span) {
	patient := parseGender(doc.Gender)
	for _, gold := range doc.Spans {
		if gold.Main != phi.Patient && gold.Main != phi.Doctor || gold.Ignored() {
			continue
		}
		g := firstNameGender(doc.Text[gold.Start:gold.End])
		if g == unknownGender && gold.Main == phi.Patient {
			g = patient
		}
		for _, w := range Words(doc.Text, gold.Start, gold.End) {
			t.people[g].Gold++
			if covered, _ := Coverage(doc.Text, w, found, All, gold.Types); covered {
				t.people[g].Found++
			}
		}
	}
}

// firstNameGender returns the gender of a name's first name: of its first word, or of the first
// after a comma ("SMITH, JOHN").
func firstNameGender(name string) gender {
	if _, after, ok := strings.Cut(name, ","); ok {
		name = after
	}
	first := ""
	EachWord(name, 0, len(name), func(w phi.Range) {
		if word := name[w.Start:w.End]; first == "" && utf8.RuneCountInString(word) > 1 {
			first = word
		}
	})
	return firstNames()[lexicon.Fold(first)]
}

// firstNames maps the lexicon's folded first names to their gender; names of both are unknown.
var firstNames = sync.OnceValue(func() map[string]gender {
	out := map[string]gender{}
	for g := range lexicon.NumGroups {
		for _, sex := range []gender{female, male} {
			for _, name := range lexicon.FirstNames(g, sex == female) {
				name = lexicon.Fold(name)
				if was, seen := out[name]; seen && was != sex {
					out[name] = unknownGender
					continue
				}
				out[name] = sex
			}
		}
	}
	return out
})
