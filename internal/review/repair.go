package review

import (
	"fmt"
	"log/slog"
	"time"
)

// Scope is how far a repair reaches.
type Scope string

// The scopes.
const (
	Here       Scope = "here"       // one place of one note
	Everywhere Scope = "everywhere" // words that are the patient's, in all of the patient's notes
)

// Repair is what a person had changed of what is published: it holds whenever the note is made anew, until somebody takes it
// back or the note's text is another one. It prints itself redacted.
type Repair struct {
	ID      int64
	Scope   Scope
	Note    Note
	NoteID  []byte // [Hashes.Note] of the note
	Patient string // pseudonym
	By      string
	At      time.Time
	Void    bool   // it has no effect, as the text has changed since
	TakenBy string // who took it back; "": it counts
	TakenAt time.Time

	Mark      Mark
	Text      []byte   // [Hashes.Text] of the text that was read
	SourceKey string   // of the patient, in the source
	Key       []string // of the note, in the source
	Words     [][]byte // with [Everywhere]: hashes of words of the patient's record that came with it
}

// Format prints the repair's number, and nothing of the note.
func (r Repair) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "repair[%d %s]", r.ID, r.Scope) }

// LogValue is what Format prints.
func (r Repair) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(r)) }

// RepairState says whether a repair had an effect when its note was made anew.
type RepairState struct {
	ID   int64
	Void bool
}

// Repairable reports whether the mark says something else than what was found, so that there is something to repair.
func (m *Mark) Repairable() bool { return m.Verdict != Right }
