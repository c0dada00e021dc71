package surrogate

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"math/bits"
)

// errSealed is the only error of Open: details would help only an attacker.
var errSealed = errors.New("the sealed value was made with another key, or was changed")

// Seal encrypts plain (AES-256-GCM, random nonce in front) for one place: of identifies what the
// value belongs to, and Open needs the same. Each place has its own key, so that values cannot be
// swapped between rows, and so that the random nonces of one key do not collide however large a
// vault is (NIST SP 800-38D, 8.3: 2^32 values per key). The length of the result shows plain's
// length only roughly.
func (k *Key) Seal(plain []byte, purpose string, of ...string) []byte {
	return k.sealer(purpose, of).Seal(nil, nil, pad(plain), nil) //nolint:gosec // the nonce is random, in front of the result
}

// Open decrypts the result of Seal. It fails if the value was sealed with another key, purpose or
// place.
func (k *Key) Open(sealed []byte, purpose string, of ...string) ([]byte, error) {
	padded, err := k.sealer(purpose, of).Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errSealed
	}
	return unpad(padded)
}

// sealer returns the cipher of one place.
func (k *Key) sealer(purpose string, of []string) cipher.AEAD {
	block, _ := aes.NewCipher(k.HMAC("seal/"+purpose, of...)) // a hash has the length of a key
	seal, _ := cipher.NewGCMWithRandomNonce(block)            // AES has the block size that GCM asks for
	return seal
}

const (
	// padMark is the first byte of the padding (ISO/IEC 7816-4).
	padMark = 0x80
	// padLeast is the length up to which all values get the same length: names, numbers.
	padLeast = 32
	// padStep is the multiple to which longer values are rounded up beyond this length.
	padStep = 1 << 10
)

// pad returns plain followed by a mark and zeros.
func pad(plain []byte) []byte {
	n := len(plain) + 1
	switch {
	case n <= padLeast:
		n = padLeast
	case n <= padStep:
		n = 1 << bits.Len(uint(n-1))
	default:
		n = (n + padStep - 1) / padStep * padStep
	}
	padded := make([]byte, n)
	padded[copy(padded, plain)] = padMark
	return padded
}

func unpad(padded []byte) ([]byte, error) {
	plain := bytes.TrimRight(padded, "\x00")
	if len(plain) == 0 || plain[len(plain)-1] != padMark {
		return nil, errSealed
	}
	return plain[:len(plain)-1], nil
}
