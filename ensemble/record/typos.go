package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// apostropheName finds "O'Brien" and "D’Angelo" at their first letter: the
// gazetteer holds them in one word.
func (m *matcher) apostropheName(i int) int {
	w, ok := m.joined(i)
	if !ok || w.bits&wName == 0 {
		return 0
	}
	rest, end := m.keys[i+2], 0
	if m.wordAt(i+2).bits&wName != 0 {
		end = m.name(i + 2)
	}
	if end == 0 && (m.staff || rest.Hash == 0) {
		return 0
	}
	if end == 0 {
		return m.emit(i, i+3, m.typeOf(w.bits), true)
	}
	from := i
	if n := len(m.out); n > m.base && m.out[n-1].Start < m.toks[i].Start {
		return end
	}
	last := m.out[len(m.out)-1]
	return m.emit(from, max(end, from+3), last.Type, last.Sure)
}

func (m *matcher) typeOf(bits wordBits) phi.Type {
	if bits&wPatient != 0 {
		return phi.Patient
	}
	return phi.Doctor
}

// leastTypo is how many letters a name must have to be known with one of them
// wrong.
const leastTypo = 5

// likeName finds a name with a typing error, and initials.
func (m *matcher) likeName(i int) int {
	t := &m.toks[i]
	if t.End-t.Start <= 3 && (t.Case == text.Upper || t.Case == text.Lower && m.punct(i-1) == '(') {
		return m.initials(i)
	}
	if t.End-t.Start < leastTypo-1 {
		return 0
	}
	for _, near := range m.slips(i) {
		m.steps++
		name := &near
		if name.bits&wName != 0 && m.typo(i, name) {
			from, to := m.misspeltPair(i, name)
			if to-from > 1 {
				to = m.initialAfter(to, name)
			}
			return m.emit(from, to, m.typeOf(name.bits), to-from > 1)
		}
	}
	return 0
}

// slips returns the words of the record that the word i is a slip of the pen of, or a scanner's
// reading of.
func (m *matcher) slips(i int) []longWord {
	var buf [48]byte
	if low, ok := lexicon.LowerASCII(buf[:], m.tok(i)); ok {
		return m.g.near(low)
	}
	return m.g.near([]byte(lexicon.Fold(m.tok(i))))
}

// misspeltPair takes in the other half of a name next to the half with the typing error,
// whatever else it may mean: "Ashly Loud".
func (m *matcher) misspeltPair(i int, name *longWord) (from, to int) {
	j := i + 1
	if m.punct(j) == ',' {
		j++
	}
	if m.sameLine(j) && m.otherHalf(i, j, name) {
		return i, j + 1
	}
	j = i - 1
	if m.punct(j) == ',' {
		j--
	}
	if n := len(m.out); n > m.base && m.has(j) && m.out[n-1].Start < m.toks[j].Start && m.out[n-1].End > m.toks[j].Start {
		return i, i + 1 // found as part of something longer
	}
	if m.sameLine(i) && m.sameLine(j+1) && m.otherHalf(i, j, name) {
		return j, i + 1
	}
	return i, i + 1
}

// initialAfter takes in the middle initial behind a misspelt pair at token j.
func (m *matcher) initialAfter(j int, name *longWord) int {
	if !m.letter(j) || !m.sameLine(j) || m.wordGoesOn(j) {
		return j
	}
	if _, ok := m.pair(text.KeyOf(m.tok(j)).Hash, name.hash); !ok {
		return j
	}
	return j + 1
}

// otherHalf reports whether token j, written as the misspelt word i, is the other half
// of the name that the word is meant to be.
func (m *matcher) otherHalf(i, j int, name *longWord) bool {
	if !m.isWord(j) || m.toks[j].Case != m.toks[i].Case || m.keys[j].Hash == name.hash {
		return false
	}
	_, ok := m.pair(name.hash, m.keys[j].Hash)
	return ok
}

// typo reports whether the word i, a slip of the pen of the name, is no word of its own.
func (m *matcher) typo(i int, name *longWord) bool {
	word := m.tok(i)
	if m.toks[i].Case == text.Lower && len(name.word) < leastTypo+2 && !name.seen {
		return false
	}
	e, _ := lexicon.Lookup(word)
	return e.Common == 0 && e.Capital < 30 && !e.Is(lexicon.Clinical|lexicon.Eponym|lexicon.Job|lexicon.Org)
}
