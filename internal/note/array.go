package note

import (
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// element returns the form of the elements of arrays, without the quotes of the array. Bytes are unwrapped by their encoding.
func (f Form) element() Form {
	e := f
	e.Array, e.Bytes = false, false
	if f.Bytes {
		e.Encoding = encoding.Hex.Then(f.Encoding)
	}
	return e
}

// openArray reads a value that is an array.
func (f Form) openArray(value string, convert document.Converter) (*Note, error) {
	n := &Note{form: f, data: []byte(value)}
	var err error
	n.doc, err = f.parseArray(n.data, convert)
	return n, err
}

// parseArray reads an array of documents.
func (f Form) parseArray(data []byte, convert document.Converter) (*document.Document, error) {
	e := f.element()
	return document.ParseArray(data, func(element []byte) (*document.Document, encoding.Coding, error) {
		n, err := e.open(element, false, convert)
		if err != nil {
			return nil, encoding.Coding{}, err
		}
		return n.doc, n.coding, nil
	})
}

// nothing returns a document in which nothing is.
func (f Form) nothing() (*document.Document, encoding.Coding, error) {
	doc, err := document.Parse(document.Plain, nil)
	return doc, encoding.Coding{}, err
}
