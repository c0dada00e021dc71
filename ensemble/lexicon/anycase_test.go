package lexicon

import (
	"strings"
	"testing"
)

func TestAnyCase(t *testing.T) {
	t.Parallel()
	words := map[string]int{"": 9, "a": 1, "march": 2, "mar-a": 3, "straße": 4, "number": 5}
	x := NewAnyCase(words)
	for _, c := range []struct {
		word  string
		value int
		ascii bool
	}{
		{"", 0, true},
		{"a", 1, true},
		{"A", 1, true},
		{"March", 2, true},
		{"MARCH", 2, true},
		{"marc", 0, true},
		{"marcha", 0, true},
		{"Mar-A", 3, true},
		{"mar]a", 0, true}, // a capital's bit does not make a mark another
		{"M\x01RCH", 0, true},
		{"straße", 0, false},
		{"MÄRZ", 0, false},
		{"\xff", 0, false},
		{"Number", 5, true},
	} {
		if value, ascii := x.Get(c.word); value != c.value || ascii != c.ascii {
			t.Errorf("%q: %d, %v, want %d, %v", c.word, value, ascii, c.value, c.ascii)
		}
	}
	if value, ascii := NewAnyCase[int](nil).Get("a"); value != 0 || !ascii {
		t.Errorf("an empty one has %d, %v", value, ascii)
	}
}

// It finds what a map of words in lower case finds.
func FuzzAnyCase(f *testing.F) {
	f.Add("march april", "MARCH")
	f.Add("k", "\u212a") // the Kelvin sign, which is a k in lower case
	f.Fuzz(func(t *testing.T, list, word string) {
		words := map[string]int{}
		for i, w := range strings.Fields(strings.ToLower(list)) {
			words[w] = i + 1
		}
		value, ascii := NewAnyCase(words).Get(word)
		if want := words[strings.ToLower(word)]; ascii && value != want {
			t.Errorf("%q in %q: %d, want %d", word, list, value, want)
		}
		if ascii != (strings.IndexFunc(word, func(r rune) bool { return r >= 0x80 }) < 0) {
			t.Errorf("%q: ASCII is %v", word, ascii)
		}
	})
}
