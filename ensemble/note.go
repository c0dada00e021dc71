package ensemble

import (
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Note is the text that is searched for PHI, with what is known of its patient.
// Its detectors share one [text.View], so a Note belongs to one goroutine at a time. It
// prints itself redacted.
type Note struct {
	// Text is valid UTF-8 without NUL; see [text.Check].
	Text string
	// Patient holds the identifiers of the note's patient, or nil.
	Patient *record.Gazetteer
	// Directory holds the names of staff and facilities of the site, or nil.
	Directory *record.Gazetteer
	// Known is what members that learned are given as features, or nil. [Ensemble.Vote]
	// sets it before it runs them.
	Known *Known

	view  *text.View
	memos map[any]any // see [Memo]
}

// View returns the note's text with its tokens and what is known of its words.
func (n *Note) View() *text.View {
	if n.view == nil {
		n.view = text.NewView(n.Text)
	}
	return n.view
}

// Format prints a note's length and never its text.
func (n *Note) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "note[%d bytes]", len(n.Text)) }

// LogValue keeps the text out of logs.
func (n *Note) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("note[%d bytes]", len(n.Text)))
}
