package vocabulary

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Words are clinical terms of two words or more, most of which contain the name of a person or
// place, and single words that only look like names.
type Words struct {
	// phrases are the stems of each phrase, joined by blanks: true. What a phrase begins with is false.
	phrases map[string]bool
	words   map[string]bool
}

func newWords() *Words { return &Words{phrases: map[string]bool{}, words: map[string]bool{}} }

// parse adds the entries of a file, whose format is in the package's documentation.
func (w *Words) parse(text string) error {
	section := "[]"
	for number, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			if !strings.HasSuffix(line, "]") {
				return fmt.Errorf("line %d: a section lacks its closing bracket", number+1)
			}
			section = line
			continue
		}
		for entry := range strings.SplitSeq(line, ",") {
			if err := w.add(strings.TrimSpace(entry), section); err != nil {
				return fmt.Errorf("line %d: %w", number+1, err)
			}
		}
	}
	return nil
}

// add adds an entry of a section.
func (w *Words) add(entry, section string) error {
	words := phraseWords(entry)
	switch {
	case len(words) == 0:
	case section == "[=]" && len(words) == 1:
		w.words[words[0]] = true
	case section == "[=]":
		return fmt.Errorf("%q among single words", entry)
	case section == "[]" && len(words) == 1:
		return fmt.Errorf("%q is no phrase of two words", entry)
	case len(words) > longestPhrase-1:
		return fmt.Errorf("%q is longer than %d words", entry, longestPhrase-1)
	case section == "[]":
		w.addPhrase(words)
	default:
		for head := range strings.FieldsSeq(strings.Trim(section, "[]")) {
			w.addPhrase(append(words, head))
		}
	}
	return nil
}

func (w *Words) addPhrase(words []string) {
	so := ""
	for _, word := range words {
		so += stem(word) + " "
		if !w.phrases[so] {
			w.phrases[so] = false
		}
	}
	w.phrases[so] = true
}

// longestPhrase is the maximum number of words in a phrase.
const longestPhrase = 7

// phraseWords returns the folded words and numbers of a phrase. Possessives, hyphens and other
// marks between words are dropped; "&" is "and".
func phraseWords(s string) []string {
	s = strings.ReplaceAll(lexicon.Fold(s), "&", " and ")
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
	var kept []string
	for _, w := range words {
		w = strings.Trim(strings.ReplaceAll(w, "’", "'"), "'")
		w = strings.TrimSuffix(w, "'s")
		for part := range strings.SplitSeq(w, "'") {
			if part != "" {
				kept = append(kept, part)
			}
		}
	}
	return kept
}

// word reports whether a single folded word is a trade name or an abbreviation.
func (w *Words) word(folded string) bool {
	return w.words[folded] || len(folded) > 4 && w.words[strings.TrimSuffix(folded, "s")]
}

// match returns the number of words of the longest phrase at the beginning of words, folded as by
// [phraseWords], or 0.
func (w *Words) match(words []string) int {
	longest, so := 0, ""
	for n, word := range words {
		so += stem(word) + " "
		whole, begins := w.phrases[so]
		if !begins {
			break
		}
		if whole {
			longest = n + 1
		}
	}
	return longest
}

// stem returns what a word and its plural have in common.
func stem(word string) string {
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}
