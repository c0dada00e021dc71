package text

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (*View) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "view[redacted]") }

// LogValue keeps texts out of logs.
func (*View) LogValue() slog.Value { return slog.StringValue("view[redacted]") }
