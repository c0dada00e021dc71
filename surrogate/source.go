package surrogate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// source derives all surrogates of one patient. It is guarded by the Book's lock.
type source struct {
	mac  hash.Hash
	perm *permutation
	sum  [sha256.Size]byte
}

// newSource takes the patient's 32-byte key.
func newSource(key []byte) *source {
	s := &source{mac: hmac.New(sha256.New, key)}
	s.mac.Write([]byte("permutation"))
	// 32 bytes are always a valid AES key.
	s.perm, _ = newPermutation(s.mac.Sum(nil))
	return s
}

// derive returns the stored hash of an original and a seed for choices: two halves of one keyed
// hash, so that the hash reveals nothing about the choices.
func (s *source) derive(k kind, original string) (id entryKey, seed [16]byte) {
	s.mac.Reset()
	s.mac.Write([]byte{byte(len(k))})
	s.mac.Write([]byte(k))
	s.mac.Write([]byte(original))
	sum := s.mac.Sum(s.sum[:0])
	id.kind = k
	copy(id.hash[:], sum[:16])
	copy(seed[:], sum[16:])
	return id, seed
}

// choices returns a stream of choices that depends only on the original.
func (s *source) choices(k kind, original string) *choices {
	_, seed := s.derive(k, original)
	return &choices{seed: seed, used: sha256.Size}
}

// choices is a deterministic stream of keyed random numbers.
type choices struct {
	seed    [16]byte
	block   [sha256.Size]byte
	counter uint32
	used    int
}

func (c *choices) uint64() uint64 {
	if c.used+8 > len(c.block) {
		var in [20]byte
		copy(in[:], c.seed[:])
		binary.BigEndian.PutUint32(in[16:], c.counter)
		c.block = sha256.Sum256(in[:])
		c.counter++
		c.used = 0
	}
	n := binary.BigEndian.Uint64(c.block[c.used:])
	c.used += 8
	return n
}

// below returns a number of [0, n), n > 0. The bias, n/2^64, is negligible.
func (c *choices) below(n int) int { return int(c.uint64() % uint64(n)) }

// oneOf picks from a non-empty list.
func (c *choices) oneOf(list []string) string { return list[c.below(len(list))] }
