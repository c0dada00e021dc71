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
	beforeSubject    = wordSet("record/before-subject")
	modalVerbs       = wordSet("record/modal-verbs")
	personPredicates = wordSet("record/person-predicates")
)

// lookAround looks for what makes a name of a word: titles, labels and credentials next to the
// chain, and what people are, have and do.
func (m *matcher) lookAround(c *chain) {
	switch {
	case m.labelled(c):
	case m.near(c.from):
		m.lookLeft(c)
	}
	if m.mode != staff && m.wordAt(c.last()).bits&wPatient != 0 && !m.eponymUse(c.last()) {
		m.lookForPerson(c)
	}
	k := c.to
	if m.punct(k) == ',' {
		k++
	}
	if m.sameLine(k) && m.plays(k, text.RoleCredential) && !m.lower(k) {
		c.evidence, c.doctor = true, true
	}
}

// labelled looks for a label with a colon before the chain: "Patient: ", "Attending: ". It reports
// whether nothing else before the colon counts.
func (m *matcher) labelled(c *chain) bool {
	j := c.from - 2
	if m.punct(c.from-1) != ':' {
		return false
	}
	staffLabel := m.plays(j, text.RoleStaffTag|text.RoleSigning|text.RoleBy)
	if staffLabel || m.plays(j, text.RolePatientTag) {
		c.evidence, c.doctor = true, staffLabel
		return true
	}
	return false
}

// lookLeft looks for titles before the chain.
func (m *matcher) lookLeft(c *chain) {
	j := c.from - 1
	adjacent := true
	if p := m.punct(j); p == '.' || p == ':' {
		j, adjacent = j-1, false
	}
	title := m.plays(j, text.RoleDoctorTitle)
	switch {
	case title || m.plays(j, text.RolePersonTitle):
		c.evidence, c.doctor = true, title
	case !adjacent || !m.sameLine(c.from):
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
		inBrackets := m.punct(c.from-1) == '(' && m.punct(c.to) == ')'
		inCommas := m.punct(c.from-1) == ',' && m.common(first) < frequentWord
		acts := lower && m.isAnyOf(c.to, personVerbs())
		c.evidence, c.person = true, inBrackets || inCommas || acts || m.cases == text.OnlyLower && m.wordAt(c.last()).level < ordinary
	case m.followsPerson(c), m.nicknamed(c), m.ownsRelative(c), m.leadsPair(c):
		c.evidence, c.person = true, lower
	case lower && (m.cases != text.OnlyLower || !m.begins(first) && m.punct(first-1) != ','):
		// In the middle of a sentence a word in lower case is a word.
		if (m.begins(first) || m.common(first) < frequentGlued) && m.actsAsPerson(c, true) || m.agedAfter(c) {
			c.evidence, c.person = true, true
		}
	case m.ownsSomething(c), m.actsAsPerson(c, false), m.precedesPerson(c), m.agedAfter(c):
		c.evidence, c.person = true, lower
	}
}

// afterRelative reports whether a word for a relation to the patient is right before the
// name: "father frank", "niece (May", "brother: Gene", "neighbor, Earnest, called".
func (m *matcher) afterRelative(c *chain) bool {
	j := c.from - 1
	switch m.punct(j) {
	case '(':
		j--
	case ':': // after which any word has a capital
		if w := m.wordAt(c.first()); w.level == ordinary && w.bits&wGiven == 0 {
			return false
		}
		j--
	case ',':
		if p := m.punct(c.to); p != ',' && p != ';' {
			return false
		}
		j--
	}
	return m.sameLine(c.from) && m.plays(j, text.RoleKin) && !m.plainInCapitals(c)
}

// plainInCapitals reports whether the chain is an ordinary word, "PATIENT MAY RETURN": among capitals
// a frequent word without a mark before it is what it always is.
func (m *matcher) plainInCapitals(c *chain) bool {
	return m.cases == text.OnlyUpper && m.isWord(c.from-1) && m.common(c.first()) >= frequentWord
}

// possessed returns the token of what belongs to the chain, "wife" in "Long's wife", or 0.
func (m *matcher) possessed(c *chain) int {
	k := c.to
	if m.punct(k) != '\'' || !m.glued(k) || !m.glued(k+1) || !m.isWord(k+2) || !m.isWord(k+1) || m.tok(k+1) != "s" && m.tok(k+1) != "S" {
		return 0
	}
	return k + 2
}

// ownsSomething reports whether a possessive follows: "Long's wife" and "LOUD'S GRANDSON".
func (m *matcher) ownsSomething(c *chain) bool {
	k := m.possessed(c)
	return k > 0 && (m.lower(k) || m.toks[k].Case == text.Upper && m.toks[c.first()].Case == text.Upper)
}

// ownsRelative reports whether the chain has a relative: "pat's brother".
func (m *matcher) ownsRelative(c *chain) bool {
	k := m.possessed(c)
	return k > 0 && m.plays(k, text.RoleKin)
}

