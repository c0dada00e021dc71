package plain

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (Date) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "date[redacted]") }

// Format prints the name of the type.
func (Partial) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "partial date[redacted]") }

// Format prints the name of the type.
func (Reference) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "reference[redacted]") }

// LogValue is what Format prints.
func (Reference) LogValue() slog.Value { return slog.StringValue("reference[redacted]") }
