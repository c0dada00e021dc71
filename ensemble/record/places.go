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
		switch m.toks[j].Kind {
		case text.Word:
			h = pairKey(h, m.keys[j])
		case text.Number:
			h = pairKey(h, text.KeyOf(m.tok(j)))
		default:
			if c := m.punct(j); c != '.' && c != ',' && c != '&' && c != '-' && c != '\'' {
				return m.endPhrase(i, best, found)
			}
			continue
		}
		n++
		if p, ok := m.g.phrases[h]; ok {
			best, found = j+1, p
		}
	}
	return m.endPhrase(i, best, found)
}

// numberedPhrase looks for a phrase that begins with the number i: "1 West", a ward.
func (m *matcher) numberedPhrase(i int) int {
	h := text.KeyOf(m.tok(i))
	if m.g.words.get(h).bits&wPhrase == 0 {
		return 0
	}
	return m.phrase(i)
}

// street finds a street of the gazetteer whose name begins with word i, with its
// number or without.
func (m *matcher) street(i int, numbered bool) int {
	from, key := i, m.keys[i]
	if numbered {
		from = m.streetNumber(i)
		if from == i {
			return 0
		}
		key = numberedStreet(m.tok(from), key)
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

// streetNumber returns the token of the number before the street that begins with word
// i, over a compass point, or i.
func (m *matcher) streetNumber(i int) int {
	from := i
	for k := i - 1; k >= i-2 && m.class(k)&isCompass != 0 || m.punct(k) == '.' && k == i-1; k-- {
		from = k
	}
	if !m.isNumber(from-1) || !m.near(from) {
		return i
	}
	return from - 1
}

// streetAt matches a street whose first word is i, and which begins at token from with
// its number where that differs.
func (m *matcher) streetAt(from, i int, s *gazStreet) int {
	number := from < i
	end, matched := i+1, 1
	for matched < len(s.words) {
		j := end
		if m.punct(j) == '.' || m.punct(j) == '-' {
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
	return m.emit(from, m.unit(end, s), phi.Street, number)
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
	k := m.keys[j]
	if m.toks[j].Kind == text.Number {
		k = text.KeyOf(m.tok(j))
	}
	if k == want {
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
		if m.toks[j].Kind != text.Punct && m.endsLike(j, s.unit) {
			return j + 1
		}
		if m.isWord(j) && m.class(j)&isApartment == 0 && m.known(j) { // what is no word may be "Unit", misread
			break
		}
		j++
	}
	return end
}

// endsLike reports whether token j ends with the letters or digits of a unit.
func (m *matcher) endsLike(j int, unit string) bool {
	written := lexicon.Fold(m.text[m.toks[j].Start:m.toks[j].End])
	a := alike()
	return bytes.HasSuffix(a.skeleton(nil, []byte(written), false), a.skeleton(nil, []byte(unit), false))
}
