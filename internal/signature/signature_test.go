package signature

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func newKey(t *testing.T) (path string, key Key) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "board")
	if err := NewKeyFile(path); err != nil {
		t.Fatal(err)
	}
	key, err := ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, key
}

func signed(t *testing.T, key Key, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := key.SignFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSign(t *testing.T) {
	t.Parallel()
	path, key := newKey(t)
	public, err := ReadPublicKey(path + PublicSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if public.Fingerprint() != key.Public().Fingerprint() || len(public.Fingerprint()) != 32 {
		t.Errorf("fingerprints %s and %s", public.Fingerprint(), key.Public().Fingerprint())
	}
	file := signed(t, key, "recall .99")
	if err := public.VerifyFile(file); err != nil {
		t.Error(err)
	}
	_, other := newKey(t)
	if err := other.Public().VerifyFile(file); !errors.Is(err, ErrChanged) {
		t.Errorf("another key: %v", err)
	}
	for name, change := range map[string]func() error{
		"a digit more":       func() error { return os.WriteFile(file, []byte("recall .999"), 0o600) },
		"another signature":  func() error { return os.WriteFile(file+SignatureSuffix, make([]byte, 64), 0o600) },
		"a short signature":  func() error { return os.WriteFile(file+SignatureSuffix, []byte("x"), 0o600) },
		"an empty signature": func() error { return os.WriteFile(file+SignatureSuffix, nil, 0o600) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := public.VerifyFile(file); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Remove(file + SignatureSuffix); err != nil {
		t.Fatal(err)
	}
	if err := public.VerifyFile(file); err == nil || !strings.Contains(err.Error(), "no signature") {
		t.Errorf("no signature: %v", err)
	}
}

func TestKeyFiles(t *testing.T) {
	t.Parallel()
	path, key := newKey(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := NewKeyFile(path); err == nil || !strings.Contains(err.Error(), "not overwritten") {
		t.Errorf("a second key: %v", err)
	}
	for _, s := range []string{fmt.Sprint(key), fmt.Sprintf("%+v %#v", key, key), key.LogValue().String()} {
		if !strings.Contains(s, "redacted") || strings.Contains(s, "{") {
			t.Errorf("%q", s)
		}
	}
	if _, err := ReadPublicKey(path); err == nil {
		t.Error("a secret key was taken for a public one")
	}
	if _, err := ReadKey(path + "x"); err == nil || !strings.Contains(err.Error(), "pgdeid key signing") {
		t.Errorf("no such file: %v", err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("open for others: %v", err)
	}
}

// TestHalfAKey has a public key of that name in the way: no secret key is left behind.
func TestHalfAKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "board")
	if err := os.WriteFile(path+PublicSuffix, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := NewKeyFile(path); err == nil {
		t.Error("a public key was written over")
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a secret key stays: %v", err)
	}
}

func TestBadKeyFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no PEM": "secret", "nothing in it": "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
		"another block": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "large": strings.Repeat("x", maxFile+1),
	} {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKey(file); err == nil || strings.Contains(err.Error(), "secret\n") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ReadPublicKey(file); err == nil {
			t.Errorf("%s was taken for a public key", name)
		}
	}
}

// TestOpenSSL checks a signature without this program.
func TestOpenSSL(t *testing.T) {
	t.Parallel()
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("there is no openssl")
	}
	path, key := newKey(t)
	file := signed(t, key, "recall .99")
	args := []string{"pkeyutl", "-verify", "-pubin", "-inkey", path + PublicSuffix, "-rawin", "-in", file, "-sigfile", file + SignatureSuffix}
	if out, err := exec.Command(openssl, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if err := os.WriteFile(file, []byte("recall .98"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(openssl, args...).Run(); err == nil {
		t.Error("openssl takes a changed report")
	}
}
