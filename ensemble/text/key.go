package text

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

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
	var buf [48]byte
	if key, ok := lexicon.LowerASCII(buf[:], word); ok {
		return keyOf(key)
	}
	return FoldedKey(lexicon.Fold(word))
}

// FoldedKey returns the key of a word that is folded.
func FoldedKey(word string) Key { return keyOf(word) }

func keyOf[T string | []byte](word T) Key {
	k := Key{Hash: fnvOffset}
	for i := range len(word) {
		k.Hash = (k.Hash ^ uint64(word[i])) * fnvPrime
		k.Letters |= 1 << (word[i] & 31)
	}
	return k
}
