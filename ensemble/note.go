package ensemble

import (
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Note is the text that is searched for PHI, with what is known of its patient.
// What detectors share (tokens, sentences) is computed once, on first use, so a
// Note belongs to one goroutine at a time. It prints itself redacted.
type Note struct {
	// Text is valid UTF-8 without NUL; see [CheckText].
	Text string
	// Patient holds the identifiers of the note's patient, or nil.
	Patient *Gazetteer
	// Directory holds the names of staff and facilities of the site, or nil.
	Directory *Gazetteer
	// Known is what members that learned are given as features, or nil. [Ensemble.Vote]
	// sets it before it runs them.
	Known *Known

	tokens    []Token
	entries   []lexicon.Entry // of the tokens, see lexed.go
	cues      []cue           // of the tokens, beside entries
	keys      []key           // of the words, see gazetteer_key.go
	sentences []phi.Range
	memos     map[any]any // see [Memo]
}

// Format prints a note's length and never its text.
func (n *Note) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "note[%d bytes]", len(n.Text)) }

// LogValue keeps the text out of logs.
func (n *Note) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("note[%d bytes]", len(n.Text)))
}
