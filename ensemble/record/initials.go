package record

import (
	"strings"

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
	switch {
	case !known || m.glued(i) && i > 0 && m.punct(i-1) != '(':
		return 0
	case m.initialsOfPatient(i):
		return m.emit(i, i+1, phi.Patient, true)
	case !whole || len(word) == 2 || m.known(i) || m.toks[i].Case == text.Title || m.lower(i) && m.cases != text.OnlyUpper && !m.isSubject(i):
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
	label := m.punct(j) == ':'
	if enclosed {
		j, k = j-1, k+1
	} else if label {
		j--
	}
	if !m.plays(j, text.RolePatientTag) || m.plays(j, text.RoleRelative) || !m.sameLine(i) {
		return false
	}
	return (enclosed || label) && m.toks[i].Case == text.Upper || m.plays(k, text.RoleSubjectVerb)
}

// credential reports whether letters from token i on are a degree behind a name, "Ann Moss, M.D.".
func (m *matcher) credential(i int, letters string) bool {
	return text.RolesOf(letters)&text.RoleCredential != 0 && m.sameLine(i) && (m.isWord(i-1) && !m.lower(i-1) || m.punct(i-1) == ',')
}

func (m *matcher) dottedInitials(i int) int {
	var letters []byte
	j := i
	for len(letters) < 4 && m.letter(j) && len(m.tok(j)) == 1 && m.punct(j+1) == '.' && m.glued(j+1) && (j == i || m.sameLine(j)) {
		letters = append(letters, m.tok(j)[0]|0x20)
		j += 2
	}
	if len(letters) < 2 || m.credential(i, string(letters)) {
		return 0
	}
	whole := m.g.initial[string(letters)]
	if ends := string(letters[:1]) + string(letters[len(letters)-1:]); !whole && !m.g.initial[ends] {
		return 0
	}
	return m.emit(i, j, phi.Patient, whole && len(letters) > 2)
}

// leftInitials takes in "J. C." before the chain if one of them fits.
func (m *matcher) leftInitials(c *chain) {
	from := c.from
	for range 2 {
		j := m.before(from, ".")
		if !m.letter(j) || !m.sameLine(j+1) || !m.sameLine(from) || m.punct(j-1) == '\'' || j == from-1 && m.article(j, c) {
			return
		}
		from = j
		if bits := m.g.pairs[pairKey(m.keys[j], m.keys[c.first()])]; bits != 0 {
			c.from, c.paired, c.bits = from, true, bits
		} else if c.n > 1 && c.paired {
			return
		}
	}
}

// rightInitial takes in "J" of "Smith, J" and "Smith J.". In lower case "a" is a word, but behind a name that
// begins with the family name: "long, ann a".
func (m *matcher) rightInitial(c *chain) {
	j := m.past(c.to, ",")
	onLine := m.sameLine(j) || c.paired && m.nextLine(j) && (!m.glued(j+1) || m.punct(j+1) != 0)
	if !onLine || !m.letter(j) && !m.lowerInitial(c, j) || m.article(j, c) {
		return
	}
	code := m.isNumber(j+1) && (!c.paired || m.wordAt(j).bits&wIdent != 0) // "B12"
	short := m.punct(j+1) == '/' && !c.paired || m.punct(j+1) == '.' && m.glued(j+2) && m.single(j+2)
	if m.glued(j+1) && (code || short) {
		return
	}
	if bits := m.pair(m.keys[j], m.keys[c.last()]); bits != 0 {
		c.to, c.paired, c.bits = j+1, true, bits
	}
}

// lowerInitial reports whether the small letter j is an initial.
func (m *matcher) lowerInitial(c *chain, j int) bool {
	if !m.single(j) || !m.lower(c.last()) {
		return false
	}
	familyFirst := c.paired && c.comma && j == c.to && m.wordAt(c.first()).bits&wFamily != 0
	return familyFirst || j == c.to && m.punct(j+1) == '.' && m.glued(j+1) && m.wordAt(c.last()).level < ordinary
}

// article reports whether the letter j is the word "a" next to one that is ordinary, in a
// note in capitals: "A PAIN PUMP".
func (m *matcher) article(j int, c *chain) bool {
	return m.cases == text.OnlyUpper && m.tok(j) == "A" && c.n == 1 && m.wordAt(c.first()).level == ordinary
}
