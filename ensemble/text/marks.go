package text

import (
	"unicode"
	"unicode/utf8"
)

// Mark is what exact rules know of a token.
type Mark struct {
	Classes Classes // of a Word
	Value   uint32  // value of a Number of up to nine digits
	Digits  uint8   // digits of a Number, at most 255
	Punct   byte    // a Punct in its ASCII form, [OtherPunct] if it has none
	Label   Label   // of a Word that announces a value
	Number  uint8   // a month's number, the least digits of a label's value, …
}

// OtherPunct is the mark of punctuation without an ASCII form.
const OtherPunct = 0x7f

// wordTable is the vocabulary of exact rules: an open-addressing hash table.
type wordTable struct {
	slots []wordSlot
	mask  uint32
}

type wordSlot struct {
	word string
	mark Mark
}

const longestWord = 16

func newWordTable(words map[string]Mark) *wordTable {
	size := uint32(1)
	for int(size) < 4*len(words) {
		size *= 2
	}
	t := &wordTable{slots: make([]wordSlot, size), mask: size - 1}
	for w, m := range words {
		h := t.home([]byte(w))
		for t.slots[h].word != "" {
			h = (h + 1) & t.mask
		}
		t.slots[h] = wordSlot{word: w, mark: m}
	}
	return t
}

func (t *wordTable) home(word []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return (h ^ h>>13) & t.mask
}

// find returns the mark of a word in any case.
func (t *wordTable) find(word string) Mark {
	if len(word) > longestWord {
		return Mark{}
	}
	var buf [longestWord]byte
	key := buf[:len(word)]
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		key[i] = c
	}
	for h := t.home(key); ; h = (h + 1) & t.mask {
		slot := &t.slots[h]
		if slot.word == "" {
			return Mark{}
		}
		if slot.word == string(key) {
			return slot.mark
		}
	}
}

// Digits returns the value of a number of up to nine digits and how many it has.
func Digits(part string) (v uint32, n uint8) {
	for _, r := range part {
		d, ok := DigitValue(r)
		if !ok {
			continue
		}
		if n < 9 {
			v = v*10 + d
		}
		if n < 255 {
			n++
		}
	}
	return v, n
}

// DigitValue returns the value of a decimal digit of any script: the digits of
// a script stand in a row that begins at a multiple of ten or sixteen.
func DigitValue(r rune) (uint32, bool) {
	if '0' <= r && r <= '9' {
		return uint32(r - '0'), true
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return 0, false
	}
	zero := r
	for r-zero < 9 && unicode.IsDigit(zero-1) {
		zero--
	}
	return uint32(r - zero), true
}

// PlainPunct returns the ASCII form of a punctuation mark: dashes, quotes and
// full-width forms have one.
func PlainPunct(part string) byte {
	if len(part) == 1 {
		return part[0]
	}
	r, _ := utf8.DecodeRuneInString(part)
	switch {
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xfe63:
		return '-'
	case r == 0x2018, r == 0x2019:
		return '\''
	case r == 0x2044, r == 0x2215:
		return '/'
	case r == 0x2024, r == 0x3002:
		return '.'
	case r == 0xfe6b:
		return '@'
	case r > 0xff00 && r < 0xff5f:
		return byte(r - 0xff00 + 0x20)
	default:
		return OtherPunct
	}
}

// MarkOf returns the mark of a word in any case.
func MarkOf(word string) Mark { return vocabulary().find(word) }

// LongestRun bounds how far a candidate is followed over tokens without a blank
// between them, so that no text takes more than linear time.
const LongestRun = 48
