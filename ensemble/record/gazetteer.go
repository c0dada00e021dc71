package record

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Gazetteer is a Record made ready for matching: of one patient, or of a whole
// site's staff and facilities. It is immutable and safe for concurrent use, and
// prints itself redacted.
type Gazetteer struct {
	record   Record
	words    map[uint64]gazWord     // by key: names, first words of phrases and streets
	own      ownNames               // what the patient was ever called
	pairs    map[uint64]wordBits    // given and family name of one other person, by pairKey
	idents   map[uint64]gazIdent    // by key of letters and digits without marks
	phrases  map[uint64]gazPhrase   // by key of the words
	streets  map[uint64][]gazStreet // by key of the first word, and of number and first word
	long     []longWord             // words long enough to be recognized with a typing error
	slips    lexicon.Slips          // finds them
	confused map[uint64]longWord    // words by the keys of what scanners take them for
	mails    lexicon.Slips          // letters and digits of e-mail addresses
	initial  map[string]bool
	births   map[birth]struct{} // with the year in full and in two digits
	filter   []uint64           // bit set over the keys that words holds
	longest  int                // words of the longest phrase
	// begins returns what names begin with, of what may be scattered; made on first use.
	begins func() *beginnings
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
	k := text.KeyOf(word)
	if w, ok := g.words[k.Hash]; ok && w.bits&^(wIdent|wBirth|wParticle|wPiece) != 0 {
		return true
	}
	_, ok := g.idents[identKey(word)]
	return ok
}

// Leaks returns the ranges of text where an identifier of the gazetteer is
// a word of its own, whatever its case, save ordinary words (a Mr. Long)
// without the context of a name, and however oddly it is written (see the package
// fold). It looks for names, numbers of five digits or
// more, e-mail addresses, user names and streets; not for dates and towns, which
// others may share and some profiles keep. It is cheap and runs over every output
// text.
func (g *Gazetteer) Leaks(s string) []phi.Range {
	if g == nil || len(g.record) == 0 {
		return nil
	}
	m := newMatcher(g, text.NewView(s), false)
	m.mustOnly = true
	m.run()
	odd, err := m.readOddly(context.Background())
	if err != nil { // of the context, which has none
		return []phi.Range{{Start: 0, End: len(s)}}
	}
	var out []phi.Range
	for _, leak := range joinSpans(m.out, odd.spans()) {
		out = append(out, phi.Range{Start: leak.Start, End: leak.End})
	}
	return out
}

// Format prints how many roles a gazetteer knows and no value.
func (g *Gazetteer) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "gazetteer[%d roles]", len(g.Record()))
}

// LogValue keeps the values out of logs.
func (g *Gazetteer) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("gazetteer[%d roles]", len(g.Record())))
}
