package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// ErrSum says that a model's folder is not what its sums describe.
var ErrSum = errors.New("the model is not the one that was verified")

// parityFile has sentences with the labels that the training code's network gives.
const parityFile = "parity.json"

// verifiedFolder reads files of which every byte was hashed before anything looks at
// them: the bytes that are checked are the bytes that are returned.
type verifiedFolder struct {
	files fs.FS
	sums  map[string]string // nil: unverified on purpose
	kept  map[string][]byte // files that were checked and will be read
	where string            // for messages
	used  hash.Hash         // of what was read and decides what the model says
}

// openFolder checks every file that the sums list, so that a folder which lost a file
// is refused even if nothing would have read it. The contents of the wanted ones are
// kept until they are read.
func openFolder(name string, files fs.FS, opts ModelOptions, wanted ...string) (*verifiedFolder, error) {
	f := &verifiedFolder{files: files, sums: opts.Sums, kept: map[string][]byte{}, where: "model " + name, used: sha256.New()}
	if opts.Folder != "" {
		f.where += " in " + opts.Folder
	}
	switch {
	case opts.Unverified && opts.Sums != nil:
		return nil, fmt.Errorf("%s: sums and unverified exclude each other", f.where)
	case opts.Unverified:
		return f, nil
	case opts.Sums == nil:
		return nil, fmt.Errorf("%s: no SHA-256 sums are given: list them, or say that it is unverified", f.where)
	}
	for _, file := range slices.Sorted(maps.Keys(f.sums)) {
		if err := f.check(file, slices.Contains(wanted, file)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// check hashes a file, and keeps it if it will be read.
func (f *verifiedFolder) check(file string, keep bool) error {
	if keep {
		data, err := fs.ReadFile(f.files, file)
		if err != nil {
			return f.fault(file, fmt.Errorf("%w: %w", ErrSum, err))
		}
		f.kept[file] = data
		sum := sha256.Sum256(data)
		return f.compare(file, sum[:])
	}
	in, err := f.files.Open(file)
	if err != nil {
		return f.fault(file, fmt.Errorf("%w: %w", ErrSum, err))
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return f.fault(file, err)
	}
	return f.compare(file, h.Sum(nil))
}

// read returns a file's content, once.
func (f *verifiedFolder) read(file string) ([]byte, error) {
	if f.sums != nil {
		data, ok := f.kept[file]
		if !ok {
			return nil, f.fault(file, fmt.Errorf("%w: its SHA-256 is not listed", ErrSum))
		}
		delete(f.kept, file)
		f.use(file, data)
		return data, nil
	}
	data, err := fs.ReadFile(f.files, file)
	if err != nil {
		return nil, f.fault(file, err)
	}
	f.use(file, data)
	return data, nil
}

// use adds a file to what the model is made of. Files are read in one order.
func (f *verifiedFolder) use(file string, data []byte) {
	if file != parityFile {
		fmt.Fprintf(f.used, "%s %x\n", file, sha256.Sum256(data))
	}
}

// digest identifies a model of the files that were read, whose labels mean what labels says.
func (f *verifiedFolder) digest(labels map[string]phi.Type) digest {
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintf(f.used, "label %s %s\n", label, labels[label])
	}
	return digest(f.used.Sum(nil)[:len(digest{})])
}

// has reports whether a file may be read.
func (f *verifiedFolder) has(file string) bool {
	if f.sums != nil {
		_, ok := f.sums[file]
		return ok
	}
	info, err := fs.Stat(f.files, file)
	return err == nil && info.Mode().IsRegular()
}

// readFirst reads the first of some files that is there.
func (f *verifiedFolder) readFirst(files ...string) ([]byte, error) {
	for _, file := range files {
		if f.has(file) {
			return f.read(file)
		}
	}
	return f.read(files[0])
}

func (f *verifiedFolder) compare(file string, got []byte) error {
	if want := f.sums[file]; !strings.EqualFold(want, hex.EncodeToString(got)) {
		return f.fault(file, fmt.Errorf("%w: SHA-256 is %x, not %s", ErrSum, got, want))
	}
	return nil
}

func (f *verifiedFolder) fault(file string, err error) error {
	return fmt.Errorf("%s: %s: %w", f.where, file, err)
}
