package text

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Words that are the same to a reader have one key.
func TestSameKey(t *testing.T) {
	t.Parallel()
	for _, row := range [][]string{
		{"smith", "Smith", "SMITH", "sMiTh", "Ｓｍｉｔｈ"},
		{"zoe", "Zoë", "ZOË", "Zoe\u0308"},
		{"oneill", "ONEILL"},
		{strings.Repeat("a", 60), strings.Repeat("A", 60)},
	} {
		want := FoldedKey(row[0])
		for _, word := range row {
			if got := KeyOf(word); got != want {
				t.Errorf("%q: %x, want the key of %q, %x", word, got, row[0], want)
			}
		}
	}
}

func TestOtherKey(t *testing.T) {
	t.Parallel()
	seen := map[uint64]string{}
	for _, word := range []string{"", "a", "b", "ab", "ba", "aa", "smith", "smyth", "smiths", "htims"} {
		k := KeyOf(word)
		if other, ok := seen[k]; ok {
			t.Errorf("%q and %q have one key", word, other)
		}
		seen[k] = word
	}
}

// The key of a word is that of the folded word, whatever the word.
func FuzzKeyOf(f *testing.F) {
	for _, word := range []string{"", "Smith", "Zoë", "ß", "王", "a\u200bb", "\xff", strings.Repeat("X", 100)} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if got, want := KeyOf(word), FoldedKey(lexicon.Fold(word)); got != want {
			t.Errorf("%q: %x, folded %x", word, got, want)
		}
	})
}
