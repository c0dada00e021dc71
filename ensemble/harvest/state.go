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

// state is the progress of Run. In pass 2 it contains identified text.
type state struct {
	Of         string // [Options.essence]
	Pass       int    // 1 or 2
	After      string // position of the next batch
	Notes      int64  // in this pass so far
	Total      int64  // known after pass 1
	Sketch     packedSketch
	Candidates map[string]*candidate
}

// magic is the first line of a state file; its last bytes are the SHA-256 of the rest.
const magic = "pgdeid harvest state 1\n"

var (
	errState = errors.New("it is no state of this version, or it is damaged")
	// ErrOtherState means that a state belongs to another source or other options.
	ErrOtherState = errors.New("it was made from other notes or with other options")
)

// save atomically and durably replaces the previous state: a process killed at any moment leaves
// one of the two, complete. Only the owner can read it.
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

// replaceFile writes a temporary file in the folder of path and renames it when it is on disk.
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

// syncFolder makes a rename durable.
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
