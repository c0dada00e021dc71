package cue

import (
	"strings"
	"testing"
)

// What the first two bytes of a word rule out is not there: words are found as in a plain map.
func FuzzFindIsAMap(f *testing.F) {
	w, err := Load("[unit]\nmarch 3\naño\nétude 4\nx\no'clock 7\n5mg 2\nkg 9\n\u00df\u00df 1\n", "unit")
	if err != nil {
		f.Fatal(err)
	}
	for word := range w.entries {
		f.Add(word)
		f.Add(strings.ToUpper(word))
	}
	for _, word := range []string{"", "m", "MA", "\u212ag", "\u212aG", "k\u212a", "a\u00d1o", "AN", "march ", "O\u2019CLOCK"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		want := w.entries[strings.ToLower(word)]
		if len(word) > w.longest {
			want = entry{}
		}
		if got := w.find(word); got != want {
			t.Fatalf("%q: %v, want %v", word, got, want)
		}
	})
}
