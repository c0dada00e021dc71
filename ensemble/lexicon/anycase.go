package lexicon

import "unicode/utf8"

// AnyCase holds values by words and finds them by ASCII words in any case. Rules ask several such sets about every word of
// a text: that takes half the time of a map, which hashes a copy of the word.
type AnyCase[V any] struct {
	slots []anyCaseSlot[V]
	mask  uint32
}

type anyCaseSlot[V any] struct {
	word  string // in lower case; "": the slot is free
	hash  uint32
	value V
}

// NewAnyCase returns the values of words, which are in lower case.
func NewAnyCase[V any](words map[string]V) *AnyCase[V] {
	size := 4
	for size < 4*len(words) {
		size *= 2
	}
	x := &AnyCase[V]{slots: make([]anyCaseSlot[V], size), mask: uint32(size - 1)}
	for word, value := range words {
		if hash, ok := hashAnyCase(word); ok && word != "" {
			at := hash & x.mask
			for x.slots[at].word != "" {
				at = (at + 1) & x.mask
			}
			x.slots[at] = anyCaseSlot[V]{word, hash, value}
		}
	}
	return x
}

// Get returns the value of a word in any case, or none. ascii is false if the word is not ASCII, of which nothing is known here.
func (x *AnyCase[V]) Get(word string) (value V, ascii bool) {
	hash, ascii := hashAnyCase(word)
	if !ascii {
		return value, false
	}
	for at := hash & x.mask; x.slots[at].word != ""; at = (at + 1) & x.mask {
		if s := &x.slots[at]; s.hash == hash && isInAnyCase(word, s.word) {
			return s.value, true
		}
	}
	return value, true
}

// hashAnyCase returns the hash of a word in lower case; ok is false if it is not ASCII.
func hashAnyCase(word string) (h uint32, ok bool) {
	h = fnvOffset
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return 0, false
		}
		h = (h ^ uint32(lowerOf(word[i]))) * fnvPrime
	}
	return h ^ h>>15, true
}

// isInAnyCase reports whether an ASCII word is the given one, which is in lower case.
func isInAnyCase(word, lower string) bool {
	if len(word) != len(lower) {
		return false
	}
	for i := range len(word) {
		if lowerOf(word[i]) != lower[i] {
			return false
		}
	}
	return true
}

// lowerOf returns the small form of an ASCII letter, and any other byte as it is.
func lowerOf(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
