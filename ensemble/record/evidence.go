package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// frequentWord is how often a word is met, on the lexicon's scale, that needs more than
// a verb to be a person: "Head is normal", "Pain was worse".
const frequentWord = 88

// Lists of the lexicon that say what makes a person of a word.
var (
	personVerbs      = wordSet("record/person-verbs")
	filed            = wordSet("record/filed")
	modalVerbs       = wordSet("record/modal-verbs")
	personPredicates = wordSet("record/person-predicates")
)

// lookAround looks for what makes a name of a word: titles, labels and credentials next to the
// chain, and what people are, have and do.
func (m *matcher) lookAround(c *chain) {
	m.lookLeft(c)
	if m.mode != staff && m.wordAt(c.last()).bits&wPatient != 0 && !m.eponymUse(c.last()) {
		m.lookForPerson(c)
	}
	k := m.past(c.to, ",")
	if m.sameLine(k) && m.plays(k, text.RoleCredential) && !m.lower(k) {
		c.evidence, c.doctor = true, true
	}
}

// lookLeft looks for titles and labels before the chain.
func (m *matcher) lookLeft(c *chain) {
	j := c.from - 1
	label := m.punct(j) == ':'
	if label || m.punct(j) == '.' {
		j--
	}
	title, staffLabel := m.plays(j, text.RoleDoctorTitle), m.plays(j, text.RoleStaffTag|text.RoleSigning|text.RoleBy)
	switch {
	case m.near(c.from) && (title || m.plays(j, text.RolePersonTitle)):
		c.evidence, c.doctor = true, title
	case label && (staffLabel || m.plays(j, text.RolePatientTag)):
		c.evidence, c.doctor = true, staffLabel
		c.person = m.mode != staff && !m.sameLine(c.to)
	case j != c.from-1 || !m.sameLine(c.from):
	case m.plays(j, text.RoleBy) && m.plays(j-1, text.RoleSigning|text.RoleHome|text.RoleSeen), m.plays(j, text.RoleStaffTitle):
		c.evidence, c.doctor = true, true
	case m.mode == staff && m.plays(j, text.RoleReach) && m.wordAt(c.first()).level < ordinary && !m.lower(c.first()):
		c.evidence, c.doctor = true, true
	case m.mode != staff && m.plays(j, text.RolePatientTag) && !m.plainInCapitals(c):
		c.evidence = true
	}
}

// lookForPerson looks for what makes a person of a word that is one of the patient's
// names, where the word alone would not do.
func (m *matcher) lookForPerson(c *chain) {
	first := c.first()
	lower := m.lower(first)
	switch {
	case m.afterRelative(c):
		acts := lower && m.isAnyOf(c.to, personVerbs())
		seldomWord := m.wordAt(c.last()).level < ordinary && (m.cases == text.OnlyLower || m.plays(c.from-1, text.RoleRelative))
		c.evidence, c.person = true, acts || m.closes(c.to) || seldomWord
	case m.called(c), m.owns(c), m.agedAfter(c), m.coordinated(c):
		c.evidence, c.person = true, lower
	case !lower:
		c.evidence = c.evidence || m.actsAsPerson(c, false)
	case m.mayBeSubject(first) && m.actsAsPerson(c, true):
		c.evidence, c.person = true, true
	}
}

// mayBeSubject reports whether a word in lower case begins a clause, or is so rare that it need not. In
// the middle of a sentence other words in lower case are words.
func (m *matcher) mayBeSubject(i int) bool {
	return m.begins(i) || m.punct(i-1) == ',' || m.common(i) < frequentGlued
}

// afterRelative reports whether a word for a relation to the patient is right before the
// name: "father frank", "niece (May", "brother: Gene", "neighbor, Earnest, called".
func (m *matcher) afterRelative(c *chain) bool {
	j := c.from - 1
	switch m.punct(j) {
	case '(', ':':
		j--
	case ',':
		if !m.closes(c.to) {
			return false
		}
		j--
	}
	return m.sameLine(c.from) && m.plays(j, text.RoleRelative) && !m.plainInCapitals(c)
}

// closes reports whether a clause ends before token i.
func (m *matcher) closes(i int) bool {
	switch m.punct(i) {
	case ',', ';', '.', '(', ')':
		return true
	}
	return !m.sameLine(i)
}

