package admin

import (
	"fmt"
	"log/slog"
)

// What holds a row, a key of the source, a record or a surrogate prints itself redacted.

// Format prints nothing of what it holds.
func (quarantinedRow) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "quarantinedrow[redacted]") }

// Format prints nothing of what it holds.
func (marked) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "marked[redacted]") }

// Format prints nothing of what it holds.
func (token) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "token[redacted]") }

// Format prints nothing of what it holds.
func (doubted) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "doubted[redacted]") }

// Format prints nothing of what it holds.
func (findings) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "findings[redacted]") }

// Format prints nothing of what it holds.
func (notePosition) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "noteposition[redacted]") }

// LogValue is what Format prints.
func (notePosition) LogValue() slog.Value { return slog.StringValue("noteposition[redacted]") }

// Format prints nothing of what it holds.
func (*purge) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "purge[redacted]") }