// actsAsPerson reports whether the chain does what people do, "Long denies pain". It makes a name
// of the first word of a sentence, where the capital says nothing. Strictly, also what is said of
// things needs a predicate of people.
func (m *matcher) actsAsPerson(c *chain, strictly bool) bool {
	k := m.skipAside(c.to)
	if !m.goesOn(c, k) || !m.beginsClause(c) {
		return false
	}
	switch {
	case m.isAnyOf(k, personVerbs()):
		return !strictly || m.common(c.first()) < frequentWord || m.cases != text.BothCases
	case m.isAnyOf(k, modalVerbs()):
	case !m.plays(k, text.RoleSubjectVerb) || m.lower(c.first()) && m.punct(c.from-1) == ',':
		return false // "ct done, stone was seen"
	}
	return m.predicate(k+1) || !m.lower(c.first()) && m.common(c.first()) < frequentWord
}

// beginsClause keeps, where all words are in capitals, what has a subject's place:
// "SHE SAYS THAT LOUD WAS", but not "THE HEAD WAS" or "THE HUMERAL HEAD WAS".
func (m *matcher) beginsClause(c *chain) bool {
	return m.cases != text.OnlyUpper || m.begins(c.from) || !m.isWord(c.from-1) || m.isAnyOf(c.from-1, beforeSubject())
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

// skipAside returns the token after the brackets that follow a name: "Brown (f/k/a
// Loud) is".
func (m *matcher) skipAside(k int) int {
	const longest = 10
	if m.punct(k) != '(' || !m.sameLine(k) {
		return k
	}
	for j := k + 1; j < k+longest; j++ {
		if m.punct(j) == ')' {
			return j + 1
		}
	}
	return k
}

// predicate reports whether token k goes on as it does of a person after "is", "was",
// "has" or "would".
func (m *matcher) predicate(k int) bool {
	if !m.isWord(k) {
		return m.isNumber(k) && !m.glued(k+1)
	}
	return m.isAnyOf(k, personPredicates()) || m.plays(k, text.RoleSeen|text.RoleHome)
}

// precedesPerson reports whether "and" and another of the record's names follow: "Loud and Ann
// live with".
func (m *matcher) precedesPerson(c *chain) bool {
	k := c.to + 1
	if !m.plays(c.to, text.RoleAnd) || !m.isWord(k) || m.lower(k) && m.cases != text.OnlyLower {
		return false
	}
	w := m.wordAt(k)
	return w.bits&wName != 0 && w.level < ordinary && m.keys[k].Hash != m.keys[c.first()].Hash
}

// leadsPair reports whether "and" and a name in full of the record follow: "loud and frank oberquist".
func (m *matcher) leadsPair(c *chain) bool {
	k := c.to + 1
	if !m.plays(c.to, text.RoleAnd) || !m.isWord(k) || !m.isWord(k+1) || m.wordAt(k).level == ordinary {
		return false
	}
	return m.g.pairs[pairKey(m.keys[k].Hash, m.keys[k+1].Hash)] != 0
}

// followsPerson is precedesPerson from the other side: "loud and frank live with", where
// the first name was found.
func (m *matcher) followsPerson(c *chain) bool {
	first := c.first()
	if m.lower(first) && (m.cases != text.OnlyLower || m.wordAt(first).level == ordinary) {
		return false
	}
	return m.plays(c.from-1, text.RoleAnd) && m.sameLine(c.from) && m.afterName(c.from-1)
}

// agedAfter reports whether age and sex follow a name that begins a line or follows its date:
// "Person, 50M, seen" and "12/18 CHILD 13F".
func (m *matcher) agedAfter(c *chain) bool {
	k := c.to
	if m.punct(k) == ',' {
		k++
	} else if m.toks[c.first()].Case != text.Upper {
		return false
	}
	if !m.begins(c.from) && !m.isNumber(c.from-1) || !m.isNumber(k) || !m.sameLine(k) {
		return false
	}
	if m.lower(c.first()) && !(m.glued(k+1) && m.toks[c.from].Line) {
		return false
	}
	return m.plays(k+1, text.RoleSex) || m.class(k+1)&isYears != 0
}

// nicknamed reports whether the chain is what the patient is called: `prefers "Chance"`, "Chance (prefers", "chart
// under Chance".
func (m *matcher) nicknamed(c *chain) bool {
	j := c.from - 1
	if p := m.punct(j); p == '"' || p == '\'' {
		j--
	}
	if m.callsBy(j) || m.isWord(j) && lexicon.Fold(m.tok(j)) == "under" && m.isAnyOf(j-1, filed()) {
		return true
	}
	return m.punct(c.to) == '(' && m.sameLine(c.to) && m.callsBy(c.to+1)
}

func (m *matcher) callsBy(j int) bool {
	return m.plays(j, text.RoleNamed) && !m.plays(j, text.RoleReach) || m.isWord(j) && lexicon.Fold(m.tok(j)) == "prefers"
}
