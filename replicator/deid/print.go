package deid

import (
	"fmt"
	"log/slog"
)

// What holds a row, a key of the source or a surrogate prints itself redacted. Types of
// fields do not see to it: package fmt does not ask unexported fields how they print.

// Format prints the table and the reason, and nothing of the row.
func (it *Item) Format(f fmt.State, _ rune) {
	if it.Change == nil {
		_, _ = fmt.Fprint(f, "mark")
		return
	}
	_, _ = fmt.Fprintf(f, "item[%s %s]", it.Change.Table.ID, it.Reason)
}

// Format prints nothing of what it holds.
func (*Pipeline) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "pipeline[redacted]") }

// Format prints nothing of what it holds.
func (*Resolver) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "resolver[redacted]") }

// Format prints nothing of what it holds.
func (Resolved) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "resolved[redacted]") }

// Format prints nothing of what it holds.
func (Outcome) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "outcome[redacted]") }

// Format prints nothing of what it holds.
func (Cursor) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "cursor[redacted]") }

// LogValue is what Format prints.
func (it *Item) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(it)) }

// LogValue is what Format prints.
func (r Requeue) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(r)) }

// Format prints nothing of what it holds.
func (Request) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "request[redacted]") }

// LogValue is what Format prints.
func (Cursor) LogValue() slog.Value { return slog.StringValue("cursor[redacted]") }

// LogValue is what Format prints.
func (Outcome) LogValue() slog.Value { return slog.StringValue("outcome[redacted]") }

// LogValue is what Format prints.
func (Resolved) LogValue() slog.Value { return slog.StringValue("resolved[redacted]") }

// LogValue is what Format prints.
func (Request) LogValue() slog.Value { return slog.StringValue("request[redacted]") }

// Format prints how many lines the note has.
func (n *Note) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "note[%d lines]", len(n.lines)) }

// LogValue is what Format prints.
func (n *Note) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(n)) }

// Format prints nothing of what it holds.
func (line) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "line[redacted]") }

// Format prints nothing of what it holds.
func (Page) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "page[redacted]") }

// LogValue is what Format prints.
func (Page) LogValue() slog.Value { return slog.StringValue("page[redacted]") }

// Format prints nothing of what it holds.
func (gatheredNote) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "note[redacted]") }

// Format prints nothing of what it holds.
func (gathering) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "notes[redacted]") }

// Format prints nothing of what it holds.
func (wantedNote) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "note[redacted]") }
