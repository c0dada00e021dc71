package review

import (
	"fmt"
	"log/slog"
)

// View is a note as a person sees it who compares it with what the replica shows. It prints itself
// redacted.
type View struct {
	Patient   string // pseudonym; "" if of no patient
	Row       string // published primary key, a JSON array of texts
	Text      string // as the source has it, taken out of its document
	Spans     []Span // what the ensemble finds in Text now
	Published string // what the replica shows; "" if nothing
	Shown     []Span // surrogates in Published
	Absent    bool   // the replica does not have the note
	Aside     string // why it was set aside, or can't be searched; "" if neither
	Waiting   bool   // notes of the patient wait for being made anew
	Held      bool   // Published is kept back: it would tell what people found since the note's round was drawn
}

// Format prints whether the note was set aside, and nothing of it.
func (v View) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "view[redacted %s]", v.Aside) }

// LogValue is what Format prints.
func (v View) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(v)) }

// Refusal is an error that a reader may see: its words quote nothing of a note.
type Refusal struct{ Message, Hint string }

func (r *Refusal) Error() string { return r.Message }

// What keeps a person from seeing a note, or from having words of it remembered.
var (
	// ErrNoRole means that nobody said as which role of the source the person may read.
	ErrNoRole = &Refusal{
		"no role of the source is known for you, so no note can be read for you",
		"a steward gives you one with 'pgdeid review passwd --source-role', or for all with review.source_role",
	}
	// ErrRole means that the source refuses the role, or pgdeid the right to take it on.
	ErrRole = &Refusal{
		"the source does not let your role read this note",
		"a DBA of the source can grant it SELECT on the table, and grant the role itself to that of source.dsn",
	}
	// ErrGone means that the source has no such note, or hides it from the role by a policy of its rows.
	ErrGone = &Refusal{"the source has no such note, or does not show it to your role", "go on with the next one"}
	// ErrFormat means that the value is no document of its column's format.
	ErrFormat = &Refusal{
		"the note is no document of the format that the mapping says", "go on with the next one, and have the mapping corrected",
	}
	// ErrChanged means that the note is not what it was when it was opened.
	ErrChanged = &Refusal{"the note has changed since you opened it", "open it again"}
	// ErrTaken means that a repair does not count any more.
	ErrTaken = &Refusal{"that repair does not count any more", "open the note again"}
	// ErrKnown means that words are known of their patient already.
	ErrKnown = &Refusal{"these words are known of this patient already", "look whether the note is being made anew"}
	// ErrNotKept means that no word is long enough to be remembered of a patient.
	ErrNotKept = &Refusal{
		"words of fewer than three letters and numbers of fewer than four digits are not remembered",
		"mark what is around it too, or have the patient's record in the source say it",
	}
)
