package note

import (
	"github.com/pgdeid/pgdeid/internal/document"
)

// Values passes what a value in JSON holds at the paths of a selection, each with its path's rule. What can't be read holds
// nothing.
func (f Form) Values(value string, paths *document.Selection, each func(rule int, value string)) {
	data, err := f.bytes(value)
	if err != nil {
		return
	}
	if data, _, err = document.Decode(f.encoding(), data); err == nil {
		paths.Values(data, each)
	}
}
