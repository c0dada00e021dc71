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

// Format prints nothing of the ids.
func (Merge) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "merge[redacted]") }

// LogValue is what Format prints.
func (Merge) LogValue() slog.Value { return slog.StringValue("merge[redacted]") }

// Format prints nothing of the ids.
func (Move) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "move[redacted]") }

// LogValue is what Format prints.
func (Move) LogValue() slog.Value { return slog.StringValue("move[redacted]") }

// Format prints nothing of the ids.
func (*Merges) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "merges[redacted]") }

// Format prints nothing of the row.
func (MergeRow) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "mergerow[redacted]") }

// LogValue is what Format prints.
func (MergeRow) LogValue() slog.Value { return slog.StringValue("mergerow[redacted]") }

// Format prints nothing of the patients.
func (out) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "out[redacted]") }

// Format prints nothing of what it holds.
func (*Register) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "register[redacted]") }

// LogValue is what Format prints.
func (*Register) LogValue() slog.Value { return slog.StringValue("register[redacted]") }
