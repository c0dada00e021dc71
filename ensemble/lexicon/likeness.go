package lexicon

import _ "embed"

// LikenessSize is how many weights a table of likeness has: a power of two.
const LikenessSize = 1 << 16

// shapes holds the weight of each bucket of letter sequences, as signed bytes in
// units of 1/32 of a natural logarithm, and after them a Bloom filter of as many
// bytes with the English words that are spelt like names. The program in gen makes
// it.
//
//go:embed likeness.bin
var shapes []byte

// Likeness tells by its letters alone how much a word that nobody has heard of
// looks like a name of a person or a place ("Vizirov") and not like an ordinary
// word, a drug or a Latin term ("Xarelto"): the logarithm of the odds in eighths
// of a power of two, 0 where the letters do not tell. Words of known entries need
// no guess.
func Likeness(word string) int {
	folded := Fold(word)
	if len(shapes) != 2*LikenessSize || filtered(folded) {
		return 0
	}
	var buf [256]uint16
	sum := 0
	for _, bucket := range LetterSequences(buf[:0], folded) {
		sum += int(int8(shapes[bucket]))
	}
	return sum * 369 / 1024 // 8/ln(2)/32
}

// filtered reports whether a word is in the filter of English words.
func filtered(folded string) bool {
	for _, bit := range FilterBits(folded) {
		if shapes[LikenessSize+bit/8]&(1<<(bit%8)) == 0 {
			return false
		}
	}
	return true
}

// FilterBits returns the bits of a folded word in the Bloom filter.
func FilterBits(folded string) [4]uint32 {
	h := uint64(14695981039346656037)
	for i := range len(folded) {
		h = (h ^ uint64(folded[i])) * 1099511628211
	}
	var bits [4]uint32
	for i := range bits {
		bits[i] = uint32(h>>32) % (8 * LikenessSize)
		h = h*6364136223846793005 + 1442695040888963407
	}
	return bits
}

const (
	shortestSequence = 2
	longestSequence  = 5
	longestShape     = 40 // bytes of a word that are looked at
)

// LetterSequences appends to dst the buckets, below [LikenessSize], of the
// sequences of two to five letters of a folded word; the borders of the word count
// as letters.
func LetterSequences(dst []uint16, folded string) []uint16 {
	var buf [longestShape + 2]byte
	buf[0] = '^'
	n := 1 + copy(buf[1:longestShape+1], folded)
	buf[n] = '$'
	n++
	for i := range n {
		h := uint32(2166136261)
		for j := i; j < min(n, i+longestSequence); j++ {
			h = (h ^ uint32(buf[j])) * 16777619
			if j-i+1 >= shortestSequence {
				dst = append(dst, uint16(h^h>>16))
			}
		}
	}
	return dst
}
