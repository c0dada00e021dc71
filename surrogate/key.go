package surrogate

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"log/slog"
	"sync"
)

// keySize is the length of the secret in bytes.
const keySize = 32

// Key is the secret from which pseudonyms, surrogates and shifts are derived. It prints itself
// redacted and is safe for concurrent use. Every purpose has its own sub-key (HKDF-SHA-256), so a
// value made for one purpose reveals nothing about another.
type Key struct {
	secret [keySize]byte
	epoch  int
	// subkeys caches derived values by purpose: []byte sub-keys and *permutation.
	subkeys sync.Map
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
	mac := hmac.New(sha256.New, k.subkey("hmac/"+purpose))
	var size [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		mac.Write(size[:])
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

// Check returns 16 bytes that the vault stores to detect a wrong key. They reveal nothing about
// the key.
func (k *Key) Check() []byte { return k.HMAC("check")[:16] }

// Format prints the key redacted.
func (k *Key) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "key[redacted]") }

// LogValue keeps the key out of logs.
func (k *Key) LogValue() slog.Value { return slog.StringValue("key[redacted]") }
