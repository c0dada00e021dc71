package document

import (
	"bytes"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/cda"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/json"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/rtf"
)

// What is said of values of JSON documents.
type (
	// Path names values of JSON documents.
	Path = json.Path
	// Treatment says what is done with the values that a path names.
	Treatment = json.Treatment
	// Converter writes a value anew.
	Converter = json.Converter
	// Known reports whether a string is one that is public.
	Known = json.Known
)

// Treatments.
const (
	Show     = json.Show
	Keep     = json.Keep
	LeaveOut = json.LeaveOut
	Convert  = json.Convert
	Open     = json.Open
)

// Member splits a path that ends with the member of an object: $.address[*].city is "city" of $.address[*].
func Member(path string) (object, name string, ok bool) { return json.Member(path) }

// Selection says which values of JSON documents are published, by their paths, and of which formats the documents in their strings are.
type Selection struct{ json.Selection }

// Select returns the selection of paths. None may lead through another.
func Select(paths []Path) (*Selection, error) {
	s, err := json.Select(paths)
	if err != nil {
		return nil, err
	}
	return &Selection{*s}, nil
}

// Parse reads a JSON document of which the selection is published. Without convert, what a converter would write anew stays
// as it is.
func (s *Selection) Parse(data []byte, convert Converter) (*Document, error) {
	return parts.Parse(JSON, data, func(b *parts.Builder) error { return s.Read(b, convert, openString) })
}

// openString reads the document in a string of JSON. One that is no text, such as a picture, is left out where the mapping does
// not say what it is.
func openString(path *Path, text []byte, member func(string) string) (doc *Document, coding encoding.Coding, ok bool, err error) {
	format, chain, ok := held(path, member)
	if !ok {
		return nil, coding, false, nil
	}
	data, coding, err := encoding.Decode(chain, text)
	if err != nil {
		return nil, coding, false, err
	}
	if path.Format == MediaType && format == XML && cda.Begins(data) {
		format = CDA
	}
	if format == Auto && !legible(data) {
		return nil, coding, false, nil
	}
	doc, err = Parse(format, data)
	return doc, coding, err == nil, err
}

// held returns the format and the encoding of the documents that a path names; false for one of a kind that is not read.
func held(path *Path, member func(string) string) (Format, encoding.Encoding, bool) {
	format, chain := path.Format, path.Encoding
	if format == "" {
		format = Plain
	}
	if chain == "" {
		chain = encoding.None
	}
	if format != MediaType {
		return format, chain, true
	}
	format, charset, ok := mediaFormat(member("contentType"))
	return format, chain.Then(charset), ok
}

// legible reports whether a document can be text of some kind: not a picture, a scan or an archive.
func legible(data []byte) bool {
	return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 || rtf.Begins(data)
}
