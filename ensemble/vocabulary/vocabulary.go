// Package vocabulary lists clinical words that look like names: eponyms of diseases, signs,
// operations and devices, drugs, scores, units, section headers. Where one of them occurs, names
// and places are less likely.
//
// The words are in text files: those of the folder words and any that a site adds. A line "[sign
// test]" opens a section: each entry of it is a name that forms a phrase with each of these words
// after it. In a section "[]" entries are whole phrases, in "[=]" single words. Entries are
// separated by commas or line ends; "#" begins a comment.
package vocabulary

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

//go:embed words/*.txt
var ownFiles embed.FS

// Text is a file of words, with a name for errors.
type Text struct {
	Name string
	Text string
}

// Read reads the built-in words and those of further files.
func Read(more ...Text) (*Words, error) {
	w := newWords()
	files, err := fs.ReadDir(ownFiles, "words")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := fs.ReadFile(ownFiles, "words/"+f.Name())
		if err != nil {
			return nil, err
		}
		if err := w.parse(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	for _, t := range more {
		if err := w.parse(t.Text); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return w, nil
}

// The weights against a token.
const (
	inPhrase   = 1.0 // within a phrase
	singleWord = 0.7 // a single word of the vocabulary that is rarely a name
	clinical   = 0.4 // in the lexicon from clinical text and not as a name
)

// hardlyName is the frequency of a name, on the lexicon's scale, below which a word is rarely a
// name: at 80, 1 of 10,000 people has it.
const hardlyName = 40

// Against implements [ensemble.Voice].
func (w *Words) Against(note *ensemble.Note, token int) float32 {
	v := reader{text: note.Text, tokens: note.View().Tokens}
	if v.tokens[token].Kind != text.Word {
		return 0
	}
	if w.within(&v, token) {
		return inPhrase
	}
	entry, _ := lexicon.Lookup(v.str(token))
	switch name := max(entry.Surname, entry.First); {
	case name < hardlyName && w.word(lexicon.Fold(v.str(token))):
		return singleWord
	case name == 0 && entry.Is(lexicon.Clinical) && !entry.Is(lexicon.City|lexicon.State|lexicon.Country):
		return clinical
	}
	return 0
}

// within reports whether a token lies within a phrase.
func (w *Words) within(v *reader, token int) bool {
	var words [longestPhrase]string
	var ends [longestPhrase]int
	for start, steps := token, 0; start >= 0 && steps < longestPhrase; start-- {
		if v.tokens[start].Kind != text.Punct {
			steps++
			n := v.phrase(start, words[:], ends[:])
			m := w.match(words[:n])
			if m > 0 && ends[m-1] > token { //nolint:gosec // a match has at most n words
				return true
			}
		}
		if v.tokens[start].Line || start > 0 && v.stops(start-1) {
			return false
		}
	}
	return false
}

// reader matches phrases with a text's tokens.
type reader struct {
	text   string
	tokens []text.Token
}

func (v *reader) str(i int) string { return v.text[v.tokens[i].Start:v.tokens[i].End] }

// phrase collects words from token i on, folded like those of phrases, and the token after each.
func (v *reader) phrase(i int, words []string, ends []int) (n int) {
	for first := i; n < len(words) && i < len(v.tokens); i++ {
		if i > first && v.tokens[i].Line {
			return n
		}
		switch s := v.str(i); {
		case s == "'" || s == "’":
			if i+1 < len(v.tokens) && v.str(i+1) == "s" && !v.tokens[i+1].Space {
				i++
			}
		case s == "&":
			words[n], ends[n] = "and", i+1
			n++
		case v.tokens[i].Kind != text.Punct:
			words[n], ends[n] = lexicon.Fold(s), i+1
			n++
		case v.stops(i):
			return n
		}
	}
	return n
}

// stops reports whether a mark ends a phrase.
func (v *reader) stops(i int) bool {
	if v.tokens[i].Kind != text.Punct {
		return false
	}
	switch v.str(i) {
	case "'", "’", "-", "–", "/", "&", ".":
		return false
	}
	return true
}
