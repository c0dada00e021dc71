package record

import "unicode/utf8"

// heads is a set of the first letters of words, as bits by their hashes: a word of a text without any of them inside holds
// none of these words. Nearly all words of a text are such, and need not be cut into parts.
type heads [headsSize / 64]uint64

const (
	headsSize   = 1 << 12
	headLetters = leastFamily // shorter parts are there by chance
)

func headHash(a, b, c byte) uint32 {
	const spread = 2654435761 // Knuth's, of 32 bits
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * spread >> 20
}

// add takes in a folded word.
func (s *heads) add(word string) {
	if len(word) < headLetters {
		return
	}
	h := headHash(word[0], word[1], word[2])
	s[h/64] |= 1 << (h % 64)
}

// mayHold reports whether one of the words may be inside a word of a text, in any case.
func (s *heads) mayHold(word string) bool {
	var a, b byte
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return true // other bytes when folded
		}
		c = lower(c)
		if i >= headLetters-1 {
			if h := headHash(a, b, c); s[h/64]&(1<<(h%64)) != 0 {
				return true
			}
		}
		a, b = b, c
	}
	return false
}

// lower returns the small form of an ASCII letter, and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
