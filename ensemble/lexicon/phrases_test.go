package lexicon

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPhraseFilesAreRead(t *testing.T) {
	p, err := readPhraseFiles(phraseFiles)
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
	p, err := readPhraseFiles(phraseFiles)
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.Collect(maps.Keys(p.words))
	eachPhrase(p.root, "", func(phrase string) { entries = append(entries, phrase) })
	for _, entry := range entries {
		if e, ok := LookupFolded(entry); ok && e.Is(City|State|Country|County) {
			t.Errorf("%q is a place", entry)
		}
	}
	if e, ok := LookupFolded("new york city"); len(entries) < 1000 || !ok || !e.Is(City) {
		t.Errorf("%d entries were looked up; New York City is known: %v", len(entries), ok)
	}
}

// eachPhrase calls visit with each whole phrase, folded.
func eachPhrase(n *phraseNode, so string, visit func(string)) {
	if n.ends {
		visit(so)
	}
	for word, next := range n.next {
		eachPhrase(next, strings.TrimSpace(so+" "+word), visit)
	}
}

func TestBrokenPhraseFile(t *testing.T) {
	t.Parallel()
	for _, files := range []fstest.MapFS{
		{"phrases/eponyms.txt": {Data: []byte("[sign\nBabinski")}}, {"phrases/eponyms.txt": {Data: []byte("[]\nalone")}}, {},
	} {
		_, err := readPhraseFiles(files)
		if err == nil || !strings.Contains(err.Error(), "phrases") && !strings.Contains(err.Error(), "eponyms.txt") {
			t.Errorf("%v: %v", files, err)
		}
	}
	if err := Load(); err != nil {
		t.Error(err)
	}
}
