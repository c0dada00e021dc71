package surrogate

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
)

// feistelRounds is well above the seven rounds from which a Feistel network with good round
// functions is indistinguishable from a random permutation, as small domains need more.
const feistelRounds = 10

// permutation is a family of keyed permutations of small domains: a balanced
// Feistel network with AES as round function, and cycle walking from the next
// even power of two down to the domain's size. It is safe for concurrent use.
type permutation struct{ block cipher.Block }

// newPermutation takes a key of 16, 24 or 32 bytes.
func newPermutation(key []byte) (*permutation, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &permutation{block}, nil
}

// prf returns 64 keyed pseudorandom bits of three numbers.
func (p *permutation) prf(label uint64, round uint32, x uint32) uint64 {
	var in, out [aes.BlockSize]byte
	binary.BigEndian.PutUint64(in[:], label)
	binary.BigEndian.PutUint32(in[8:], round)
	binary.BigEndian.PutUint32(in[12:], x)
	p.block.Encrypt(out[:], in[:])
	return binary.BigEndian.Uint64(out[:])
}

// halfBits is half the width of the network that covers [0, n), n > 0.
func halfBits(n uint64) uint { return uint(max(1, (bits.Len64(n-1)+1)/2)) }

// network runs the Feistel network of 2*half bits once, in either direction.
func (p *permutation) network(label uint64, half uint, x uint64, inverse bool) uint64 {
	mask := uint64(1)<<half - 1
	left, right := x>>half, x&mask
	for i := range uint32(feistelRounds) {
		if inverse {
			left, right = right^(p.prf(label, feistelRounds-1-i, uint32(left))&mask), left
			continue
		}
		left, right = right, left^(p.prf(label, i, uint32(right))&mask)
	}
	return left<<half | right
}

// at maps x of [0, n) to [0, n), one to one for each label.
func (p *permutation) at(label, n, x uint64) uint64 {
	half := halfBits(n)
	for {
		if x = p.network(label, half, x, false); x < n {
			return x
		}
	}
}

// inverse undoes at.
func (p *permutation) inverse(label, n, x uint64) uint64 {
	half := halfBits(n)
	for {
		if x = p.network(label, half, x, true); x < n {
			return x
		}
	}
}

// rotate maps x of [0, n) to another number of [0, n), n > 1: a keyed number of steps around a
// keyed cycle. No number maps to itself, no two map to the same, and the order of calls does not
// matter. A try above 0 goes that many steps further, for images that cannot be used: the tries of
// [0, n) cover all of [0, n), including x.
func (p *permutation) rotate(label, n, x, try uint64) uint64 {
	step := 1 + p.prf(label, feistelRounds, 0)%(n-1)
	to := p.at(label, n, x) + step
	if to >= n {
		to -= n
	}
	return p.inverse(label, n, (to+try%n)%n)
}
