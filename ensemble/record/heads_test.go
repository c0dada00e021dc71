package record

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// A word that holds one of the words of three letters or more, in any case, is never passed over.
func TestHeads(t *testing.T) {
	t.Parallel()
	var s heads
	words := []string{"zorvakian", "lee", "müller", "o", "de", "new"}
	for _, w := range words {
		s.add(w)
	}
	for _, c := range []struct {
		word string
		want bool
	}{
		{"zorvakian", true},
		{"Zorvakianwas", true},
		{"DRZORVAKIAN", true},
		{"annLEE", true},
		{"le", false},
		{"", false},
		{"hypertension", false},
		{"zo", false},
		{"o", false},
		{"Hôtel", true}, // its letters are others when folded
	} {
		if got := s.mayHold(c.word); got != c.want {
			t.Errorf("%q: %v", c.word, got)
		}
	}
	if new(heads).mayHold("zorvakian") {
		t.Error("an empty set holds something")
	}
}

// Whatever of a record is cut out of a word, its beginning is known: a word of the record that is entered without it would be missed.
func FuzzHeadsAreOfAllParts(f *testing.F) {
	f.Add("Zorvakian", "12 Whiting Street", "Springdale", "was")
	f.Add("Lee", "1 5th Ave", "St. Louis", "patient")
	f.Fuzz(func(t *testing.T, name, street, city, other string) {
		rec := Record{}
		rec.Add(NameLast, name)
		rec.Add(Street, street)
		rec.Add(City, city)
		rec.Add(BirthDate, "1961-05-07")
		g := NewGazetteer(rec)
		for _, part := range append(strings.Fields(name+" "+street+" "+city), "may") {
			for _, word := range []string{part + other, other + part} {
				low := []byte(strings.ToLower(word))
				for from := range low {
					for to := from + leastFamily; to <= len(low); to++ {
						if g.words.get(text.FoldedKey(low[from:to])).bits&(wName|placeBits) != 0 && !g.inside.mayHold(word) {
							t.Fatalf("%q is in %q, and is passed over", low[from:to], word)
						}
					}
				}
			}
		}
	})
}
