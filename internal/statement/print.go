package statement

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (Condition) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "condition[redacted]") }

// LogValue keeps texts out of logs.
func (Condition) LogValue() slog.Value { return slog.StringValue("condition[redacted]") }

// Format prints the name of the type.
func (Selection) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "selection[redacted]") }

// LogValue keeps texts out of logs.
func (Selection) LogValue() slog.Value { return slog.StringValue("selection[redacted]") }

// Format prints the name of the type.
func (Statement) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "statement[redacted]") }

// LogValue keeps texts out of logs.
func (Statement) LogValue() slog.Value { return slog.StringValue("statement[redacted]") }

// Format prints the name of the type.
func (Value) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "value[redacted]") }

// LogValue keeps texts out of logs.
func (Value) LogValue() slog.Value { return slog.StringValue("value[redacted]") }

// Format prints the name of the type.
func (*lexer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "lexer[redacted]") }

// Format prints the name of the type.
func (operand) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "operand[redacted]") }

// Format prints the name of the type.
func (*reader) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "reader[redacted]") }

// Format prints the name of the type.
func (token) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "token[redacted]") }
