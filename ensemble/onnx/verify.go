package onnx

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// HashEnv names the environment variable with the SHA-256 of a site's own build of
// ONNX Runtime, which is then loaded instead of the one that this program knows.
const HashEnv = "PGDEID_ONNXRUNTIME_SHA256"

//go:embed runtime.txt
var pinned string

// wantedHash returns the SHA-256 of the library for a system such as "linux/amd64".
func wantedHash(system string) string {
	if own := os.Getenv(HashEnv); own != "" {
		return strings.ToLower(own)
	}
	for line := range strings.Lines(pinned) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == system {
			return f[2]
		}
	}
	return ""
}

// verify reads a library before any of its code runs: it sees every note.
func verify(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	got, want := hex.EncodeToString(sum.Sum(nil)), wantedHash(system)
	if got == want {
		return nil
	}
	if want == "" {
		want = "none for " + system
	}
	return fmt.Errorf("%s has the SHA-256 %s, and this program was made for %s: install the library that 'make native' fetches, "+
		"or set %s for a build of your own", path, got, want, HashEnv)
}
