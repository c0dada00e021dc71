package onnx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// put writes an empty file with its folders.
func put(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindBeside(t *testing.T) {
	for _, place := range []string{"bin", "lib/pgdeid"} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		program := put(t, filepath.Join(root, "bin/pgdeid"))
		if _, err := findBeside(program); !errors.Is(err, ErrNotFound) {
			t.Errorf("nothing there: %v", err)
		}
		want := put(t, filepath.Join(root, place, LibraryName()))
		link := filepath.Join(t.TempDir(), "pgdeid")
		if err := os.Symlink(program, link); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{program, link} {
			if got, err := findBeside(from); got != want || err != nil {
				t.Errorf("from %s: %q, %v, want %q", from, got, err, want)
			}
		}
	}
}

func TestFindLibraryByEnvironment(t *testing.T) {
	want := put(t, filepath.Join(t.TempDir(), "lib.so"))
	t.Setenv(LibraryEnv, want)
	if got, err := FindLibrary(); got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	t.Setenv(LibraryEnv, want+".absent")
	if got, err := FindLibrary(); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %q, %v", got, err)
	}
}
