package vocabulary

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

func TestPhraseFilesAreRead(t *testing.T) {
	p, err := Read()
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
		if got := own(t).match(phraseWords(tt.text)); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
}

// No name of a section may make the name of a hospital or an address, or be a phrase
// by which people and places are recognised.
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
	walk(own(t).root, nil)
}

func FuzzParsePhrases(f *testing.F) {
	f.Add("[sign test]\nAllen, O'Brien # x\n[]\ncircle of Willis\n[=]\nLovenox", "Allen test")
	f.Add("[open", "")
	f.Add("a b c d e f g h", "a")
	f.Fuzz(func(t *testing.T, file, text string) {
		p := &Words{root: &phraseNode{}, words: map[string]bool{}}
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
	p, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.Collect(maps.Keys(p.words))
	eachPhrase(p.root, "", func(phrase string) { entries = append(entries, phrase) })
	for _, entry := range entries {
		if e, ok := lexicon.LookupFolded(entry); ok && e.Is(lexicon.City|lexicon.State|lexicon.Country|lexicon.County) {
			t.Errorf("%q is a place", entry)
		}
	}
	if e, ok := lexicon.LookupFolded("new york city"); len(entries) < 1000 || !ok || !e.Is(lexicon.City) {
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
