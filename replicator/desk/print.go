package desk

import (
	"fmt"
	"log/slog"
)

// Format prints that there is a question, and nothing of it.
func (Question) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "question[redacted]") }

// LogValue keeps texts and keys of patients out of logs.
func (Question) LogValue() slog.Value { return slog.StringValue("question[redacted]") }

// Format prints why there is no answer, and nothing of one.
func (a Answer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "answer[redacted %s]", a.Reason) }

// LogValue keeps texts out of logs.
func (a Answer) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(a)) }

// Format prints how many notes are named.
func (k NoteKeys) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "keys[%d redacted]", len(k.Keys))
}

// LogValue keeps keys of notes out of logs.
func (k NoteKeys) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(k)) }

// Format prints the table, and nothing of the note.
func (u *unit) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "note of %s", u.table.ID) }
