package record

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// initials finds "JCS", "J.C.S." and, after a word for the patient, "JS".
func (m *matcher) initials(i int) int {
	if m.single(i) {
		return m.dottedInitials(i)
	}
	word := strings.ToLower(m.tok(i))
	whole := m.g.initial[word]
	known := whole || len(word) == 3 && m.g.initial[word[:1]+word[2:]]
	if !known || m.glued(i) && i > 0 && m.punct(i-1) != '(' || m.inHeading(i) {
		return 0
	}
	if m.initialsOfPatient(i) && (m.cases != text.OnlyUpper || m.common(i) < frequentWord) {
		return m.emit(i, i+1, phi.Patient, true)
	}
	e := m.entry(i)
	isWord := e.Capital > 0 || e.Common > 0 || e.Is(lexicon.Clinical|lexicon.State)
	switch {
	case isWord || len(word) == 2 || !whole:
		j := i - 1
		if m.punct(j) == ':' || m.punct(j) == '(' {
			j--
		}
		if m.toks[i].Case != text.Upper || !m.plays(j, text.RolePatientTag|text.RolePersonTitle) {
			return 0
		}
	case m.lower(i) && m.cases != text.OnlyUpper && !m.isSubject(i):
		return 0
	}
	return m.emit(i, i+1, phi.Patient, false)
}

// isSubject reports whether letters in lower case are where a sentence has its subject, or in brackets of
// their own.
func (m *matcher) isSubject(i int) bool {
	goesOn := m.punct(i+1) == ')' || m.isWord(i+1) && m.sameLine(i+1)
	return m.plays(i+1, text.RoleSubjectVerb) || m.begins(i) && goesOn
}

// initialsOfPatient reports whether letters that are the patient's initials are where only a name
// is, so that it does not matter that they mean a disease elsewhere:
// "Patient (TB) told", "Pt TB reports". What relatives have in brackets may be the
// disease.
func (m *matcher) initialsOfPatient(i int) bool {
	j, k := i-1, i+1
	enclosed := m.punct(j) == '(' && m.punct(k) == ')'
	if enclosed {
		j, k = j-1, k+1
	}
	if !m.plays(j, text.RolePatientTag) || m.plays(j, text.RoleKin) || !m.sameLine(i) {
		return false
	}
	return enclosed && m.toks[i].Case == text.Upper || m.plays(k, text.RoleSubjectVerb)
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
	whole := m.g.initial[string(letters)]
	if ends := string(letters[:1]) + string(letters[len(letters)-1:]); !whole && !m.g.initial[ends] {
		return 0
	}
	return m.emit(i, j, phi.Patient, whole && len(letters) > 2)
}

// isInitialOf reports whether token i is an initial written as the name at token
// name is: a capital, or any letter next to a name in lower case.
func (m *matcher) isInitialOf(i, name int) bool {
	return m.single(i) && (m.toks[i].Case == text.Upper || m.lower(name))
}

// leftInitials takes in "J. C." before the chain if one of them fits. In lower case
// "a" and "c" are words, and need a full stop or a name before them.
func (m *matcher) leftInitials(c *chain) {
	from := c.from
	for range 2 {
		j := from - 1
		dot := m.punct(j) == '.' && m.sameLine(from)
		if dot {
			j--
		}
		if !m.isInitialOf(j, c.first()) || m.lower(j) && !dot && !m.afterName(j) || !m.sameLine(j+1) || m.punct(j-1) == '\'' ||
			!dot && m.article(j, c) {
			return
		}
		from = j
		if bits := m.g.pairs[pairKey(m.keys[j].Hash, m.keys[c.first()].Hash)]; bits != 0 {
			c.from, c.paired, c.bits = from, true, bits
		} else if c.n > 1 && c.paired {
			return
		}
	}
}

// rightInitial takes in "J" of "Smith, J" and "Smith J.". Behind a name in full it may be on the
// next line.
func (m *matcher) rightInitial(c *chain) {
	j := c.to
	comma := m.punct(j) == ','
	if comma {
		j++
	}
	if !m.isInitialOf(j, c.first()) || m.punct(j+1) != '.' && m.article(j, c) {
		return
	}
	bits := m.pair(m.keys[j].Hash, m.keys[c.last()].Hash)
	switch {
	case !m.sameLine(j):
		if p := m.punct(j + 1); !c.paired || comma || bits == 0 || !m.nextLine(j) || m.glued(j+1) && p != '.' && p != ',' {
			return
		}
	case !comma && m.unknownInitial(c, j):
		c.to = j + 1
		return
	case bits == 0 || m.wordGoesOn(j) && (m.wordAt(j).bits&wIdent != 0 || m.likeness(j) != inPieces && !(c.paired && m.punct(j+1) == 0)) ||
		m.lower(j) && (!m.familyFirst(c) || comma):
		return
	}
	c.to, c.paired, c.bits = j+1, true, bits
}

// unknownInitial reports whether token j is a middle initial that the record does not hold, after a
// pair in capitals or behind the family name: "MOSS ANN Q", "Moss, Ann Q.". M and F may be the
// sex.
func (m *matcher) unknownInitial(c *chain, j int) bool {
	if !c.paired || !m.letter(j) || !m.toks[j].Space || m.tok(j) == "M" || m.tok(j) == "F" {
		return false
	}
	if m.familyFirst(c) {
		return !m.wordGoesOn(j)
	}
	return m.toks[c.first()].Case == text.Upper && !m.glued(j+1)
}

// article reports whether the letter j is the word "a" next to one that is ordinary, in a
// note in capitals: "A PAIN PUMP".
func (m *matcher) article(j int, c *chain) bool {
	return m.cases == text.OnlyUpper && m.tok(j) == "A" && c.n == 1 && m.wordAt(c.first()).level == ordinary
}

// wordGoesOn reports whether the letter j is part of something longer: "R.N.", "C/O",
// "T-shirt".
func (m *matcher) wordGoesOn(j int) bool {
	if !m.glued(j + 1) {
		return false
	}
	switch m.punct(j + 1) {
	case '.':
		return m.glued(j+2) && m.single(j+2)
	case 0, '-', '/', '\'', '&', '+', '@', '_':
		return true
	}
	return false
}

// familyFirst reports whether the chain begins with the family name, "long, ann", after which a
// single letter is a middle initial also in lower case.
func (m *matcher) familyFirst(c *chain) bool {
	return c.paired && c.comma && m.wordAt(c.first()).bits&wFamily != 0
}
