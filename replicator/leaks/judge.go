package leaks

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// verdict is what a word of the record in a published value is.
type verdict int

const (
	leak   verdict = iota
	madeUp         // it is in what took the place of something else, and like it by chance
	kept           // the mapping publishes what the column tells as it is
)

// hit is a word of a patient's record in a published value.
type hit struct {
	phi.Redacted

	column  *column
	row     string // key of the row, as in the vault
	word    string
	at      phi.Range
	value   string // in which it was found
	raw     string // what is published: of a document, value is what a person reads of it
	patient string
}

// made is what the vault knows of the texts of some patients.
type made struct {
	phi.Redacted

	words map[string]map[string]bool // of surrogates, by pseudonym
	spans map[textKey][]phi.Range    // of surrogates in plain texts, in code points
}

// textKey names a published text.
type textKey struct{ table, column, row string }

func newMade() *made {
	return &made{words: map[string]map[string]bool{}, spans: map[textKey][]phi.Range{}}
}

// addEntry takes in a surrogate of a patient.
func (m *made) addEntry(patient string, e surrogate.Entry) {
	if m.words[patient] == nil {
		m.words[patient] = map[string]bool{}
	}
	for _, word := range wordsOf(e.Surrogate) {
		m.words[patient][word] = true
	}
}

// judge says what a hit is.
func (m *made) judge(h *hit) verdict {
	switch {
	case h.column.kept:
		return kept
	case h.column.text && (m.inSpan(h) || m.inDocument(h)):
		return madeUp
	case !h.column.text && Ordinary(h.word):
		return madeUp
	}
	words := wordsOf(h.word)
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !m.words[h.patient][w] }) {
		return madeUp
	}
	return leak
}

// inSpan reports whether a hit in a plain text is within what was put there.
func (m *made) inSpan(h *hit) bool {
	if !h.column.plain {
		return false
	}
	start := len([]rune(h.value[:h.at.Start]))
	end := start + len([]rune(h.value[h.at.Start:h.at.End]))
	return slices.ContainsFunc(m.spans[textKey{h.column.table.ID, h.column.name, h.row}], func(r phi.Range) bool {
		return r.Start <= start && end <= r.End
	})
}

// inDocument reports whether a hit in a document has no other words than what was put there has, such as moved dates.
func (m *made) inDocument(h *hit) bool {
	if h.column.plain || h.column.form.Wrapped() || h.raw == "" {
		return false
	}
	there, runes := map[string]bool{}, []rune(h.raw)
	for _, r := range m.spans[textKey{h.column.table.ID, h.column.name, h.row}] {
		if 0 <= r.Start && r.Start < r.End && r.End <= len(runes) {
			for _, word := range wordsOf(string(runes[r.Start:r.End])) {
				there[word] = true
			}
		}
	}
	words := wordsOf(h.word)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !there[w] })
}

// wordsOf returns the words of a text, folded.
func wordsOf(s string) []string {
	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n.,;:-_/()'\"@", r) })
	for i, f := range fields {
		fields[i] = lexicon.Fold(f)
	}
	return fields
}

// particles are words that surrogates share with their originals, since they keep
// the form: "De Los Santos" becomes "De Los Reyes", and a lane stays a lane.
var particles = strings.Fields("da de del della der di dela el la las los san st van von al bin abdul two little white " +
	"lane street court drive way place road circle terrace park hill square")

// Ordinary reports whether a word outside of notes identifies no one: a particle of names, or an ordinary word such as the "Street" in the
// made-up address of a Ms. Street.
func Ordinary(word string) bool {
	folded := lexicon.Fold(word)
	entry, _ := lexicon.LookupFolded(folded)
	return slices.Contains(particles, folded) || entry.Common > 0
}
