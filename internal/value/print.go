package value

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (Datum) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "datum[redacted]") }

// LogValue keeps texts out of logs.
func (Datum) LogValue() slog.Value { return slog.StringValue("datum[redacted]") }
