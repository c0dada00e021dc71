package document

import (
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// SyntaxError says why a document can't be read, and where. It holds nothing of the document's text.
type SyntaxError struct {
	Offset int    // in bytes
	Reason string // in the words of the format: "a comment without an end"
}

// Error returns the reason and the offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s, at byte %d", e.Reason, e.Offset) }

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

func unknownFormat(format Format) error {
	return fault.New("read a document", fmt.Errorf("no format is called %q", string(format)), "see the formats of package document")
}

func uneditable(cause error) error {
	return fault.New("replace text in a document", cause, "")
}
