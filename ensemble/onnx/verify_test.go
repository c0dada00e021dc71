package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVerify(t *testing.T) {
	path := filepath.Join(t.TempDir(), LibraryName())
	if err := os.WriteFile(path, []byte("another library"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(HashEnv, "")
	if err := verify(path); err == nil || !strings.Contains(err.Error(), HashEnv) {
		t.Errorf("an unknown library: %v", err)
	}
	sum := sha256.Sum256([]byte("another library"))
	t.Setenv(HashEnv, strings.ToUpper(hex.EncodeToString(sum[:])))
	if err := verify(path); err != nil {
		t.Errorf("the site's own build: %v", err)
	}
	if err := os.WriteFile(path, []byte("another library?"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := verify(path); err == nil {
		t.Error("it changed since its hash was set")
	}
	if err := verify(path + ".absent"); err == nil {
		t.Error("no library")
	}
}

func TestPinnedHashes(t *testing.T) {
	t.Setenv(HashEnv, "")
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/arm64"} {
		if raw, err := hex.DecodeString(wantedHash(system)); err != nil || len(raw) != sha256.Size {
			t.Errorf("%s: %q", system, wantedHash(system))
		}
	}
	if got := wantedHash("plan9/386"); got != "" {
		t.Errorf("plan9: %q", got)
	}
}
