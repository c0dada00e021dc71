package text

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

// KeyOf returns the hash of a word in any case and form.
func KeyOf(word string) uint64 {
	var buf [48]byte
	if key, ok := lexicon.LowerASCII(buf[:], word); ok {
		return FoldedKey(key)
	}
	return FoldedKey(lexicon.Fold(word))
}

// FoldedKey returns the hash of a word that is folded: FNV-1a.
func FoldedKey[T string | []byte](word T) uint64 {
	hash := uint64(14695981039346656037)
	for i := range len(word) {
		hash = (hash ^ uint64(word[i])) * 1099511628211
	}
	return hash
}
