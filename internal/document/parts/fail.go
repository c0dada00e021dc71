package parts

import (
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// nestedError says why a document in a string of another one can't be read.
type nestedError struct {
	at    error // where the string is
	cause error
}

// Within says that what can't be read is a document in a string, which is at a place.
func Within(at, cause error) error { return &nestedError{at, cause} }

// Error returns the place of the string and the reason.
func (e *nestedError) Error() string { return e.at.Error() + ": " + e.cause.Error() }

// Unwrap returns the reason.
func (e *nestedError) Unwrap() error { return e.cause }

// Reasons for which edits are refused.
var (
	errRange  = errors.New("an edit is not a range of the text, or borders lie within a character")
	errOrder  = errors.New("edits are not sorted, or overlap")
	errNoText = errors.New("an edit covers nothing of the document, only what is between its parts")
	errUTF8   = errors.New("the text of an edit is not UTF-8")
)

func unreadable(format Format, cause error) error {
	return fault.New(fmt.Sprintf("read a document as %s", format), cause,
		"the document is broken, or is of another format than its column says; it was not read in part")
}

func uneditable(cause error) error {
	return fault.New("replace text in a document", cause, "")
}
