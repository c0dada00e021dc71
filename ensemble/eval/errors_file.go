package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// ErrorFile collects the sentences with misses and false alarms of a run in a temporary file,
// readable only by its owner, which gets its final name when the run is complete. A nil ErrorFile
// discards them.
type ErrorFile struct {
	path  string
	force bool
	names func(phi.Votes) []string
	draft *os.File
	out   *bufio.Writer
	count int
}

// NewErrorFile starts a file; names, if not nil, returns the names of members. If the file exists,
// the error is [fs.ErrExist], unless force is true. The caller must call Close.
func NewErrorFile(path string, force bool, names func(phi.Votes) []string) (*ErrorFile, error) {
	if _, err := os.Lstat(path); !force && err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	draft, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return nil, err
	}
	return &ErrorFile{path: path, force: force, names: names, draft: draft, out: bufio.NewWriter(draft)}, nil
}

// Count returns the number of sentences in the finished file.
func (f *ErrorFile) Count() int { return f.count }

// Close removes the temporary file of a run that failed.
func (f *ErrorFile) Close() error {
	if f == nil {
		return nil
	}
	err := f.draft.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if rm := os.Remove(f.draft.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
		err = errors.Join(err, rm)
	}
	return err
}

func (f *ErrorFile) add(sentences []score.ErrorSentence) error {
	if f == nil {
		return nil
	}
	for _, s := range sentences {
		if err := writeSentence(f.out, s); err != nil {
			return err
		}
	}
	return nil
}

func writeSentence(w io.Writer, s score.ErrorSentence) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(s)
}

// finish removes the false alarms of classes that the gold does not mark, which are known only at
// the end, and gives the file its name.
func (f *ErrorFile) finish(unmarked []score.Class) error {
	if f == nil {
		return nil
	}
	if err := f.out.Flush(); err != nil {
		return err
	}
	if _, err := f.draft.Seek(0, io.SeekStart); err != nil {
		return err
	}
	final, err := os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+".*")
	if err != nil {
		return err
	}
	err = f.judge(final, unmarked)
	if err = errors.Join(err, final.Close()); err == nil {
		err = f.publish(final.Name())
	}
	if err != nil {
		return errors.Join(err, os.Remove(final.Name()))
	}
	return f.Close()
}

func (f *ErrorFile) judge(to io.Writer, unmarked []score.Class) error {
	dec, out := json.NewDecoder(bufio.NewReader(f.draft)), bufio.NewWriter(to)
	for {
		var s score.ErrorSentence
		if err := dec.Decode(&s); errors.Is(err, io.EOF) {
			return out.Flush()
		} else if err != nil {
			return fmt.Errorf("read %s again: %w", f.draft.Name(), corpus.JSONError(err))
		}
		s.False = slices.DeleteFunc(s.False, func(e score.ErrorSpan) bool {
			t, err := phi.ParseType(e.Type)
			class, ok := score.ClassOf(t)
			return err == nil && ok && has(unmarked, class)
		})
		if len(s.Missed)+len(s.False) == 0 {
			continue
		}
		f.count++
		if err := writeSentence(out, s); err != nil {
			return err
		}
	}
}

// publish gives a finished file its name. A link fails where a rename would overwrite a file
// created in the meantime.
func (f *ErrorFile) publish(finished string) error {
	if f.force {
		return os.Rename(finished, f.path)
	}
	if err := os.Link(finished, f.path); err != nil {
		return err
	}
	return os.Remove(finished)
}

func has(classes []score.Class, c score.Class) bool { return slices.Contains(classes, c) }
