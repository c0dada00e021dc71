package ensemble

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Span is a half-open range of bytes [Start, End) of a note's text that holds
// PHI of one type.
type Span struct {
	Start, End int
	Type       Type
	// By tells which detectors of an Ensemble found the span, as a bit set over
	// their positions; [Ensemble.Names] spells it out. A Detector leaves it 0:
	// the ensemble fills it in.
	By Votes
	// Sure marks a span that must not be taken back by vocabulary or priority:
	// the patient's own record found it in a context that leaves no doubt.
	Sure bool
	// Tentative marks a span that counts only where a vote from another source
	// meets it, or where it goes on a name; see [Member.Model].
	Tentative bool
	// Score is the probability that the member gives the span, from 0 to 1; 0: it
	// can't say. Of several members it is the highest.
	Score float32
}

// Votes is a set of detectors: bit i stands for the ensemble's i-th member.
type Votes uint32

// Overlaps reports whether s and o share at least one byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// SortSpans orders spans by start and, where these are equal, longest first.
func SortSpans(spans []Span) {
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
}

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

	tokens    []Token
	entries   []lexicon.Entry // of the tokens, see lexed.go
	cues      []cue           // of the tokens, beside entries
	keys      []key           // of the words, see gazetteer_key.go
	sentences []Range
}

// Range is a half-open range of bytes.
type Range struct{ Start, End int }

// Format prints a note's length and never its text.
func (n *Note) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "note[%d bytes]", len(n.Text)) }

// LogValue keeps the text out of logs.
func (n *Note) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("note[%d bytes]", len(n.Text)))
}
