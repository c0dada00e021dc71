package text

import (
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Key represents a word, folded: its hash and, as a filter for words with a
// typing error, the set of its letters.
type Key struct {
	Hash    uint64
	Letters uint32
}

// KeyOf returns the key of a word in any case and form.
func KeyOf(word string) Key {
	k := Key{Hash: fnvOffset}
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return FoldedKey(lexicon.Fold(word))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		k.Hash = (k.Hash ^ uint64(c)) * fnvPrime
		k.Letters |= 1 << (c & 31)
	}
	return k
}

// FoldedKey returns the key of a word that is folded.
func FoldedKey(word string) Key {
	k := Key{Hash: fnvOffset}
	for i := range len(word) {
		k.Hash = (k.Hash ^ uint64(word[i])) * fnvPrime
		k.Letters |= 1 << (word[i] & 31)
	}
	return k
}
