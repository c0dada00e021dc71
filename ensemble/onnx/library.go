package onnx

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// LibraryEnv names the environment variable that says where ONNX Runtime's shared
// library is.
const LibraryEnv = "PGDEID_ONNXRUNTIME"

var (
	// ErrNotBuilt says that this program was built without the tag native.
	ErrNotBuilt = errors.New("built without native libraries: build it with 'make build'")
	// ErrNotFound says that ONNX Runtime was not found.
	ErrNotFound = errors.New("ONNX Runtime's library was not found: install it in the program's folder, or set " + LibraryEnv + " to its path")
)

// LibraryName returns the file name of ONNX Runtime's shared library on this system.
func LibraryName() string {
	if runtime.GOOS == "darwin" {
		return "libonnxruntime.1.dylib"
	}
	return "libonnxruntime.so.1"
}

// FindLibrary returns the path of ONNX Runtime's shared library: that of
// PGDEID_ONNXRUNTIME if set, else that in the program's folder, else in the folder "lib/pgdeid"
// of its installation. It returns [ErrNotFound] if none is there.
func FindLibrary() (string, error) {
	if path := os.Getenv(LibraryEnv); path != "" {
		if !isFile(path) {
			return "", ErrNotFound
		}
		return path, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return findBeside(program)
}

// findBeside looks around a program's path.
func findBeside(program string) (string, error) {
	if target, err := filepath.EvalSymlinks(program); err == nil {
		program = target
	}
	dir := filepath.Dir(program)
	for _, folder := range []string{dir, filepath.Join(dir, "../lib/pgdeid")} {
		if path := filepath.Join(folder, LibraryName()); isFile(path) {
			return path, nil
		}
	}
	return "", ErrNotFound
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
