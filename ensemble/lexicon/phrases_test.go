package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func TestPhraseFilesAreRead(t *testing.T) {
	p, err := readPhraseFiles()
	if err != nil {
		t.Fatal(err)
	}
	if p.Count() < 2500 {
		t.Errorf("%d entries", p.Count())
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
		if got := ClinicalPhrases().Match(PhraseWords(tt.text)); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
}

// No name of a section may make the name of a hospital or an address, or be a phrase
// that people and places are told by.
func TestPhrasesNameNoFacility(t *testing.T) {
	facility := strings.Fields("hospital clinic street avenue center centre university office pharmacy school patient daughter son wife")
	var walk func(n *phraseNode, path []string)
	walk = func(n *phraseNode, path []string) {
		for _, h := range n.head {
			for _, w := range facility {
				if h.words[w] {
					t.Errorf("%v %s", path, w)
				}
			}
		}
		for w, to := range n.next {
			if to.ends && slices.Contains(facility, w) {
				t.Errorf("%v %s", path, w)
			}
			walk(to, append(path, w))
		}
	}
	walk(ClinicalPhrases().root, nil)
}

func FuzzParsePhrases(f *testing.F) {
	f.Add("[sign test]\nAllen, O'Brien # x\n[]\ncircle of Willis\n[=]\nLovenox", "Allen test")
	f.Add("[open", "")
	f.Add("a b c d e f g h", "a")
	f.Fuzz(func(t *testing.T, file, text string) {
		p := &Phrases{root: &phraseNode{}, words: map[string]bool{}}
		if p.parse(file) != nil {
			return
		}
		words := PhraseWords(text)
		if n := p.Match(words); n < 0 || n == 1 || n > len(words) {
			t.Errorf("%d of %d words", n, len(words))
		}
	})
}

// A phrase that is the name of a town would let it through wherever it stands.
func TestNoPhraseIsAPlace(t *testing.T) {
	files, err := phraseFiles.ReadDir("phrases")
	if err != nil {
		t.Fatal(err)
	}
	places := 0
	for _, f := range files {
		text, err := phraseFiles.ReadFile("phrases/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		whole := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				whole = line == "[]" || line == "[=]"
				continue
			}
			if !whole || strings.HasPrefix(line, "#") {
				continue
			}
			for entry := range strings.SplitSeq(line, ",") {
				places++
				if e, ok := Lookup(strings.TrimSpace(entry)); ok && e.Is(City|State|Country|County) {
					t.Errorf("%s: %q is a place", f.Name(), strings.TrimSpace(entry))
				}
			}
		}
	}
	if e, ok := Lookup("New York City"); places < 1000 || !ok || !e.Is(City) {
		t.Errorf("%d entries were looked up; New York City is known: %v", places, ok)
	}
}
