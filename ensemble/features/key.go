package features

import (
	"encoding/binary"
	"math/bits"
)

// Version counts changes of values and keys. Models trained on versions from Oldest to Version can
// be used; their weights for removed attributes are ignored.
const (
	Version = 2
	Oldest  = 1
)

// Key is the hash of an attribute's value, 0 for no value.
type Key = uint64

// Odd constants from the digits of the square root of pi, e and the golden ratio.
const (
	seed1 = 0x9e3779b97f4a7c15
	seed2 = 0xc5bf891b4ef6aa79
	seed3 = 0xadb85162715d2a57
)

// KeyOf returns the key of a value of an attribute; that of "" is 0.
func KeyOf(a Attribute, value string) Key {
	var buf [64]byte
	return hash(uint64(a), append(buf[:0], value...))
}

// Cross returns the key of an ordered pair of keys, 0 if either is 0.
func Cross(a, b Key) Key {
	if a == 0 || b == 0 {
		return 0
	}
	return max(mix(a^seed2, bits.RotateLeft64(b, 29)^seed3), 1)
}

// hash reads eight bytes at a time. It does not resist deliberate collisions, which would gain
// nothing: the author of a note chooses its words anyway.
func hash(seed uint64, value []byte) Key {
	if len(value) == 0 {
		return 0
	}
	h := (seed+1)*seed1 + uint64(len(value))*seed2
	for len(value) >= 8 {
		h = mix(h^binary.LittleEndian.Uint64(value), seed2)
		value = value[8:]
	}
	tail := uint64(0)
	for i, c := range value {
		tail |= uint64(c) << (8 * i)
	}
	return max(mix(h^tail, seed3), 1)
}

// mix folds a product of 128 bits.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo ^ a
}
