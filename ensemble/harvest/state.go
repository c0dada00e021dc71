package harvest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// state is how far Run has come. In pass 2 it is identified text.
type state struct {
	Of         string // [Options.essence]
	Pass       int    // 1 or 2
	After      string // where the next batch begins
	Notes      int64  // in this pass so far
	Total      int64  // known after pass 1
	Sketch     packedSketch
	Candidates map[string]*candidate
}

// magic begins a file with a state. The SHA-256 of what comes between is at its end.
const magic = "pgdeid harvest state 1\n"

var (
	errState = errors.New("it is no state of this version, or it is damaged")
	// ErrOtherState tells that a state is of another source, or of other options.
	ErrOtherState = errors.New("it was made from other notes or with other options")
)

// save puts a state in the place of the one before, at once and for good: whoever is
// killed at any moment leaves one of the two, whole. Only its owner may read it.
func (s *state) save(path string) error {
	return replaceFile(path, func(w io.Writer) error {
		h := sha256.New()
		if _, err := io.WriteString(w, magic); err != nil {
			return err
		}
		if err := gob.NewEncoder(io.MultiWriter(w, h)).Encode(s); err != nil {
			return err
		}
		_, err := w.Write(h.Sum(nil))
		return err
	})
}

// replaceFile writes a file beside path and gives it that name when it is on disk.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	draft, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, draft.Close(), os.Remove(draft.Name()))
		}
	}()
	out := bufio.NewWriterSize(draft, 1<<20)
	if err = write(out); err != nil {
		return err
	}
	if err = errors.Join(out.Flush(), draft.Sync()); err != nil {
		return err
	}
	if err = os.Rename(draft.Name(), path); err != nil {
		return err
	}
	return errors.Join(draft.Close(), syncFolder(filepath.Dir(path)))
}

// syncFolder makes a rename last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// loadState reads a state; nil if there is none.
func loadState(path, of string) (*state, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s, err := readState(file)
	if err == nil && s.Of != of {
		err = ErrOtherState
	}
	if err != nil {
		return nil, fmt.Errorf("state %s: %w", path, err)
	}
	return s, nil
}

func readState(file io.ReadSeeker) (*state, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	payload := size - int64(len(magic)) - sha256.Size
	if payload < 0 {
		return nil, errState
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	head, sum, h := make([]byte, len(magic)), make([]byte, sha256.Size), sha256.New()
	if _, err := io.ReadFull(file, head); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(h, file, payload); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(file, sum); err != nil {
		return nil, err
	}
	if string(head) != magic || !bytes.Equal(sum, h.Sum(nil)) {
		return nil, errState
	}
	if _, err := file.Seek(int64(len(magic)), io.SeekStart); err != nil {
		return nil, err
	}
	s := &state{}
	if err := gob.NewDecoder(bufio.NewReaderSize(io.LimitReader(file, payload), 1<<20)).Decode(s); err != nil {
		return nil, errState
	}
	if s.Candidates == nil {
		s.Candidates = map[string]*candidate{}
	}
	return s, nil
}
