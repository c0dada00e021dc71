package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// withoutModels has commands that detect do so without neural members, unless their
// words say which: most tests are about something else.
func withoutModels(words []string) []string {
	detects := len(words) > 0 && slices.Contains([]string{"detect", "deid", "eval"}, words[0])
	if !detects || slices.Contains(words, "--models") {
		return words
	}
	return append(slices.Clone(words), "--models", "fast")
}

// runWords runs the program with words and standard input.
func runWords(t *testing.T, stdin string, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(withoutModels(words))
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

func exitCodeOf(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	default:
		return exitFailure
	}
}

func TestKeyNewAndCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	t.Setenv(keyFileEnv, path)
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
	if _, _, err = runWords(t, "", "key", "new", path); exitCodeOf(err) != exitFailure {
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
	t.Setenv(keyFileEnv, "")
	for _, words := range [][]string{{"key", "new"}, {"key", "check"}} {
		if _, _, err := runWords(t, "", words...); exitCodeOf(err) != exitUsage || !strings.Contains(err.Error(), keyFileEnv) {
			t.Errorf("%v: %v", words, err)
		}
	}
	if _, _, err := runWords(t, `{"id":1,"text":"x"}`, "deid"); !strings.Contains(fault.Hint(err), "pgdeid key new") {
		t.Errorf("deid without a key: %v", err)
	}
}
