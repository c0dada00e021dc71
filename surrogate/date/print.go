package date

import (
	"fmt"
	"log/slog"
)

// Format prints the name of the type: dates and what surrounds them identify patients.
func (Text) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "date.Text[redacted]") }

// LogValue keeps texts out of logs.
func (Text) LogValue() slog.Value { return slog.StringValue("date.Text[redacted]") }

// Format prints the name of the type.
func (*scanner) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "scanner[redacted]") }
