package ensemble

import (
	mathbits "math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// key stands for a word, folded: its hash and, as a filter for words with a
// typing error, the set of its letters.
type key struct {
	hash    uint64
	letters uint32
}

// keyOf returns the key of a word in any case and form.
func keyOf(word string) key {
	k := key{hash: fnvOffset}
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return foldedKey(lexicon.Fold(word))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		k.hash = (k.hash ^ uint64(c)) * fnvPrime
		k.letters |= 1 << (c & 31)
	}
	return k
}

func foldedKey(word string) key {
	k := key{hash: fnvOffset}
	for i := range len(word) {
		k.hash = (k.hash ^ uint64(word[i])) * fnvPrime
		k.letters |= 1 << (word[i] & 31)
	}
	return k
}

// keys returns the keys of the note's words, computed once for all gazetteers;
// other tokens have none.
func (n *Note) wordKeys() []key {
	if n.keys == nil {
		toks := n.Tokens()
		n.keys = make([]key, len(toks))
		for i := range toks {
			if toks[i].Kind == Word {
				n.keys[i] = keyOf(n.Text[toks[i].Start:toks[i].End])
			}
		}
	}
	return n.keys
}

// pairKey joins the keys of two words, in this order.
func pairKey(a, b uint64) uint64 { return (a ^ mathbits.RotateLeft64(b, 29)) * fnvPrime }

// identHash is the running hash of an identifier's letters and digits, without
// case, marks, blanks and leading zeros.
type identHash struct {
	hash uint64
	n    int // letters and digits, but for leading zeros
	all  int // letters and digits
}

func newIdentHash() identHash { return identHash{hash: fnvOffset} }

func (h *identHash) write(part string) {
	for i := 0; i < len(part); {
		c := part[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(part[i:])
			i += size
			h.writeRune(r)
			continue
		}
		i++
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			continue
		}
		h.all++
		if c == '0' && h.n == 0 {
			continue
		}
		h.hash = (h.hash ^ uint64(c)) * fnvPrime
		h.n++
	}
}

func (h *identHash) writeRune(r rune) {
	if d, ok := digitValue(r); ok {
		h.write(string(rune('0' + d)))
		return
	}
	if unicode.IsLetter(r) {
		if folded := lexicon.Fold(string(r)); folded != "" && folded[0] < utf8.RuneSelf {
			h.write(folded)
			return
		}
		h.hash = (h.hash ^ uint64(unicode.ToLower(r))) * fnvPrime
		h.n++
		h.all++
	}
}

func identKey(s string) uint64 {
	h := newIdentHash()
	h.write(s)
	return h.hash
}