// plainInCapitals reports whether the chain is an ordinary word, "PATIENT MAY RETURN": among capitals
// a frequent word without a mark before it is what it always is.
func (m *matcher) plainInCapitals(c *chain) bool {
	return m.cases == text.OnlyUpper && m.isWord(c.from-1) && m.common(c.first()) >= frequentWord
}

// owns reports whether a possessive and what belongs to a person follow: "Long's wife", "LOUD'S
// GRANDSON" and "pat's brother".
func (m *matcher) owns(c *chain) bool {
	k := c.to
	if m.punct(k) != '\'' || !m.glued(k) || !m.glued(k+1) || !m.isWord(k+2) || !m.isWord(k+1) || m.tok(k+1) != "s" && m.tok(k+1) != "S" {
		return false
	}
	capitals := m.toks[k+2].Case == text.Upper && m.toks[c.first()].Case == text.Upper
	return m.plays(k+2, text.RoleRelative) || capitals || m.lower(k+2) && !m.lower(c.first())
}

// actsAsPerson reports whether the chain does what people do, "Long denies pain". It makes a name
// of the first word of a sentence, where the capital says nothing. Strictly, also what is said of
// things needs a predicate of people.
func (m *matcher) actsAsPerson(c *chain, strictly bool) bool {
	k := c.to
	if !m.goesOn(c, k) {
		return false
	}
	rare := m.common(c.first()) < frequentWord
	switch {
	case m.isAnyOf(k, personVerbs()):
		return !strictly || rare || m.cases != text.BothCases
	case m.isAnyOf(k, modalVerbs()), m.plays(k, text.RoleSubjectVerb):
		return m.isAnyOf(k+1, personPredicates()) || m.plays(k+1, text.RoleSeen|text.RoleHome) || !strictly && rare
	}
	return false
}

// goesOn reports whether the sentence goes on at token k after the chain: in lower
// case, or in capitals where the name has them, and over a line's end only if the name
// is not alone on its line, as a heading is.
func (m *matcher) goesOn(c *chain, k int) bool {
	if !m.isWord(k) || !m.lower(k) && (m.toks[k].Case != text.Upper || m.toks[c.first()].Case != text.Upper && m.cases != text.OnlyUpper) {
		return false
	}
	return m.sameLine(k) || !m.toks[c.from].Line
}

// coordinated reports whether "and" joins the chain to a name that was found before it, "Ann and Long", or
// to another one of the record after it: in full if the chain is in lower case, "loud and ann long".
func (m *matcher) coordinated(c *chain) bool {
	first := c.first()
	if m.plays(c.from-1, text.RoleAnd) && m.sameLine(c.from) && m.afterName(c.from-1) {
		return !m.lower(first) || m.cases == text.OnlyLower && m.wordAt(first).level < ordinary
	}
	k := c.to + 1
	if !m.plays(c.to, text.RoleAnd) || !m.isWord(k) {
		return false
	}
	pair := m.isWord(k+1) && m.g.pairs[pairKey(m.keys[k], m.keys[k+1])] != 0
	w := m.wordAt(k)
	return pair || w.bits&wName != 0 && w.level < ordinary && (!m.lower(k) || m.cases == text.OnlyLower) && m.keys[k] != m.keys[first]
}

// agedAfter reports whether age and sex follow a name that begins a line or follows its date:
// "Person, 50M, seen" and "12/18 child 13F".
func (m *matcher) agedAfter(c *chain) bool {
	k := m.past(c.to, ",")
	if !m.begins(c.from) && !m.isNumber(c.from-1) || !m.isNumber(k) || !m.sameLine(k) {
		return false
	}
	if sex := m.plays(k+1, text.RoleSex); m.lower(c.first()) || k == c.to {
		return sex && m.glued(k+1)
	}
	return m.plays(k+1, text.RoleSex) || m.class(k+1)&isYears != 0
}

// called reports whether the chain is what the patient is called: `goes by "Chance"`, "Chance (called".
func (m *matcher) called(c *chain) bool {
	j := c.from - 1
	if p := m.punct(j); p == '"' || p == '\'' {
		j--
	}
	named := func(j int) bool {
		return m.plays(j, text.RoleNamed) && !m.plays(j, text.RoleReach) || m.isWord(j) && lexicon.Fold(m.tok(j)) == "prefers"
	}
	under := m.isWord(j) && lexicon.Fold(m.tok(j)) == "under" && m.isAnyOf(j-1, filed())
	return under || named(j) || m.punct(c.to) == '(' && m.sameLine(c.to) && named(c.to+1)
}
