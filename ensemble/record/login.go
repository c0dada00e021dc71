package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Lengths of logins, and of the family name in one.
const (
	leastLogin  = 5
	mostLogin   = 32
	leastFamily = 3
)

// login finds a word that is made of the patient's own names, as logins are: "ksaverg",
// "kjsaverg", "savergk", "kwamesaverg", with the number behind it. One that is also a word
// of its own is none: "along" of Ann Long.
func (m *matcher) login(i int) int {
	word := m.tok(i)
	if len(word) < leastLogin-1 || len(word) > mostLogin || len(m.g.own) == 0 {
		return 0
	}
	var buf [mostLogin]byte
	low, ok := lexicon.LowerASCII(buf[:], word)
	if !ok || !m.g.ownLogin(low) || m.known(i) {
		return 0
	}
	end := i + 1
	if m.glued(end) && m.toks[end].Kind == text.Number {
		end++
	}
	if end == i+1 && len(word) < leastLogin {
		return 0
	}
	return m.emit(i, end, phi.Username, true)
}

// ownLogin reports whether a word in lower case is a family name with one or two initials
// of given names before it or one behind it, or a given and a family name in either order.
func (g *Gazetteer) ownLogin(word []byte) bool {
	head := uint64(fnv64Offset)
	for k := 1; k < len(word); k++ {
		head = (head ^ uint64(word[k-1])) * fnv64Prime
		switch {
		case k == 1:
			if g.ownInitial(word[0]) && (g.ownFamily(word[1:]) || g.ownInitial(word[1]) && g.ownFamily(word[2:])) {
				return true
			}
			continue
		case !g.mayHold(head):
			continue
		case g.own[head].bits&ownGivenOrNick != 0 && g.ownFamily(word[k:]):
			return true
		}
		if g.own[head].bits&ownFamily == 0 || k < leastFamily {
			continue
		}
		tail := g.own[bytesKey(word[k:])].bits
		if tail&ownGivenOrNick != 0 || tail&ownInitial != 0 && k == len(word)-1 {
			return true
		}
	}
	return false
}

func (g *Gazetteer) ownInitial(letter byte) bool {
	return g.own[bytesKey([]byte{letter})].bits&ownInitial != 0
}

func (g *Gazetteer) ownFamily(word []byte) bool {
	return len(word) >= leastFamily && g.own[bytesKey(word)].bits&ownFamily != 0
}

// bytesKey is the hash of FoldedKey.
func bytesKey(word []byte) uint64 {
	hash := uint64(fnv64Offset)
	for _, c := range word {
		hash = (hash ^ uint64(c)) * fnv64Prime
	}
	return hash
}
