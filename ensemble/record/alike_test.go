package record

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSkeletonsOfLookAlikes(t *testing.T) {
	t.Parallel()
	a := alike()
	for _, c := range []struct {
		one, other string
		pairs      bool
		same       bool
	}{
		{"mirela", "mire1a", false, true},
		{"mirela", "mireia", false, true},
		{"briton", "br1ton", false, true},
		{"olsen", "0lsen", false, true},
		{"stone", "5tone", false, true},
		{"berg", "8erg", false, true},
		{"zimmer", "2immer", false, true},
		{"grove", "6rove", false, true},
		{"gene", "genc", false, true},
		{"burke", "hurke", false, true},
		{"clarn", "darn", true, true},
		{"clarn", "darn", false, false},
		{"stern", "stem", true, true},
		{"weaver", "vveaver", true, true},
		{"nunes", "riunes", true, true},
		{"mirela", "mirola", true, false},
		{"mirela", "mirel", true, false},
		{"müller", "muller", true, false},
		{"", "", true, true},
	} {
		one, other := string(a.skeleton(nil, []byte(c.one), c.pairs)), string(a.skeleton(nil, []byte(c.other), c.pairs))
		if (one == other) != c.same {
			t.Errorf("%q is %q and %q is %q (pairs: %v)", c.one, one, c.other, other, c.pairs)
		}
	}
}

// A skeleton is its own skeleton, and no longer than the word.
func TestSkeletonOfASkeleton(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		word := randomWord(rng, "abcdehilmnorsuvwz01258é", 12)
		for _, pairs := range []bool{false, true} {
			once := alike().skeleton(nil, []byte(word), pairs)
			if len(once) > len(word) {
				t.Fatalf("%q: the skeleton %q is longer", word, once)
			}
			if again := alike().skeleton(nil, once, false); string(again) != string(once) {
				t.Fatalf("%q: %q, and once more %q", word, once, again)
			}
		}
	}
}

// randomWord returns a word of up to most letters of an alphabet.
func randomWord(rng *rand.Rand, letters string, most int) string {
	runes := []rune(letters)
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteRune(runes[rng.IntN(len(runes))])
	}
	return b.String()
}

func TestLookAlikeDigits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"l7": "17", "19S4": "1954", "OI42": "0142", "B12": "812", "z0": "20", "G6": "66", "2i9": "219", "": "",
		"K123": "", "5mg": "", "é1": "", "12-3": "", "L4": "14", "g6": "66", "é": "",
	} {
		if got := alike().digits(in); got != want {
			t.Errorf("%q is read as the number %q, want %q", in, got, want)
		}
	}
}

func TestOneEdit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"anna", "ana", true},
		{"anna", "annna", true},
		{"anna", "anan", true},
		{"anna", "enna", true},
		{"anna", "anno", true},
		{"anna", "anna", false},
		{"anna", "an", false},
		{"anna", "naan", false},
		{"anna", "ona", false},
		{"", "a", true},
		{"", "", false},
		{"ab", "ba", true},
		{"abc", "cba", false},
		{"abcd", "badc", false},
		{"abcde", "abXdY", false},
		{"a", "b", true},
	} {
		if got := oneEdit([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := oneEdit([]byte(c.b), []byte(c.a)); got != c.want {
			t.Errorf("%q and %q: %v", c.b, c.a, got)
		}
	}
}

// Every edit that a typist makes is one edit, and two far apart are not.
func TestOneEditOfEveryEdit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 1))
	for range 3000 {
		word := "x" + randomWord(rng, "abcdef", 10) + "y"
		edited := edit(rng, word)
		if got := oneEdit([]byte(word), []byte(edited)); got != (edited != word) {
			t.Fatalf("%q and %q: %v", word, edited, got)
		}
		if far := "QQ" + edited + "ZZ"; oneEdit([]byte(word), []byte(far)) {
			t.Fatalf("%q and %q are one edit", word, far)
		}
	}
}

// edit makes a typing error behind the first letter of a word of two letters or more.
func edit(rng *rand.Rand, word string) string {
	i := 1 + rng.IntN(len(word)-1)
	switch rng.IntN(4) {
	case 0:
		return word[:i] + word[i+1:]
	case 1:
		return word[:i] + word[i:i+1] + word[i:]
	case 2:
		if i+1 == len(word) {
			return word + "q"
		}
		return word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:]
	}
	return word[:i] + string(rune('a'+rng.IntN(26))) + word[i+1:]
}
