package lexicon

import "testing"

func TestLikeness(t *testing.T) {
	names := []string{"Vizirov", "Gradsky", "Adamska", "Wolfowitz", "Ljungberg", "Bozorgzadeh", "Woodfordham"}
	others := []string{"Xarelto", "Immunophenotyping", "Metallica", "Hydroxyquinone", "Coleoptera", "Redesignated", "Hello", "Zombie"}
	for _, w := range names {
		if got := Likeness(w); got < 8 {
			t.Errorf("Likeness(%q) = %d, want that of a name", w, got)
		}
	}
	for _, w := range others {
		if got := Likeness(w); got > 8 {
			t.Errorf("Likeness(%q) = %d, want that of a word", w, got)
		}
	}
}

func TestLikenessFolds(t *testing.T) {
	for _, w := range []string{"VIZIROV", "vizirov", "Vizírov"} {
		if got, want := Likeness(w), Likeness("Vizirov"); got != want {
			t.Errorf("Likeness(%q) = %d, of Vizirov %d", w, got, want)
		}
	}
}

func FuzzLikeness(f *testing.F) {
	for _, s := range []string{"", "a", "Vizirov", "\xff\xfe", "日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := Likeness(s); got > 127*longestShape*longestSequence || got < -128*longestShape*longestSequence {
			t.Errorf("Likeness(%q) = %d is beyond all sums", s, got)
		}
	})
}
