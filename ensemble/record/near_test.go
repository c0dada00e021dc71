package record

import (
	"math/rand/v2"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

func nearWordsOf(words ...string) *nearWords {
	x := newNearWords()
	for _, w := range words {
		x.add(w, text.FoldedKey(w))
	}
	x.cuts.finish()
	return &x
}

func TestNearest(t *testing.T) {
	t.Parallel()
	x := nearWordsOf("mirela", "zorvakian", "whitting", "stern", "gene", "cox", "bin", "müller")
	for word, want := range map[string]string{
		"mirela": "mirela", "mirla": "mirela", "mirrela": "mirela", "mierla": "mirela", "mirola": "mirela", "mire1a": "mirela",
		"zorvakain": "zorvakian", "zorvak1an": "zorvakian", "zorvakan": "zorvakian", "2orvakian": "zorvakian",
		"stem": "stern", "whittirig": "whitting", "vvhitting": "whitting", "genc": "gene", "gen": "gene", "gcnc": "gene",
		"c0x": "cox", "bln": "bin", "muller": "", "müler": "müller",
		"kirela": "", "mirolo": "", "zorvaki": "", "cos": "", "coxx": "", "b": "", "": "",
	} {
		got := ""
		if w, _ := x.nearest([]byte(word)); w != nil {
			got = w.word
		}
		if got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestNearestWithoutWords(t *testing.T) {
	t.Parallel()
	if w, _ := nearWordsOf().nearest([]byte("mirela")); w != nil {
		t.Errorf("found %q", w.word)
	}
	long := string(make([]byte, longestNear+1))
	if x := nearWordsOf(long, "a"); len(x.words) != 0 {
		t.Errorf("%d words are too long or too short", len(x.words))
	}
	if x := nearWordsOf("mirela", "mirela"); len(x.words) != 1 {
		t.Errorf("a word is there %d times", len(x.words))
	}
}

// A look-alike is no error, an edit is one.
func TestDistances(t *testing.T) {
	t.Parallel()
	x := nearWordsOf("mirela", "stern")
	for word, want := range map[string]int{"mirela": 0, "mire1a": 0, "stem": 0, "mirla": 1, "m1rla": 1, "sterm": 1} {
		w, distance := x.nearest([]byte(word))
		if w == nil || distance != want {
			t.Errorf("%q: distance %d, want %d", word, distance, want)
		}
	}
}

// The index finds each word with any one error behind its first letter, however many words there are.
func TestNearestFindsEveryEdit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 4))
	var words []string
	for range 300 {
		words = append(words, "k"+randomWord(rng, "afjkpqtxy", 3)+"ajpt"+randomWord(rng, "afjkpqtxy", 6))
	}
	x := nearWordsOf(words...)
	for range 4000 {
		word := words[rng.IntN(len(words))]
		edited := edit(rng, word)
		if w, _ := x.nearest([]byte(edited)); w == nil {
			t.Fatalf("%q is not found as %q", word, edited)
		}
	}
}

// What is found is one edit away, or looks alike.
func FuzzNearest(f *testing.F) {
	f.Add("mirela", "mire1a")
	f.Add("müller", "m\xc3ller")
	f.Add("aa", "aaa")
	f.Fuzz(func(t *testing.T, word, written string) {
		x := nearWordsOf(word)
		w, distance := x.nearest([]byte(written))
		if w == nil {
			return
		}
		if w.word != word || distance > 1 {
			t.Fatalf("%q: found %q at %d", written, w.word, distance)
		}
		if distance == 1 && !oneEdit(alike().skeleton(nil, []byte(written), false), []byte(w.skeleton)) {
			t.Fatalf("%q is not one edit from %q", written, word)
		}
	})
}
