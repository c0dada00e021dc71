package record

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

const (
	// leastGluedName is the length from which a word of the record is recognized within a word.
	leastGluedName = 4
	// mostGlued is the length up to which a word is searched for what it glues together.
	mostGlued = 40
	// frequentGlued is how often a word is met, on the lexicon's scale, that may be glued to a name.
	frequentGlued = 32
)

// gluedName finds an unknown word that consists of two names of one person, with an initial
// between them or without: "catharinewhiting", "GLENMBEARDEN".
func (m *matcher) gluedName(i int) int {
	word := m.tok(i)
	if len(word) <= leastGluedName || len(word) > mostGlued {
		return 0
	}
	var buf [mostGlued]byte
	low, ok := lexicon.LowerASCII(buf[:], word)
	if !ok || isWord(low) {
		return 0
	}
	head := uint64(fnv64Offset)
	for k := 1; k < len(low); k++ {
		m.steps++
		head = (head ^ uint64(low[k-1])) * fnv64Prime
		if k < leastFamily || !m.g.mayHold(head) || m.g.words[head].bits&wName == 0 {
			continue
		}
		bits, _ := m.pair(head, bytesKey(low[k:]))
		if rest := low[k+1:]; bits == 0 && len(rest) >= leastFamily {
			bits, _ = m.pair(head, bytesKey(rest))
		}
		if bits != 0 {
			return m.emit(i, i+1, m.typeOf(bits), true)
		}
	}
	return 0
}

// isWord reports whether the lexicon knows a word in lower case, as a name or as anything else.
func isWord(low []byte) bool {
	e, _ := lexicon.LookupFolded(string(low))
	return e.Common > 0 || e.Capital > 0 || e.First > 0 || e.Surname > 0 || e.Is(lexicon.Clinical|lexicon.State)
}

// isFrequent reports whether a word in lower case is frequent in texts.
func isFrequent(word []byte) bool {
	if len(word) < 2 {
		return false
	}
	e, _ := lexicon.LookupFolded(string(word))
	return e.Common >= frequentGlued
}
