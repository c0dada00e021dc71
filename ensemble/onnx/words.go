package onnx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The ids of characters; known ones follow in the order of config.json.
const (
	charPad int64 = iota
	charUpper
	charLetter
	charDigit
	charOther
	firstChar
)

// The ids of words; known ones follow in the order of words.txt.
const (
	wordPad int64 = iota
	wordUnknown
	firstWord
)

// vocabulary makes numbers of words for networks with a character front. The training
// code does the same (models/train/alphabet.py); parity.json of a model shows it.
type vocabulary struct {
	chars     map[rune]int64
	ascii     [utf8.RuneSelf]int64
	words     map[string]int64
	wordChars int
	longest   int // bytes of the longest known word
}

// newVocabulary reads words.txt: a word a line, lower case, 0 for every ASCII digit.
func newVocabulary(c *wordsConfig, list []byte) (*vocabulary, error) {
	v := &vocabulary{chars: map[rune]int64{}, words: map[string]int64{}, wordChars: c.WordChars}
	next := firstChar
	for _, r := range c.Chars {
		v.chars[r] = next
		next++
	}
	for r := range v.ascii {
		v.ascii[r] = v.slowChar(rune(r))
	}
	lines := bufio.NewScanner(bytes.NewReader(list))
	for lines.Scan() {
		word := lines.Text()
		if _, twice := v.words[word]; twice || word == "" {
			return nil, fmt.Errorf("words.txt: line %d is empty or there twice", len(v.words)+1)
		}
		v.words[word] = firstWord + int64(len(v.words))
		v.longest = max(v.longest, len(word))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("words.txt: %w", err)
	}
	if len(v.words) == 0 {
		return nil, errors.New("words.txt: no words")
	}
	return v, nil
}

// char returns the id of a character.
func (v *vocabulary) char(r rune) int64 {
	if r < utf8.RuneSelf {
		return v.ascii[r]
	}
	return v.slowChar(r)
}

func (v *vocabulary) slowChar(r rune) int64 {
	if id, ok := v.chars[r]; ok {
		return id
	}
	switch {
	case unicode.Is(unicode.Lu, r):
		return charUpper
	case unicode.IsLetter(r):
		return charLetter
	case unicode.IsDigit(r):
		return charDigit
	default:
		return charOther
	}
}

// fillChars writes the ids of a word's characters into dst, which has wordChars
// places and holds zeros. Of a longer word the two ends are read.
func (v *vocabulary) fillChars(dst []int64, word string) {
	if len(word) > v.wordChars && utf8.RuneCountInString(word) > v.wordChars {
		half := v.wordChars / 2
		v.fillChars(dst[:half], firstRunes(word, half))
		v.fillChars(dst[half:], lastRunes(word, half))
		return
	}
	i := 0
	for _, r := range word {
		dst[i] = v.char(r)
		i++
	}
}

func firstRunes(s string, n int) string {
	end := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

func lastRunes(s string, n int) string {
	start := len(s)
	for range n {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	return s[start:]
}

// word returns the id of a word, which is looked up in lower case with 0 for every
// ASCII digit.
func (v *vocabulary) word(word string, buf *[]byte) int64 {
	if len(word) > 4*v.longest {
		return wordUnknown // lower case takes a quarter of the bytes at the least
	}
	low := (*buf)[:0]
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			return v.slowWord(word)
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= '0' && c <= '9':
			c = '0'
		}
		low = append(low, c)
	}
	*buf = low
	if id, ok := v.words[string(low)]; ok {
		return id
	}
	return wordUnknown
}

func (v *vocabulary) slowWord(word string) int64 {
	key := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return unicode.ToLower(r)
	}, word)
	if id, ok := v.words[key]; ok {
		return id
	}
	return wordUnknown
}
