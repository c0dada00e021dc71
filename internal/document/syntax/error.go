// Package syntax says why a document can't be read, whatever its format or encoding.
package syntax

import (
	"fmt"
)

// Error says why a document can't be read, and where. It holds nothing of the document's text.
type Error struct {
	Offset int    // in bytes
	Reason string // in the words of the format: "a comment without an end"
}

// Error returns the reason and the offset.
func (e *Error) Error() string { return fmt.Sprintf("%s, at byte %d", e.Reason, e.Offset) }
