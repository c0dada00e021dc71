package ensemble

import (
	mathbits "math/bits"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
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
	if end == 0 && (m.staff || rest.hash == 0) {
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

func (m *matcher) typeOf(bits wordBits) Type {
	if bits&wPatient != 0 {
		return Patient
	}
	return Doctor
}

// leastTypo is how many letters a name must have to be known with one of them
// wrong.
const leastTypo = 5

// likeName finds a name with a typing error, and initials.
func (m *matcher) likeName(i int) int {
	t := &m.toks[i]
	if t.Case == Upper && t.End-t.Start <= 3 {
		return m.initials(i)
	}
	if t.End-t.Start < leastTypo-1 {
		return 0
	}
	k := &m.keys[i]
	for n := range m.g.long {
		name := &m.g.long[n]
		if mathbits.OnesCount32(name.key.letters^k.letters) > 2 || name.key.hash == k.hash {
			continue
		}
		if m.typo(i, name) {
			return m.emit(i, i+1, m.typeOf(name.bits), false)
		}
	}
	return 0
}

// typo reports whether the word i is the name with one letter too many, too few,
// or wrong, or with two neighbours exchanged, and no word of its own.
func (m *matcher) typo(i int, name *longName) bool {
	word := m.tok(i)
	if d := len(word) - len(name.word); d < -2 || d > 2 || m.toks[i].Case == Lower && len(name.word) < leastTypo+2 {
		return false
	}
	word = lexicon.Fold(word)
	if !oneEdit(word, name.word) {
		return false
	}
	e, _ := lexicon.LookupFolded(word)
	return e.Common == 0 && e.Capital < 30 && !e.Is(lexicon.Clinical|lexicon.Eponym|lexicon.Job|lexicon.Org)
}

// oneEdit reports whether a and b, which differ, are one insertion, deletion,
// substitution or exchange of neighbours apart.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	// A rune of several bytes counts as one letter.
	for i > 0 && i < len(b) && !utf8.RuneStart(b[i]) {
		i--
	}
	ra, rb := []rune(a[i:]), []rune(b[i:])
	switch len(rb) - len(ra) {
	case 1:
		return string(ra) == string(rb[1:])
	case 0:
		if len(ra) == 0 {
			return false
		}
		if string(ra[1:]) == string(rb[1:]) {
			return true
		}
		return len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && string(ra[2:]) == string(rb[2:])
	}
	return false
}

// initials finds "JCS", "J.C.S." and, after a word for the patient, "JS".
func (m *matcher) initials(i int) int {
	word := strings.ToLower(m.tok(i))
	if len(word) == 1 {
		return m.dottedInitials(i)
	}
	known := m.g.initial[word]
	if !known && (len(word) != 3 || !m.g.initial[word[:1]+word[2:]]) || m.glued(i) && i > 0 && m.punct(i-1) != '(' ||
		m.inHeading(i) {
		return 0
	}
	if e, _ := lexicon.LookupFolded(word); e.Capital > 0 || e.Common > 0 || e.Is(lexicon.Clinical|lexicon.State) ||
		len(word) == 2 || !known {
		j := i - 1
		if m.punct(j) == ':' || m.punct(j) == '(' {
			j--
		}
		if !m.cue(j, cuePatientTag|cuePersonTitle) {
			return 0
		}
	}
	return m.emit(i, i+1, Patient, false)
}

func (m *matcher) dottedInitials(i int) int {
	var letters []byte
	j := i
	for len(letters) < 4 && m.letter(j) && len(m.tok(j)) == 1 && m.punct(j+1) == '.' && m.glued(j+1) && (j == i || m.sameLine(j)) {
		letters = append(letters, m.tok(j)[0]|0x20)
		j += 2
	}
	if len(letters) < 2 {
		return 0
	}
	if ends := string(letters[:1]) + string(letters[len(letters)-1:]); !m.g.initial[string(letters)] && !m.g.initial[ends] {
		return 0
	}
	return m.emit(i, j, Patient, false)
}
