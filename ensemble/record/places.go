package record

import (
	"bytes"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// phrase finds the longest phrase of the gazetteer that begins with word i. A line may
// end within it.
func (m *matcher) phrase(i int) int {
	h := uint64(fnv64Offset)
	best, found := 0, gazPhrase{}
	for j, n := i, 0; j < len(m.toks) && n < m.g.longest; j++ {
		if m.toks[j].Kind == text.Punct {
			if m.past(j, ".,&-'") == j {
				break
			}
			continue
		}
		h = pairKey(h, m.keyOf(j))
		n++
		if p, ok := m.g.phrases[h]; ok {
			best, found = j+1, p
		}
	}
	return m.endPhrase(i, best, found)
}

// numberedPlace looks for a phrase or a street that begins with the number i: "1 West", a ward, or "5th Ave".
func (m *matcher) numberedPlace(i int) int {
	bits := m.g.words.get(text.KeyOf(m.tok(i))).bits
	end := 0
	if bits&wStreet != 0 {
		end = m.street(i, true)
	}
	if end == 0 && bits&wPhrase != 0 {
		end = m.phrase(i)
	}
	return end
}

// street finds a street of the gazetteer whose name begins with word i, with its
// number or without.
func (m *matcher) street(i int, numbered bool) int {
	from, key := i, m.keyOf(i)
	if numbered {
		from, key = m.streetNumber(i, key)
		if from == i {
			return 0
		}
	}
	for n := range m.g.streets[key] {
		m.steps++
		end := m.streetAt(from, i, &m.g.streets[key][n])
		if end > 0 {
			return end
		}
	}
	return 0
}

// streetNumber returns the token at which the number of a street begins before its first word i, over a compass
// point, and the key of both: "4/118-A", "220 1/2". It returns i if the record has no such number there.
func (m *matcher) streetNumber(i int, word uint64) (int, uint64) {
	const most = 7 // tokens
	to := i
	for k := i - 1; k >= i-2 && m.class(k)&isCompass != 0 || m.punct(k) == '.' && k == i-1; k-- {
		to = k
	}
	from := to
	for from > 0 && from > to-most && m.near(from) && (m.isNumber(from-1) || m.single(from-1) || m.past(from-1, "/-") == from) {
		from--
	}
	for ; from < to; from++ {
		if m.toks[from].Kind == text.Punct {
			continue
		}
		h := newIdentHash()
		for k := from; k < to; k++ {
			h.write(m.tok(k))
		}
		if key := pairKey(h.hash, word); len(m.g.streets[key]) > 0 {
			return from, key
		}
	}
	return i, 0
}

// streetAt matches a street whose first word is i, and which begins at token from with
// its number where that differs.
func (m *matcher) streetAt(from, i int, s *gazStreet) int {
	number := from < i
	end, matched := i+1, 1
	for matched < len(s.words) {
		j := m.past(end, ".-")
		if m.isOrdinal(j) {
			j++
		}
		if !m.has(j) || m.toks[j].Kind == text.Punct || !m.streetWord(j, s.words[matched], matched == len(s.words)-1, number) {
			break
		}
		matched++
		end = j + 1
	}
	full := matched == len(s.words) && matched > 1
	if !number && (!full || m.toks[i].Case == text.Lower && m.toks[end-1].Kind != text.Number) {
		return 0
	}
	if number && matched < len(s.words) && matched < 2 && len(s.words) > 2 {
		return 0
	}
	if s.compass && matched == len(s.words) {
		end = m.compassBehind(end)
	}
	unit := m.unit(end, s)
	if number && unit == end {
		from = m.unitBefore(from, s)
	}
	return m.emit(from, unit, phi.Street, number)
}

// isOrdinal reports whether token i is the "th" of "5th", or what a scanner made of it.
func (m *matcher) isOrdinal(i int) bool {
	return m.isWord(i) && m.glued(i) && m.isNumber(i-1) && m.toks[i].End-m.toks[i].Start == len("th")
}

// compassBehind takes in the point of the compass behind a street: "Cedar Ave S", "Cedar Ave. S.W.".
func (m *matcher) compassBehind(end int) int {
	for j := m.past(end, "."); m.near(j) && m.class(j)&isCompass != 0; j = m.past(end, ".") {
		end = j + 1
	}
	return end
}

// streetWord compares the word j with one of the street's; the last may be a
// type in another spelling: "St" for "Street".
func (m *matcher) streetWord(j int, want uint64, last, number bool) bool {
	if m.keyOf(j) == want {
		return true
	}
	if !last || !m.isWord(j) {
		return false
	}
	return (number || m.toks[j].Case != text.Lower) && m.class(j)&isStreetType != 0 || number && looksLikeStreetType(m.tok(j))
}

// streetTypes are the skeletons of kinds of streets.
var streetTypes = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, w := range lexicon.Words("record/street-types") {
		set[string(alike().skeleton(nil, []byte(w), false))] = true
	}
	return set
})

// looksLikeStreetType reports whether a scanner may have taken a kind of street for the word: "PI" for "Pl".
func looksLikeStreetType(word string) bool {
	return streetTypes()[string(alike().skeleton(nil, []byte(lexicon.Fold(word)), false))]
}

// unit takes in the apartment after a street.
func (m *matcher) unit(end int, s *gazStreet) int {
	if s.unit == "" {
		return end
	}
	j := end
	for k := 0; k < 4 && m.near(j); k++ {
		if m.isWord(j) && !m.single(j) && m.class(j)&isApartment == 0 && m.known(j) { // what is no word may be "Unit", misread
			break
		}
		if m.toks[j].Kind != text.Punct && m.endsLike(j, s.unit) {
			return j + 1
		}
		j++
	}
	return end
}

// unitBefore takes in the unit in front of a street at token i: "Unit #5, 77 Alder St", "5/77 Alder St".
func (m *matcher) unitBefore(i int, s *gazStreet) int {
	j := m.before(i, ",/-")
	if s.unit == "" || !m.near(i) || !m.isNumber(j) && !m.single(j) || !m.endsLike(j, s.unit) {
		return i
	}
	for m.glued(j) && (m.isNumber(j-1) || m.single(j-1)) { // "2B"
		j--
	}
	k := m.before(j, "#")
	if n := len(m.out); n > 0 && m.out[n-1].End > m.toks[k+1].Start {
		return i // of the address before
	}
	switch {
	case m.isWord(k) && (m.keys[k] == s.front || m.class(k)&isApartment != 0):
		return k
	case k < j-1, m.glued(i) && m.punct(i-1) != ',':
		return k + 1
	}
	return i
}

// endsLike reports whether token j ends with the letters or digits of a unit.
func (m *matcher) endsLike(j int, unit string) bool {
	written := lexicon.Fold(m.text[m.toks[j].Start:m.toks[j].End])
	a := alike()
	return bytes.HasSuffix(a.skeleton(nil, []byte(written), false), a.skeleton(nil, []byte(unit), false))
}
