package corpus

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (CodePoints) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "codePoints[redacted]") }

// Format prints the name of the type.
func (DeidLine) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "deidLine[redacted]") }

// LogValue keeps texts out of logs.
func (DeidLine) LogValue() slog.Value { return slog.StringValue("deidLine[redacted]") }

// String and GoString print the name of the type: Format is the name of a field.
func (Line) String() string { return "line[redacted]" }

// GoString does so for %#v.
func (Line) GoString() string { return "line[redacted]" }

// LogValue keeps texts out of logs.
func (Line) LogValue() slog.Value { return slog.StringValue("line[redacted]") }

// Format prints the name of the type.
func (annotatedLine) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "annotatedLine[redacted]") }

// Format prints the name of the type.
func (i2b2Tag) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "i2b2Tag[redacted]") }

// Format prints the name of the type.
func (markLine) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "markLine[redacted]") }

// Format prints the name of the type.
func (pipeJob) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "pipeJob[redacted]") }

// Format prints the name of the type.
func (result) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "result[redacted]") }

// Format prints the name of the type.
func (wordsLine) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "wordsLine[redacted]") }

// LogValue keeps texts out of logs.
func (annotatedLine) LogValue() slog.Value { return slog.StringValue("annotatedLine[redacted]") }

// LogValue keeps texts out of logs.
func (markLine) LogValue() slog.Value { return slog.StringValue("markLine[redacted]") }

// LogValue keeps texts out of logs.
func (wordsLine) LogValue() slog.Value { return slog.StringValue("wordsLine[redacted]") }
