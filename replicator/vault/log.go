package vault

import (
	"fmt"
	"log/slog"
)

// A log in JSON takes exported fields as they are, so types with some of them say what of them is
// logged.

// Format prints the place of the text by its published names.
func (t MadeText) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "text[%s.%s]", t.Table, t.Column)
}

// Format prints the column, and nothing of the text.
func (t Text) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "text[%s]", t.Column) }

// Format prints the table and how many texts there are.
func (t Texts) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "texts[%s: %d written, %d updated, %d gone]", t.Table, len(t.Written), len(t.Updated), len(t.Gone))
}

// LogValue logs what Format prints.
func (s Surrogate) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(s)) }

// LogValue logs what Format prints.
func (s Shift) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(s)) }

// LogValue logs what Format prints.
func (q Quarantined) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(q)) }

// LogValue logs what Format prints.
func (o Origin) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(o)) }

// LogValue logs what Format prints.
func (n RowName) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(n)) }

// LogValue logs what Format prints.
func (t MadeText) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(t)) }

// LogValue logs what Format prints.
func (t Text) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(t)) }

// LogValue logs what Format prints.
func (t Texts) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(t)) }
