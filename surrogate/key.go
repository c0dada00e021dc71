package surrogate

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// keySize is the length of the secret in bytes.
const keySize = 32

// Key is the secret from which pseudonyms, surrogates and shifts are derived. It prints itself
// redacted and is safe for concurrent use. Every purpose has its own sub-key (HKDF-SHA-256), so a
// value made for one purpose reveals nothing about another.
type Key struct {
	phi.Redacted

	secret [keySize]byte
	epoch  int
	// subkeys caches derived values by purpose: []byte sub-keys and *permutation.
	subkeys sync.Map
	macs    sync.Map // *sync.Pool of *mac, by purpose
}

func newKey(secret []byte, epoch int) (*Key, error) {
	if len(secret) != keySize {
		return nil, fmt.Errorf("the key has %d bytes instead of %d", len(secret), keySize)
	}
	k := &Key{epoch: epoch}
	copy(k.secret[:], secret)
	return k, nil
}

// Epoch returns the number of the key, starting at 1; it grows when a site replaces its key.
func (k *Key) Epoch() int { return k.epoch }

// subkey returns the 32-byte key of a purpose; the caller must not change it.
func (k *Key) subkey(purpose string) []byte {
	if v, ok := k.subkeys.Load(purpose); ok {
		return v.([]byte)
	}
	// hkdf.Key fails only for lengths over 255 hashes.
	sub, _ := hkdf.Key(sha256.New, k.secret[:], []byte("pgdeid key 1"), purpose, keySize)
	v, _ := k.subkeys.LoadOrStore(purpose, sub)
	return v.([]byte)
}

// HMAC returns a keyed hash (32 bytes) of parts for a purpose. The parts are delimited: ("ab",
// "c") and ("a", "bc") give different hashes.
func (k *Key) HMAC(purpose string, parts ...string) []byte {
	pool := k.keyed(purpose)
	m := pool.Get().(*mac)
	defer pool.Put(m)
	return m.sum(parts)
}

// mac is a keyed hash that is used again and again: hashing the key takes longer than hashing what the parts mostly are.
type mac struct {
	phi.Redacted

	hash   hash.Hash
	buffer []byte
}

// keyed returns the hashes of a purpose.
func (k *Key) keyed(purpose string) *sync.Pool {
	if v, ok := k.macs.Load(purpose); ok {
		return v.(*sync.Pool)
	}
	sub := k.subkey("hmac/" + purpose)
	v, _ := k.macs.LoadOrStore(purpose, &sync.Pool{New: func() any { return &mac{hash: hmac.New(sha256.New, sub)} }})
	return v.(*sync.Pool)
}

// bufferKept is the size up to which a mac keeps its buffer.
const bufferKept = 4 << 10

func (m *mac) sum(parts []string) []byte {
	m.hash.Reset()
	for _, p := range parts {
		m.buffer = binary.BigEndian.AppendUint64(m.buffer, uint64(len(p)))
		m.buffer = append(m.buffer, p...)
	}
	m.hash.Write(m.buffer)
	clear(m.buffer) // texts
	if m.buffer = m.buffer[:0]; cap(m.buffer) > bufferKept {
		m.buffer = nil
	}
	return m.hash.Sum(nil)
}

// Check returns 16 bytes that the vault stores to detect a wrong key. They reveal nothing about
// the key.
func (k *Key) Check() []byte { return k.HMAC("check")[:16] }
