package surrogate

import (
	"hash/fnv"
	"math/bits"
	"strings"

	"github.com/pgdeid/pgdeid/surrogate/words"
)

// shape is the sequence of character sets of a normalised number. The numbers of one shape are a
// finite domain, on which a keyed rotation maps every number to another, one to one.
type shape struct {
	sets  []string // for each place
	size  uint64   // 0: too large, or with characters in no set
	label uint64
}

const (
	anyDigit   = "0123456789"
	firstDigit = "123456789" // of a number that does not begin with 0
	hexLetter  = "abcdef"
	anyLetter  = "abcdefghijklmnopqrstuvwxyz"
)

// leastHex is the length from which a number whose only letters are a to f counts as hexadecimal.
const leastHex = 8

func shapeOf(norm string) shape {
	letters := anyLetter
	if len(norm) >= leastHex && strings.Trim(norm, anyDigit+hexLetter) == "" {
		letters = hexLetter
	}
	s := shape{size: 1}
	h := fnv.New64a()
	for i, r := range norm {
		set := letters
		if '0' <= r && r <= '9' {
			set = anyDigit
			if i == 0 && r != '0' && len(norm) > 1 {
				set = firstDigit
			}
		}
		if !strings.ContainsRune(set, r) {
			s.size = 0
		}
		hi, lo := bits.Mul64(s.size, uint64(len(set)))
		if hi != 0 || lo >= 1<<62 {
			lo = 0
		}
		s.size = lo
		s.sets = append(s.sets, set)
		h.Write([]byte(set[len(set)-1:]))
		h.Write([]byte(set[:1]))
	}
	s.label = h.Sum64() | 1<<63 // distinct from the labels of strata and letters
	return s
}

// number returns the position of norm in its domain.
func (s shape) number(norm string) uint64 {
	n := uint64(0)
	for i, set := range s.sets {
		n = n*uint64(len(set)) + uint64(strings.IndexByte(set, norm[i]))
	}
	return n
}

// text is the inverse of number.
func (s shape) text(n uint64) string {
	out := make([]byte, len(s.sets))
	for i := len(out) - 1; i >= 0; i-- {
		size := uint64(len(s.sets[i]))
		out[i] = s.sets[i][n%size]
		n /= size
	}
	return string(out)
}

// anyNumber proposes a number of the same shape: by the keyed rotation of its domain if that is
// finite, otherwise drawn at random. If all of a small domain is in use, it proposes a longer
// number.
func anyNumber(w *work, norm string, c *choices, try int) string {
	s := shapeOf(norm)
	var out string
	switch {
	case s.size < 2:
		out = drawn(s.sets, c)
	case uint64(try) < s.size:
		out = s.text(w.source.perm.rotate(s.label, s.size, s.number(norm), uint64(try)))
	default:
		out = drawn(s.sets, c) + string(digit(c, 0, 9))
	}
	if isRude(out) {
		return ""
	}
	return out
}

// rude are letter sequences that no surrogate may contain.
var rude = words.List("known/rude")

func isRude(s string) bool {
	for _, r := range rude {
		if strings.Contains(s, r) {
			return true
		}
	}
	return false
}
