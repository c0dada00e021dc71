package record

import (
	mathbits "math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	fnv64Offset = 14695981039346656037
	fnv64Prime  = 1099511628211
)

// pairKey joins the keys of two words, in this order.
func pairKey(a, b uint64) uint64 { return (a ^ mathbits.RotateLeft64(b, 29)) * fnv64Prime }

// identHash is the running hash of an identifier's letters and digits, without
// case, marks, blanks and leading zeros. Those that scanners take for one another are the same.
type identHash struct {
	hash uint64
	n    int // letters and digits, but for leading zeros
	all  int // letters and digits
}

func newIdentHash() identHash { return identHash{hash: fnv64Offset} }

func (h *identHash) write(part string) {
	a := alike()
	for i := 0; i < len(part); {
		c := part[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(part[i:])
			i += size
			h.writeRune(r)
			continue
		}
		i++
		c = a.one[c]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			continue
		}
		h.all++
		if c == a.one['0'] && h.n == 0 {
			continue
		}
		h.hash = (h.hash ^ uint64(c)) * fnv64Prime
		h.n++
	}
}

func (h *identHash) writeRune(r rune) {
	if d, ok := text.DigitValue(r); ok {
		h.write(string(rune('0' + d)))
		return
	}
	if unicode.IsLetter(r) {
		if folded := lexicon.Fold(string(r)); folded != "" && folded[0] < utf8.RuneSelf {
			h.write(folded)
			return
		}
		h.hash = (h.hash ^ uint64(unicode.ToLower(r))) * fnv64Prime
		h.n++
		h.all++
	}
}

func identKey(s string) uint64 {
	h := newIdentHash()
	h.write(s)
	return h.hash
}
