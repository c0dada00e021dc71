package patient

import (
	"fmt"
	"log/slog"
)

// What holds a row, a key of the source, a record or a surrogate prints itself redacted.

// Format prints nothing of what it holds.
func (*Cache) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "cache[redacted]") }

// Format prints nothing of what it holds.
func (*Ledger) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "ledger[redacted]") }

// Format prints nothing of what it holds.
func (*slotOf) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "slotof[redacted]") }

// LogValue is what Format prints.
func (d *Directory) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(d)) }

// Format prints nothing of what it holds.
func (PathKey) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "pathkey[redacted]") }

// Format prints nothing of what it holds.
func (*Tally) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "tally[redacted]") }

// LogValue is what Format prints.
func (*Tally) LogValue() slog.Value { return slog.StringValue("tally[redacted]") }
