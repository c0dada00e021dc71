package vocabulary

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

func TestPhraseFilesAreRead(t *testing.T) {
	if n := len(wholePhrases(own(t))) + len(own(t).words); n < 10000 {
		t.Errorf("%d phrases and words", n)
	}
}

func TestMatchPhrase(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"whipple procedure", 2},
		{"Whipple's procedures", 2},
		{"circle of Willis", 3},
		{"Roux-en-Y bypass today", 4},
		{"whipple", 0},
		{"whipple went home", 0},
		{"boston clinic", 0},
		{"denver hospital", 0},
		{"", 0},
	}
	for _, tt := range tests {
		if got := own(t).match(phraseWords(tt.text)); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
}

// No name of a section may make the name of a hospital or an address, or be a phrase
// by which people and places are recognised.
func TestPhrasesNameNoFacility(t *testing.T) {
	for facility := range strings.FieldsSeq("hospital clinic street avenue center centre university office pharmacy school patient daughter son wife") {
		for _, phrase := range wholePhrases(own(t)) {
			if strings.HasSuffix(phrase, " "+stem(facility)) {
				t.Error(phrase)
			}
		}
	}
}

// wholePhrases returns the stems of every phrase.
func wholePhrases(w *Words) []string {
	var out []string
	for so, whole := range w.phrases {
		if whole {
			out = append(out, strings.TrimSuffix(so, " "))
		}
	}
	return out
}

// A plural is as good as its singular, in the file and in the text.
func TestStem(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"rings": "ring", "ring": "ring", "diseases": "disease", "disease": "disease", "gas": "gas", "": "", "3s": "3s"} {
		if got := stem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	w := wordsOf(t, "[signs]\nRoux\n[]\nislet cells of Ito\n")
	for text, want := range map[string]int{
		"Roux sign": 2, "Roux signs": 2, "roux's sign": 2, "islet cell of Ito": 4, "islets cells of Ito x": 4, "islet cells": 0, "Roux": 0, "sign": 0,
	} {
		if got := w.match(phraseWords(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestPhraseWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Hunt & Hess": "hunt and hess", "Parkinson's": "parkinson", "Colles’": "colles", "O'Brien sign": "o brien sign", "Legg–Calvé": "legg calve",
		"  a--b ": "a b", "''": "", "": "", "type 2": "type 2",
	} {
		if got := strings.Join(phraseWords(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Each kind of section, and what is wrong in one.
func TestParse(t *testing.T) {
	t.Parallel()
	w := wordsOf(t, "# all kinds\ntwo words, three words here # more\n[sign test]\nAllen, Van Dyke\n[=]\nLovenox,, Zofran\n[]\nend of it\n")
	if got := slices.Sorted(slices.Values(wholePhrases(w))); !slices.Equal(got, []string{
		"allen sign", "allen test", "end of it", "three word here", "two word", "van dyke sign", "van dyke test",
	}) {
		t.Errorf("%q", got)
	}
	if !w.words["lovenox"] || !w.words["zofran"] || len(w.words) != 2 {
		t.Errorf("%v", w.words)
	}
	for broken, want := range map[string]string{
		"a b\n[open":             "line 2: a section lacks",
		"[]\nalone":              "line 2: \"alone\" is no phrase",
		"alone":                  "line 1:",
		"[=]\n\ntwo words":       "line 3: \"two words\" among single words",
		"a b c d e f g":          "longer than 6 words",
		"[sign]\na b c d e f g":  "longer than 6 words",
		"[=]\nfine\nnot so fine": "line 3",
	} {
		if err := newWords().parse(broken); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", broken, err, want)
		}
	}
}

func wordsOf(t *testing.T, file string) *Words {
	t.Helper()
	w := newWords()
	if err := w.parse(file); err != nil {
		t.Fatal(err)
	}
	return w
}

func FuzzParsePhrases(f *testing.F) {
	f.Add("[sign test]\nAllen, O'Brien # x\n[]\ncircle of Willis\n[=]\nLovenox", "Allen test")
	f.Add("[open", "")
	f.Add("a b c d e f g h", "a")
	f.Fuzz(func(t *testing.T, file, text string) {
		p := newWords()
		if p.parse(file) != nil {
			return
		}
		words := phraseWords(text)
		if n := p.match(words); n < 0 || n == 1 || n > len(words) {
			t.Errorf("%d of %d words", n, len(words))
		}
	})
}

// A phrase that is the name of a town would let it through everywhere.
func TestNoPhraseIsAPlace(t *testing.T) {
	entries := slices.Collect(maps.Keys(own(t).words))
	for _, phrase := range wholePhrases(own(t)) {
		entries = append(entries, phrase, phrase+"s")
	}
	for _, entry := range entries {
		if e, ok := lexicon.LookupFolded(entry); ok && e.Is(lexicon.City|lexicon.State|lexicon.Country|lexicon.County) {
			t.Errorf("%q is a place", entry)
		}
	}
	if e, ok := lexicon.LookupFolded("new york city"); len(entries) < 1000 || !ok || !e.Is(lexicon.City) {
		t.Errorf("%d entries were looked up; New York City is known: %v", len(entries), ok)
	}
}
