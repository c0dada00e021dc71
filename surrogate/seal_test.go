package surrogate

import (
	"bytes"
	"testing"
)

func TestSeal(t *testing.T) {
	k := testKey(t)
	sealed := k.Seal([]byte("source key 42"), "quarantine", "ehr.note", "7")
	if bytes.Contains(sealed, []byte("42")) || bytes.Equal(sealed, k.Seal([]byte("source key 42"), "quarantine", "ehr.note", "7")) {
		t.Error("sealing is not encryption with a fresh nonce")
	}
	plain, err := k.Open(sealed, "quarantine", "ehr.note", "7")
	if err != nil || string(plain) != "source key 42" {
		t.Errorf("Open = %q, %v", plain, err)
	}
	other, _ := newKey(bytes.Repeat([]byte{7}, keySize), 1)
	flipped := bytes.Clone(sealed)
	flipped[len(flipped)-1] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"other purpose": func() ([]byte, error) { return k.Open(sealed, "requeue", "ehr.note", "7") },
		"other row":     func() ([]byte, error) { return k.Open(sealed, "quarantine", "ehr.note", "8") },
		"other borders": func() ([]byte, error) { return k.Open(sealed, "quarantine", "ehr.note7") },
		"other key":     func() ([]byte, error) { return other.Open(sealed, "quarantine", "ehr.note", "7") },
		"changed":       func() ([]byte, error) { return k.Open(flipped, "quarantine", "ehr.note", "7") },
		"cut":           func() ([]byte, error) { return k.Open(sealed[:5], "quarantine", "ehr.note", "7") },
		"empty":         func() ([]byte, error) { return k.Open(nil, "quarantine", "ehr.note", "7") },
	} {
		if _, err := open(); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestSealHidesLengths(t *testing.T) {
	k := testKey(t)
	lengths := map[int]bool{}
	for n := range 5000 {
		plain := bytes.Repeat([]byte{0}, n) // zeros are what is padded with
		sealed := k.Seal(plain, "test")
		lengths[len(sealed)] = true
		opened, err := k.Open(sealed, "test")
		if err != nil || !bytes.Equal(opened, plain) {
			t.Fatalf("%d bytes: %d came back, %v", n, len(opened), err)
		}
		if n > padLeast && len(sealed) > 2*n+padLeast {
			t.Fatalf("%d bytes take %d", n, len(sealed))
		}
	}
	if len(lengths) > 12 {
		t.Errorf("5000 lengths are of %d different ones when sealed", len(lengths))
	}
}

func BenchmarkSeal(b *testing.B) {
	k := testKey(b)
	for b.Loop() {
		k.Seal([]byte("Hamilton"), "surrogate", "4711", "name", "0123456789abcdef")
	}
}
