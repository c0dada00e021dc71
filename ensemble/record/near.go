package record

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	// longestNear is the length up to which words are recognized with an error in them.
	longestNear = 72
	// leastNear is the least length of a word that looks like one of the record.
	leastNear = 2
	// leastEdit is the length from which a word with a wrong letter has more right ones than another
	// word has by chance.
	leastEdit = 4
)

// nearWord is a word of the record that is recognized with an error in it.
type nearWord struct {
	phi.Redacted

	word             string
	skeleton, paired string // without and with pairs
	hash             uint64
}

// nearWords finds the words of a record that a word may be meant to be. Words are compared by
// their skeletons, so that letters that only look alike are no errors. Two words that are one edit
// apart are the same once a letter is left out of each, so an index of what is left finds them; a
// look takes as long as the word is, however many words there are.
type nearWords struct {
	phi.Redacted

	words  []nearWord
	byWord map[string]struct{}
	cuts   index[[]int32] // the words by the hashes of their skeletons, whole and without a letter
}

func newNearWords() nearWords {
	return nearWords{byWord: map[string]struct{}{}, cuts: newIndex[[]int32](0)}
}

// add takes in a word.
func (x *nearWords) add(word string, hash uint64) {
	if _, ok := x.byWord[word]; ok || len(word) > longestNear || len(word) < leastNear {
		return
	}
	n := int32(len(x.words))
	skeleton, paired := alike().skeleton(nil, []byte(word), false), alike().skeleton(nil, []byte(word), true)
	x.words = append(x.words, nearWord{word: word, skeleton: string(skeleton), paired: string(paired), hash: hash})
	x.byWord[word] = struct{}{}
	enter := func(hash uint64) {
		if at := x.cuts.values[hash]; len(at) == 0 || at[len(at)-1] != n {
			x.cuts.values[hash] = append(at, n)
		}
	}
	enter(text.FoldedKey(paired))
	enter(text.FoldedKey(skeleton))
	if len(word) >= leastEdit {
		eachCut(skeleton, enter)
	}
}

// nearest returns the word of the record that a folded word looks like, or is one edit from, and
// how many edits that is. Errors hardly ever hit the first letter.
func (x *nearWords) nearest(word []byte) (found *nearWord, distance int) {
	if len(x.words) == 0 || len(word) > longestNear || len(word) < leastNear {
		return nil, 0
	}
	var buf [longestNear]byte
	var skeleton []byte
	for _, pairs := range []bool{true, false} {
		skeleton = alike().skeleton(buf[:0], word, pairs)
		for _, n := range x.cuts.get(text.FoldedKey(skeleton)) {
			if w := &x.words[n]; w.skeleton == string(skeleton) || w.paired == string(skeleton) {
				return w, 0
			}
		}
	}
	check := func(hash uint64) {
		for _, n := range x.cuts.get(hash) {
			w := &x.words[n]
			if found == nil && len(w.word) >= leastEdit && w.skeleton[0] == skeleton[0] && oneEdit(skeleton, []byte(w.skeleton)) {
				found = w
			}
		}
	}
	check(text.FoldedKey(skeleton))
	if len(word) >= leastEdit-1 {
		eachCut(skeleton, check)
	}
	return found, 1
}

// eachCut yields the hashes of a word without each of its letters.
func eachCut(word []byte, yield func(hash uint64)) {
	head := uint64(fnv64Offset)
	for i, c := range word {
		yield(hashOn(head, word[i+1:]))
		head = (head ^ uint64(c)) * fnv64Prime
	}
}

// hashOn goes on with a hash over more of a word.
func hashOn(hash uint64, word []byte) uint64 {
	for _, c := range word {
		hash = (hash ^ uint64(c)) * fnv64Prime
	}
	return hash
}
