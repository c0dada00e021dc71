package lexicon

import (
	"slices"
	"unicode/utf8"
)

// longestSlip is the maximum length of words matched with an error.
const longestSlip = 48

// Slips finds, among many words, those at edit distance one from a word: one letter too many, too
// few or wrong, or two neighbours exchanged. Two such words become equal when a letter is deleted
// from each, so that a lookup takes time linear in the length of the word, however many words
// there are. The zero value is empty.
type Slips struct {
	words  []string
	cuts   map[uint64][]int32 // words by the hashes of the word and of its deletions
	filter []uint64           // bit set of the hashes
}

// Add adds a folded word, which must not have been added before.
func (s *Slips) Add(word string) {
	n := int32(len(s.words))
	s.words = append(s.words, word)
	if len(word) > longestSlip {
		return
	}
	if s.cuts == nil {
		s.cuts = map[uint64][]int32{}
	}
	eachCut([]byte(word), func(hash uint64) {
		at := s.cuts[hash]
		if len(at) == 0 || at[len(at)-1] != n { // "anna" is "ana" without either n
			s.cuts[hash] = append(at, n)
		}
	})
	if len(s.cuts) > len(s.filter)*4 {
		s.filter = make([]uint64, max(16, 2*len(s.filter), nextPower(len(s.cuts)/2)))
		for hash := range s.cuts {
			s.mark(hash)
		}
		return
	}
	eachCut([]byte(word), s.mark)
}

// Word returns the n-th word added.
func (s *Slips) Word(n int) string { return s.words[n] }

// Near returns the numbers of the words at edit distance one from word, folded, in order.
func (s *Slips) Near(word []byte) []int {
	if len(s.filter) == 0 || len(word) > longestSlip {
		return nil
	}
	var found []int
	eachCut(word, func(hash uint64) {
		if !s.marked(hash) {
			return
		}
		for _, n := range s.cuts[hash] {
			if !slices.Contains(found, int(n)) && OneEdit(string(word), s.words[n]) {
				found = append(found, int(n))
			}
		}
	})
	slices.Sort(found)
	return found
}

func (s *Slips) mark(hash uint64) { s.filter[hash>>6&uint64(len(s.filter)-1)] |= 1 << (hash & 63) }

func (s *Slips) marked(hash uint64) bool {
	return s.filter[hash>>6&uint64(len(s.filter)-1)]&(1<<(hash&63)) != 0
}

func nextPower(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

const slipBase = 0x9e3779b97f4a7c15 | 1

// eachCut yields the hashes of a word of at most longestSlip bytes and of its deletions of one
// letter.
func eachCut(word []byte, yield func(hash uint64)) {
	var behind, power [longestSlip + 1]uint64 // of what follows a place; of slipBase
	n := len(word)
	power[0] = 1
	for i := range n {
		power[i+1] = power[i] * slipBase
	}
	for i := n - 1; i >= 0; i-- {
		behind[i] = behind[i+1] + (uint64(word[i])+1)*power[n-1-i]
	}
	yield(mixed(behind[0]))
	before := uint64(0)
	for i := 0; i < n; {
		j := i + 1
		for j < n && !utf8.RuneStart(word[j]) {
			j++
		}
		yield(mixed(before*power[n-j] + behind[j]))
		for ; i < j; i++ {
			before = before*slipBase + uint64(word[i]) + 1
		}
	}
}

// mixed distributes a hash over all its bits.
func mixed(h uint64) uint64 {
	h ^= h >> 31
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// OneEdit reports whether a and b differ by one insertion, deletion, substitution or exchange of
// neighbours.
func OneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	// A rune of several bytes counts as one letter.
	for i > 0 && i < len(b) && !utf8.RuneStart(b[i]) {
		i--
	}
	ra, rb := []rune(a[i:]), []rune(b[i:])
	switch len(rb) - len(ra) {
	case 1:
		return string(ra) == string(rb[1:])
	case 0:
		if len(ra) == 0 {
			return false
		}
		if string(ra[1:]) == string(rb[1:]) {
			return true
		}
		return len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && string(ra[2:]) == string(rb[2:])
	}
	return false
}
