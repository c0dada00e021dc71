package surrogate

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := NewKeyFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v: want 0600", info.Mode(), err)
	}
	first, err := ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadKey(path)
	if err != nil || !bytes.Equal(first.Check(), again.Check()) || first.Epoch() != 1 {
		t.Errorf("the key read twice is not the same: %v", err)
	}
	if err := NewKeyFile(path); err == nil || !strings.Contains(err.Error(), "not overwritten") {
		t.Errorf("a key file was overwritten: %v", err)
	}
	other := filepath.Join(t.TempDir(), "key")
	if err := NewKeyFile(other); err != nil {
		t.Fatal(err)
	}
	if k, err := ReadKey(other); err != nil || bytes.Equal(k.Check(), first.Check()) {
		t.Errorf("two new keys are equal: %v", err)
	}
}

func TestKeyOfTheNextEpoch(t *testing.T) {
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "3")}
	if err := NewKeyFile(paths[0]); err != nil {
		t.Fatal(err)
	}
	before, err := ReadKey(paths[0])
	for epoch := 2; epoch <= 3 && err == nil; epoch++ {
		if err = NextKeyFile(paths[epoch-1], before); err != nil {
			break
		}
		var next *Key
		if next, err = ReadKey(paths[epoch-1]); err == nil && (next.Epoch() != epoch || bytes.Equal(next.Check(), before.Check())) {
			t.Errorf("epoch %d after %d", next.Epoch(), before.Epoch())
		}
		before = next
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := NextKeyFile(paths[0], before); err == nil {
		t.Error("a key file was overwritten")
	}
}

func TestReadKeyRefuses(t *testing.T) {
	const good = "epoch: 1\nkey: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n"
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		want       string
	}{
		{"group", keyHeader + "\n" + good, 0o660, "chmod 600"},
		{"others", keyHeader + "\n" + good, 0o604, "chmod 600"},
		{"no header", good, 0o600, "first line"},
		{"empty", "", 0o600, "first line"},
		{"short", keyHeader + "\nepoch: 1\nkey: MDEy\n", 0o600, "32 random bytes"},
		{"zero", keyHeader + "\nepoch: 1\nkey: " + strings.Repeat("A", 43) + "=\n", 0o600, "32 random bytes"},
		{"not base64", keyHeader + "\nepoch: 1\nkey: %%%\n", 0o600, "line 3"},
		{"no epoch", keyHeader + "\nkey: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n", 0o600, "missing"},
		{"epoch 0", keyHeader + "\nepoch: 0\n", 0o600, "line 2"},
		{"two keys", keyHeader + "\n" + good + good, 0o600, "line 4"},
		{"huge", keyHeader + strings.Repeat("x", maxKeyFile), 0o600, "too many"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "key")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			_, err := ReadKey(path)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "MDEy") {
				t.Error("the error quotes the key")
			}
		})
	}
	if _, err := ReadKey(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "pgdeid key new") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := ReadKey(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("folder: %v", err)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := ReadKey(fifo); err == nil { // and does not wait for a writer
		t.Error("a FIFO was read as a key")
	}
}

func TestHMACBorders(t *testing.T) {
	k := testKey(t)
	seen := map[string]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}} {
		for _, purpose := range []string{"one", "two"} {
			h, name := string(k.HMAC(purpose, parts...)), fmt.Sprint(purpose, len(parts), parts)
			if was, dup := seen[h]; dup {
				t.Errorf("%s and %s have one hash", was, name)
			}
			seen[h] = name
		}
	}
}

func TestKeyPrintsRedacted(t *testing.T) {
	k := testKey(t)
	m := testMaker(t, Options{})
	b := testBook(t, "p", johnSmith(), 0)
	one(t, b, 1, "John")
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", k, "book", b)
	for _, out := range []string{
		fmt.Sprint(k), fmt.Sprintf("%v %+v %#v %s %x", k, k, k, k, k), fmt.Sprintf("%v %+v %#v", b, b, b), log.String(),
		fmt.Sprintf("%+v", struct{ K *Key }{k}), fmt.Sprintf("%v", m),
	} {
		if strings.Contains(out, "0123456789abcdef") || strings.Contains(out, "30313233") || strings.Contains(out, "48 49 50") {
			t.Errorf("the key shows in %q", out)
		}
	}
}

func TestWhoMayUseAKeyFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode         fs.FileMode
		mine, ofRoot bool // whether such a file is too open
	}{
		{0o600, false, false},
		{0o400, false, false},
		{0o440, true, false}, // credentials of systemd, secrets of Kubernetes
		{0o640, true, false},
		{0o660, true, true},
		{0o604, true, true},
		{0o444, true, true},
		{0o610, true, true},
	} {
		if tooOpen(c.mode, false) != c.mine || tooOpen(c.mode, true) != c.ofRoot {
			t.Errorf("mode %04o: mine %v, root's %v", c.mode, tooOpen(c.mode, false), tooOpen(c.mode, true))
		}
	}
}
