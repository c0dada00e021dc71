package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/fault"
)

func TestKeyNewAndCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	t.Setenv(command.KeyFileEnv, path)
	out, _, err := runWords(t, "", "key", "new")
	if err != nil || !strings.Contains(out, path) {
		t.Fatalf("key new: %q, %v", out, err)
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err = runWords(t, "", "key", "check")
	if err != nil || !strings.Contains(out, "ok, epoch 1, check value ") {
		t.Errorf("key check: %q, %v", out, err)
	}
	_, base64, _ := strings.Cut(strings.TrimSpace(string(secret)), "key: ")
	if strings.Contains(out, base64) {
		t.Error("key check prints the key")
	}
	out, _, err = runWords(t, "", "key", "check", "--json", path)
	if err != nil || !strings.Contains(out, `"epoch":1`) {
		t.Errorf("key check --json: %q, %v", out, err)
	}
	if _, _, err = runWords(t, "", "key", "new", path); command.ExitCode(err) != command.ExitFailure {
		t.Errorf("key new over a key: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err = runWords(t, "", "key", "check", path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("key check of a file that all can read: %v", err)
	}
}

func TestKeyNeedsAPath(t *testing.T) {
	t.Setenv(command.KeyFileEnv, "")
	for _, words := range [][]string{{"key", "new"}, {"key", "check"}} {
		if _, _, err := runWords(t, "", words...); command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), command.KeyFileEnv) {
			t.Errorf("%v: %v", words, err)
		}
	}
	if _, _, err := runWords(t, `{"id":1,"text":"x"}`, "deid"); !strings.Contains(fault.Hint(err), "pgdeid key new") {
		t.Errorf("deid without a key: %v", err)
	}
}
