// Package documenttest checks what holds for the documents of every format.
package documenttest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// Format reads documents of a format.
type Format struct {
	Name parts.Format
	Read func(*parts.Builder) error
}

// Parse reads a document.
func (f Format) Parse(data []byte) (*parts.Document, error) { return parts.Parse(f.Name, data, f.Read) }

// Reads parses a document that must parse.
func (f Format) Reads(t testing.TB, input string) *parts.Document {
	t.Helper()
	d, err := f.Parse([]byte(input))
	if err != nil {
		t.Fatalf("%v: %q", err, input)
	}
	return d
}

// Replaced returns a document with edits done, which must be possible.
func Replaced(t testing.TB, d *parts.Document, edits []parts.Edit) []byte {
	t.Helper()
	out, err := d.Replace(edits)
	if err != nil {
		t.Fatalf("%v (%d edits in %q)", err, len(edits), d.Raw())
	}
	return out
}

// Edit returns a document with a text in the place of another one, which must be in it.
func Edit(t testing.TB, d *parts.Document, old, text string) string {
	t.Helper()
	i := strings.Index(d.Text(), old)
	if i < 0 {
		t.Fatalf("%q is not in %q", old, d.Text())
	}
	return string(Replaced(t, d, []parts.Edit{{Begin: i, End: i + len(old), Text: text}}))
}

// WellFormed reports whether another parser of XML reads a document to its end.
func WellFormed(document []byte) bool {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		if _, err := decoder.Token(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
