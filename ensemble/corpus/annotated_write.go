package corpus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// AnnotatedWriter writes marked documents.
type AnnotatedWriter interface {
	Write(doc Annotated) error
	Close() error
}

// NewAnnotatedWriter returns a writer to path: a new file for JSON Lines, otherwise a folder,
// created if missing, with files named by the documents' ids. Existing files are never
// overwritten. Files are readable only by their owner, as they contain PHI.
//
// XML needs the class of each label, which labels provides. i2b2 2006 cannot be written.
func NewAnnotatedWriter(path string, format Format, labels Labels) (AnnotatedWriter, error) {
	switch format {
	case JSONLines:
		file, err := createNew(path)
		if err != nil {
			return nil, err
		}
		return &lineWriter{out: bufio.NewWriter(file), file: file}, nil
	case I2B2, BRAT:
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
		return &folderWriter{root: path, format: format, labels: labels}, nil
	}
	return nil, fmt.Errorf("%s can be read and not written: choose %s, %s or %s", format, I2B2, BRAT, JSONLines)
}

// NewMarkedLines returns a writer of JSON Lines. Close flushes it and does not close w.
func NewMarkedLines(w io.Writer) AnnotatedWriter { return &lineWriter{out: bufio.NewWriter(w)} }

// Copied counts the documents of [CopyAnnotated].
type Copied struct {
	Docs, Marks, Failed int
	PassedOver          int // annotations of the source that are not marks
}

// CopyAnnotated writes documents to w. It reports a document that cannot be read or written to
// failed and continues; any other error ends it.
func CopyAnnotated(ctx context.Context, w AnnotatedWriter, docs iter.Seq2[Annotated, error], failed func(error)) (Copied, error) {
	var n Copied
	for doc, err := range docs {
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		var bad *DocumentError
		var line *LineError
		if err == nil {
			err = w.Write(doc)
		}
		switch {
		case errors.As(err, &bad) || errors.As(err, &line):
			n.Failed++
			failed(err)
		case err != nil:
			return n, err
		default:
			n.Docs++
			n.Marks += len(doc.Marks)
			n.PassedOver += doc.PassedOver
		}
	}
	return n, nil
}

// createNew creates a file that must not exist, readable only by its owner.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

type lineWriter struct {
	out  *bufio.Writer
	file *os.File // nil if the caller's
}

func (w *lineWriter) Write(doc Annotated) error { return WriteMarkedLine(w.out, doc) }

func (w *lineWriter) Close() error {
	err := w.out.Flush()
	if w.file != nil {
		err = errors.Join(err, w.file.Close())
	}
	return err
}

// folderWriter writes one or two files per document.
type folderWriter struct {
	root   string
	format Format
	labels Labels
	count  int
}

func (w *folderWriter) Close() error { return nil }

func (w *folderWriter) Write(doc Annotated) error {
	w.count++
	base := filepath.Join(w.root, fileName(doc.ID, w.count))
	if err := os.MkdirAll(filepath.Dir(base), 0o700); err != nil {
		return err
	}
	if w.format == I2B2 {
		raw, err := FormatI2B2(doc, w.labels)
		if err != nil {
			return &DocumentError{base + ".xml", err}
		}
		return writeNew(base+".xml", raw)
	}
	ann, err := FormatBRAT(doc)
	if err != nil {
		return &DocumentError{base + ".ann", err}
	}
	if err := writeNew(base+".txt", []byte(doc.Text)); err != nil {
		return err
	}
	return writeNew(base+".ann", ann)
}

// fileName turns a document's ID into a file name that stays within its folder; slashes of an ID
// are folders. A document without ID is named by its number n.
func fileName(id string, n int) string {
	if id == "" {
		return fmt.Sprintf("document-%06d", n)
	}
	parts := strings.Split(id, "/")
	for i, p := range parts {
		if parts[i] = url.PathEscape(p); p == "" || p == "." || p == ".." {
			parts[i] = fmt.Sprintf("%%%02X", p)
		}
		if p == "" {
			parts[i] = "%"
		}
	}
	return filepath.Join(parts...)
}

func writeNew(path string, content []byte) error {
	file, err := createNew(path)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
