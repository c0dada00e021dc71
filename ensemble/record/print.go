package record

import (
	"fmt"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (*builder) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "builder[redacted]") }

// Format prints the name of the type.
func (gazStreet) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "gazStreet[redacted]") }

// Format prints the name of the type.
func (*gluedWord) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "gluedWord[redacted]") }

// Format prints the name of the type.
func (*matcher) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "matcher[redacted]") }

// Format prints the name of the type.
func (nearWord) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "nearWord[redacted]") }

// Format prints the name of the type.
func (nearWords) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "nearWords[redacted]") }

// Format prints the name of the type.
func (person) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "person[redacted]") }

// Format prints the name of the type.
func (*reader) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "reader[redacted]") }

// Format prints the name of the type.
func (reading) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "reading[redacted]") }

// Format prints the name of the type.
func (saidPiece) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "saidPiece[redacted]") }
