package corpus

import (
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// String and GoString print the name of the type: Format is the name of a field.
func (Line) String() string { return "line[redacted]" }

// GoString does so for %#v.
func (Line) GoString() string { return "line[redacted]" }

// LogValue keeps texts out of logs.
func (Line) LogValue() slog.Value { return slog.StringValue("line[redacted]") }
