package ensemble

import (
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// mark is what patterns knows of a token.
type mark struct {
	bits  bits   // of a Word
	v     uint32 // value of a Number of up to nine digits
	n     uint8  // digits of a Number, at most 255
	c     byte   // a Punct in its ASCII form, otherMark if it has none
	label label  // of a Word that announces a value
	val   uint8  // a month's number, the least digits of a label's value, …
}

const otherMark = 0x7f

// wordTable is the vocabulary of patterns: an open-addressing hash table.
type wordTable struct {
	slots []wordSlot
	mask  uint32
}

type wordSlot struct {
	word string
	mark mark
}

const longestWord = 16

func newWordTable(words map[string]mark) *wordTable {
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
func (t *wordTable) find(word string) mark {
	if len(word) > longestWord {
		return mark{}
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
			return mark{}
		}
		if slot.word == string(key) {
			return slot.mark
		}
	}
}

// mark appends the marks of tokens to dst.
func (t *wordTable) mark(s string, toks []text.Token, dst []mark) []mark {
	for i := range toks {
		tok := &toks[i]
		part := s[tok.Start:tok.End]
		switch tok.Kind {
		case text.Word:
			dst = append(dst, t.find(part))
		case text.Number:
			v, n := digits(part)
			dst = append(dst, mark{v: v, n: n})
		default:
			dst = append(dst, mark{c: plainMark(part)})
		}
	}
	return dst
}

// digits returns the value of a number of up to nine digits and how many it has.
func digits(part string) (v uint32, n uint8) {
	for _, r := range part {
		d, ok := digitValue(r)
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

// digitValue returns the value of a decimal digit of any script: the digits of
// a script stand in a row that begins at a multiple of ten or sixteen.
func digitValue(r rune) (uint32, bool) {
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

// plainMark returns the ASCII form of a punctuation mark: dashes, quotes and
// full-width forms have one.
func plainMark(part string) byte {
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
		return otherMark
	}
}

// longestRun bounds how far a candidate is followed over tokens without a blank
// between them, so that no text takes more than linear time.
const longestRun = 48

// has reports whether token i exists and has any of the bits.
func (s *scan) has(i int, b bits) bool {
	return uint(i) < uint(len(s.marks)) && s.marks[i].bits&b != 0
}

// numAt reports whether token i is a Number.
func (s *scan) numAt(i int) bool {
	return uint(i) < uint(len(s.marks)) && s.marks[i].n != 0
}

// c returns the punctuation mark at token i, or 0.
func (s *scan) c(i int) byte {
	if uint(i) < uint(len(s.marks)) {
		return s.marks[i].c
	}
	return 0
}

// glued reports whether token i exists and nothing stands between it and the one
// before it.
func (s *scan) glued(i int) bool {
	return uint(i) < uint(len(s.toks)) && !s.toks[i].Space
}

// wordAt reports whether token i is a Word.
func (s *scan) wordAt(i int) bool {
	return uint(i) < uint(len(s.toks)) && s.toks[i].Kind == text.Word
}

// tok returns the text of token i.
func (s *scan) tok(i int) string {
	t := &s.toks[i]
	return s.text[t.Start:t.End]
}

// sameLine reports whether token i exists and stands on the line of the one
// before it.
func (s *scan) sameLine(i int) bool {
	return uint(i) < uint(len(s.toks)) && !s.toks[i].Line
}

// runEnds reports whether no letter or digit is glued to the token before i.
func (s *scan) runEnds(i int) bool { return !s.glued(i) || s.toks[i].Kind == text.Punct }

// ends reports whether nothing that could continue a value follows before token
// i: the text or line ends, or a mark that closes a phrase comes.
func (s *scan) ends(i int) bool {
	if i >= len(s.toks) || s.toks[i].Line {
		return true
	}
	switch s.c(i) {
	case ',', ';', ')', ']', '?', '!':
		return true
	case '.':
		return i+1 >= len(s.toks) || s.runEnds(i+1)
	default:
		return false
	}
}
