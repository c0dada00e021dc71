package onnx

import "hash"

// keyOf hashes the units of a segment with the gaps before them, which is all that a
// network with a character front sees, and what is known of them if it reads that. A wordpiece network
// is given a blank for every gap and none before the first unit, so for it gaps of both
// kinds are one.
func keyOf(h hash.Hash, units []unit, pieces, features bool, buf *[]byte) key {
	h.Reset()
	b := (*buf)[:0]
	for i, u := range units {
		g := u.gap
		switch {
		case pieces && i == 0:
			g = noGap
		case pieces && g == lineBreak:
			g = blank
		}
		// The lengths make the list of units unambiguous, whatever is in them.
		b = append(b, byte(g), byte(len(u.text)), byte(len(u.text)>>8), byte(len(u.text)>>16), byte(len(u.text)>>24))
		b = append(b, u.text...)
		if features {
			b = append(b, u.columns[:]...)
		}
	}
	*buf = b
	_, _ = h.Write(b) // a hash.Hash never returns an error
	var sum [64]byte
	return key(h.Sum(sum[:0])[:len(key{})])
}
