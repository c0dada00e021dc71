package pgwire

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (Answer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "answer[redacted]") }

// LogValue keeps texts out of logs.
func (Answer) LogValue() slog.Value { return slog.StringValue("answer[redacted]") }

// Format prints the name of the type.
func (Counts) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "counts[redacted]") }

// LogValue keeps texts out of logs.
func (Counts) LogValue() slog.Value { return slog.StringValue("counts[redacted]") }

// Format prints the name of the type.
func (*Query) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "query[redacted]") }

// LogValue keeps texts out of logs.
func (*Query) LogValue() slog.Value { return slog.StringValue("query[redacted]") }

// Format prints the name of the type.
func (*fixed) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "fixed[redacted]") }

// Format prints the name of the type.
func (inbox) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "inbox[redacted]") }

// Format prints the name of the type.
func (*portal) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "portal[redacted]") }

// Format prints the name of the type.
func (*prepared) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "prepared[redacted]") }

// Format prints the name of the type.
func (*result) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "result[redacted]") }

// Format prints the name of the type.
func (*returned) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "returned[redacted]") }

// Format prints the name of the type.
func (savepoint) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "savepoint[redacted]") }

// Format prints the name of the type.
func (*scan) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "scan[redacted]") }

// Format prints the name of the type.
func (*session) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "session[redacted]") }

// Format prints the name of the type.
func (*tally) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "tally[redacted]") }

// Format prints the name of the type.
func (transaction) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "transaction[redacted]") }
