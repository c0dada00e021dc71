package note

import (
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// Values passes what a value in JSON holds at the paths of a selection, each with its path's rule. What can't be read holds
// nothing.
func (f Form) Values(value string, paths *document.Selection, each func(rule int, value string)) {
	if f.Array {
		// What was read before the end of an array that is broken counts.
		_, _ = document.ParseArray([]byte(value), func(element []byte) (*document.Document, encoding.Coding, error) {
			f.element().valuesOf(element, paths, each)
			return f.nothing()
		})
		return
	}
	if data, err := f.bytes(value); err == nil {
		f.valuesOf(data, paths, each)
	}
}

func (f Form) valuesOf(data []byte, paths *document.Selection, each func(rule int, value string)) {
	if data, _, err := encoding.Decode(f.encoding(), data); err == nil {
		paths.Values(data, each)
	}
}
