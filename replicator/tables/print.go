package tables

import (
	"fmt"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (*call) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "call[redacted]") }

// Format prints the name of the type.
func (*request) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "request[redacted]") }
