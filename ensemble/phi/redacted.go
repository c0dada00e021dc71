package phi

import (
	"fmt"
	"log/slog"
)

// Redacted is embedded by struct types that hold texts of patients: whatever formats or logs a value of such a type prints
// "[redacted]". A type that may show a part of what it holds has methods of its own instead, which come before those that are
// promoted. A test of internal/redaction finds types that have neither. Encoders of JSON or XML do write such values.
type Redacted struct{}

// Format prints nothing of the value around it.
func (Redacted) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "[redacted]") }

// LogValue is what Format prints.
func (Redacted) LogValue() slog.Value { return slog.StringValue("[redacted]") }
