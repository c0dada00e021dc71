package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// endPhrase emits the phrase from i to end, if it is written like a name. One word that
// is also an ordinary one needs a capital that only a name has, or a state behind the town.
func (m *matcher) endPhrase(i, end int, p gazPhrase) int {
	placed := p.typ == phi.City && m.beforeState(i)
	switch {
	case end == 0:
		return 0
	case end > i+1:
		return m.emit(i, end, p.typ, true)
	case m.likeness(i) == doubtful && !placed || m.eponymUse(i):
		return 0
	case p.short && !m.stateHere(i), !p.short && !placed && !m.writtenAsName(i, p.level):
		return 0
	}
	return m.emit(i, end, p.typ, placed)
}

// writtenAsName reports whether word i, a phrase of the record, differs from an ordinary
// word by its case.
func (m *matcher) writtenAsName(i int, level uint8) bool {
	switch level {
	case onlyName:
		return true
	case alsoWord:
		return m.toks[i].Case != text.Lower
	}
	return m.toks[i].Case == text.Title && !m.begins(i)
}

// stateHere reports whether the state's abbreviation at i follows a place that was found or precedes a
// ZIP code. In lower case, and if it is a word too, it needs two of the place, a comma and a ZIP code:
// "palm coast fl 32137", "Ann West, PA-C", "AT HOME OR".
func (m *matcher) stateHere(i int) bool {
	zip, lower, comma := m.zip(i+1), m.lower(i), m.punct(i-1) == ','
	if zip && (!lower || comma) {
		return true
	}
	return m.foundBefore(m.before(i, ","), phi.ClassLocation) && (zip || comma || !lower && m.common(i) == 0)
}

// beforeState reports whether a state follows word i, its abbreviation behind a comma or before a ZIP code:
// "reading in bed".
func (m *matcher) beforeState(i int) bool {
	k := m.past(i+1, ",")
	return m.isWord(k) && m.sameLine(k) && m.entry(k).Is(lexicon.State) && (k > i+1 || len(m.tok(k)) > 2 || m.zip(k+1))
}
