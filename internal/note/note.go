// Package note opens the values of columns with free text, finds the text that a person reads in them, and writes them anew
// with surrogates in it.
package note

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Form says what the values of a column are.
type Form struct {
	Format   document.Format     // "" is [document.Plain]
	Encoding encoding.Encoding   // "" is [encoding.None]
	Paths    *document.Selection // what of documents in JSON is published; nil for all
	Bytes    bool                // values are bytea, as PostgreSQL writes it: \x and hexadecimal digits
	Array    bool                // values are arrays of these, as PostgreSQL writes them
}

// FormOf returns the form of the values of a column of policy text that has type source.
func FormOf(c *config.Column, source string) Form {
	element, array := strings.CutSuffix(config.BaseType(source), "[]")
	return Form{Format: c.Format, Encoding: c.Encoding, Paths: c.Selection(), Bytes: element == "bytea", Array: array}
}

// NewForm returns the form of documents of a format and an encoding, as the configuration writes them; "" is the default.
func NewForm(format, chain string) (Form, error) {
	f := Form{Format: document.Format(format), Encoding: encoding.Encoding(chain)}
	if format != "" && !slices.Contains(config.Formats(), f.Format) {
		return Form{}, errors.New("unknown format")
	}
	if !f.Encoding.Valid() {
		return Form{}, errors.New("unknown encoding")
	}
	return f, nil
}

// Note is an open value. It holds PHI and prints itself redacted.
type Note struct {
	phi.Redacted

	form   Form
	file   bool               // it is no value of a database
	data   []byte             // the document
	value  string             // of plain text
	doc    *document.Document // nil for plain text
	coding encoding.Coding
}

// Written is a value with surrogates in it.
type Written struct {
	phi.Redacted

	Value string
	// Spans are the places of surrogates in Value: code points of text, and where Value is bytea or encoded, bytes of the
	// document in it.
	Spans []surrogate.Span
	// Null says that a row of a note holds no part of it any more: its value is NULL.
	Null bool
}

var (
	errBytes  = errors.New("the value is not bytea in hexadecimal digits")
	errOutput = errors.New("what was written does not read as the text that was checked")
)

// plain reports whether values are their own text.
func (f Form) plain() bool {
	return (f.Format == "" || f.Format == document.Plain) && !f.Wrapped() && !f.Array
}

// Wrapped reports whether the characters of a value are not those of its document.
func (f Form) Wrapped() bool {
	return f.Bytes || f.Encoding != "" && f.Encoding != encoding.None
}

// Open reads a value, of which what a converter would write anew stays. Its errors hold nothing of the value.
func (f Form) Open(value string) (*Note, error) { return f.OpenWith(value, nil) }

// OpenWith reads a value. convert writes anew what paths say is converted.
func (f Form) OpenWith(value string, convert document.Converter) (*Note, error) {
	if f.plain() {
		return &Note{form: f, value: value}, nil
	}
	if f.Array {
		return f.openArray(value, convert)
	}
	data, err := f.bytes(value)
	if err != nil {
		return nil, err
	}
	return f.open(data, false, convert)
}

// OpenFile reads what is in a file, whose spans count bytes of the document in it.
func (f Form) OpenFile(data []byte) (*Note, error) { return f.open(data, true, nil) }

func (f Form) open(data []byte, file bool, convert document.Converter) (*Note, error) {
	n := &Note{form: f, file: file}
	var err error
	if n.data, n.coding, err = encoding.Decode(f.encoding(), data); err != nil {
		return nil, err
	}
	if n.doc, err = f.parse(f.format(), n.data, convert); err != nil {
		return nil, err
	}
	return n, nil
}

func (f Form) parse(format document.Format, data []byte, convert document.Converter) (*document.Document, error) {
	if f.Array {
		return f.parseArray(data, convert)
	}
	if f.Paths != nil {
		return f.Paths.Parse(data, convert)
	}
	return document.Parse(format, data)
}

func (f Form) format() document.Format {
	if f.Format == "" {
		return document.Plain
	}
	return f.Format
}

func (f Form) encoding() encoding.Encoding {
	if f.Encoding == "" {
		return encoding.None
	}
	return f.Encoding
}

func (f Form) bytes(value string) ([]byte, error) {
	if !f.Bytes {
		return []byte(value), nil
	}
	digits, ok := strings.CutPrefix(value, `\x`)
	data, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, fault.New("read a bytea value", errBytes, "")
	}
	return data, nil
}

// countsBytes reports whether spans count bytes of the document, rather than code points of the value.
func (n *Note) countsBytes() bool { return n.file || n.form.Wrapped() }

// Text returns what a person reads.
func (n *Note) Text() string {
	if n.doc == nil {
		return n.value
	}
	return n.doc.Text()
}

// Withheld returns how many values are left out that paths name, since they are not what the mapping says.
func (n *Note) Withheld() int {
	if n.doc == nil {
		return 0
	}
	return n.doc.Withheld()
}

// Write puts what replaced parts of Text into the value. What comes out is read again: its text is the one that was checked
// for leaks.
func (n *Note) Write(res surrogate.Result) (Written, error) {
	if n.doc == nil {
		return Written{Value: res.Text, Spans: res.Spans}, nil
	}
	out, _, spans, err := n.replace(res, nil)
	if err != nil {
		return Written{}, err
	}
	value, err := n.close(out)
	return Written{Value: value, Spans: spans}, err
}

// replace returns the document with what replaced parts of its text, where places of it are then, and the spans in it. It is
// read again: its text is the one that was checked for leaks.
func (n *Note) replace(res surrogate.Result, places []int) (out []byte, moved []int, spans []surrogate.Span, err error) {
	out, moved, err = n.doc.ReplaceAt(edits(n.doc, res), places)
	if err != nil {
		return nil, nil, nil, err
	}
	again, err := n.form.parse(n.doc.Kind(), out, nil)
	if err != nil {
		return nil, nil, nil, fault.New("read what was written", err, "")
	}
	same, ok := align(res.Text, again.Text())
	if !ok {
		return nil, nil, nil, fault.New("write a document", errOutput, "")
	}
	return out, moved, n.spans(res, again, same, out), nil
}

// close wraps a document as the one that was opened.
func (n *Note) close(data []byte) (string, error) {
	data, err := n.coding.Encode(data)
	if err != nil {
		return "", err
	}
	if n.form.Bytes && !n.form.Array && !n.file {
		return `\x` + hex.EncodeToString(data), nil
	}
	return string(data), nil
}

// Unnamed returns the paths in a document in JSON that are left out, as the form's paths do not name them.
func (n *Note) Unnamed() []string {
	if n.form.Paths == nil || n.form.Array {
		return nil
	}
	return n.form.Paths.Unnamed(n.data)
}
