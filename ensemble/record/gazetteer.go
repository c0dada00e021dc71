package record

import (
	"fmt"
	"log/slog"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Gazetteer is a Record made ready for matching: of one patient, or of a whole
// site's staff and facilities. It is immutable and safe for concurrent use, and
// prints itself redacted.
type Gazetteer struct {
	record  Record
	words   index[gazWord]         // names, words of phrases and streets, what identifiers begin with
	inside  heads                  // of those of words that may be glued to others
	pairs   map[uint64]wordBits    // given and family name of one person, by pairKey
	idents  map[uint64]gazIdent    // by key of letters and digits without marks
	phrases map[uint64]gazPhrase   // by key of the words
	streets map[uint64][]gazStreet // by key of the first word, and of number and first word
	near    nearWords              // words that are recognized with an error in them
	mails   nearWords              // letters and digits of e-mail addresses
	initial map[string]bool
	letters [utf8.RuneSelf]bool // that given names of the patient begin with
	births  map[birth]struct{}  // with the year in full and in two digits
	longest int                 // words of the longest phrase
	// longestIdent is how many letters and digits the longest identifier has.
	longestIdent int
	// begins returns the hashes of what words of the record begin with; made on first use.
	begins func() *index[bool]
}

// NewGazetteer compiles a record.
func NewGazetteer(rec Record) *Gazetteer {
	b := newBuilder(rec)
	for _, role := range roles {
		for _, value := range rec[role] {
			b.add(role, value)
		}
	}
	b.people()
	return b.finish()
}

// Record returns what the gazetteer was made from: read only.
func (g *Gazetteer) Record() Record {
	if g == nil {
		return nil
	}
	return g.record
}

// Holds reports whether word, folded as [lexicon.Fold] does, is a word or a
// number of any identifier in the gazetteer. Surrogates must not be such words.
func (g *Gazetteer) Holds(word string) bool {
	if g == nil || word == "" {
		return false
	}
	if g.words.get(text.KeyOf(word)).bits&(wName|wPhrase|wStreet) != 0 {
		return true
	}
	_, ok := g.idents[identKey(word)]
	return ok
}

// Format prints how many roles a gazetteer knows and no value.
func (g *Gazetteer) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "gazetteer[%d roles]", len(g.Record()))
}

// LogValue keeps the values out of logs.
func (g *Gazetteer) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("gazetteer[%d roles]", len(g.Record())))
}
