package record

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// frequentWord is how often a word is met, on the lexicon's scale, that needs more than
// a verb to be a person: "Head is normal", "Pain was worse".
const frequentWord = 88

// Lists of the lexicon that say what makes a person of a word.
var (
	personVerbs      = sync.OnceValue(func() map[string]bool { return wordSet("record/person-verbs") })
	filed            = sync.OnceValue(func() map[string]bool { return wordSet("record/filed") })
	beforeSubject    = sync.OnceValue(func() map[string]bool { return wordSet("record/before-subject") })
	modalVerbs       = sync.OnceValue(func() map[string]bool { return wordSet("record/modal-verbs") })
	personPredicates = sync.OnceValue(func() map[string]bool { return wordSet("record/person-predicates") })
)

// wordSet returns the words of a list of the lexicon.
func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range lexicon.Words(list) {
		set[w] = true
	}
	return set
}

// lookForPerson looks for what makes a person of a word that is one of the patient's
// names, where the word alone would not do.
func (m *matcher) lookForPerson(c *chain) {
	first, last := c.words[0], c.words[c.n-1]
	if m.wordAt(last).bits&wPatient == 0 || m.eponymUse(last) {
		return
	}
	lower := m.toks[first].Case == text.Lower
	switch {
	case m.afterKin(c):
		c.evidence, c.person = true, m.cases == text.OnlyLower && m.wordAt(last).level < ordinary
	case m.joinsPerson(c), m.nicknamed(c):
		c.evidence, c.person = true, lower
	case lower && (m.cases != text.OnlyLower || !m.begins(first) && m.punct(first-1) != ','):
		// In the middle of a sentence a word in lower case is a word.
	case m.ownsSomething(c), m.actsAsPerson(c), m.besidePerson(c), m.agedAfter(c):
		c.evidence, c.person = true, lower
	}
}

// afterKin reports whether a word for a relation to the patient is right before the
// name: "father frank", "niece (May", "brother: Gene", "neighbor, Earnest, called".
func (m *matcher) afterKin(c *chain) bool {
	j := c.from - 1
	switch m.punct(j) {
	case '(':
		j--
	case ':': // after which any word has a capital
		if w := m.wordAt(c.words[0]); w.level == ordinary && w.bits&wGiven == 0 {
			return false
		}
		j--
	case ',':
		if m.punct(c.to) != ',' {
			return false
		}
		j--
	}
	return m.sameLine(c.from) && m.plays(j, text.RoleKin) && !m.plainInCapitals(c)
}

// plainInCapitals reports whether the chain is an ordinary word, "PATIENT MAY RETURN": among capitals a frequent word without a
// mark before it is what it always is.
func (m *matcher) plainInCapitals(c *chain) bool {
	return m.cases == text.OnlyUpper && m.isWord(c.from-1) && m.common(c.words[0]) >= frequentWord
}

// ownsSomething reports whether a possessive follows: "Long's wife" and "LOUD'S GRANDSON".
func (m *matcher) ownsSomething(c *chain) bool {
	k := c.to
	if m.punct(k) != '\'' || !m.glued(k) || !m.glued(k+1) || !m.isWord(k+1) || !m.isWord(k+2) {
		return false
	}
	if m.tok(k+1) != "s" && m.tok(k+1) != "S" {
		return false
	}
	return m.toks[k+2].Case == text.Lower || m.toks[k+2].Case == text.Upper && m.toks[c.words[0]].Case == text.Upper
}

// actsAsPerson reports whether the chain does what people do, "Long denies pain". It
// makes a name of the first word of a sentence, where the capital says nothing.
func (m *matcher) actsAsPerson(c *chain) bool {
	k := m.skipAside(c.to)
	if !m.goesOn(c, k) || !m.beginsClause(c) {
		return false
	}
	var buf [24]byte
	verb, ok := lexicon.LowerASCII(buf[:], m.tok(k))
	switch {
	case !ok:
		return false
	case personVerbs()[string(verb)]:
		return true
	case modalVerbs()[string(verb)]:
	case !m.plays(k, text.RoleSubjectVerb) || m.toks[c.words[0]].Case == text.Lower && m.punct(c.from-1) == ',':
		return false // "ct done, stone was seen"
	}
	return m.predicate(k+1) || m.toks[c.words[0]].Case != text.Lower && m.common(c.words[0]) < frequentWord
}

// beginsClause keeps, where all words are in capitals, what has a subject's place:
// "SHE SAYS THAT LOUD WAS", but not "THE HEAD WAS" or "THE HUMERAL HEAD WAS".
func (m *matcher) beginsClause(c *chain) bool {
	if m.cases != text.OnlyUpper || m.begins(c.from) || !m.isWord(c.from-1) {
		return true
	}
	var buf [24]byte
	before, ok := lexicon.LowerASCII(buf[:], m.tok(c.from-1))
	return ok && beforeSubject()[string(before)]
}

// goesOn reports whether the sentence goes on at token k after the chain: in lower
// case, or in capitals where the name has them, and over a line's end only if the name
// is not alone on its line, as a heading is.
func (m *matcher) goesOn(c *chain, k int) bool {
	if !m.isWord(k) {
		return false
	}
	if m.toks[k].Case != text.Lower && (m.toks[k].Case != text.Upper || m.toks[c.words[0]].Case != text.Upper) {
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
		return m.has(k) && m.toks[k].Kind == text.Number && !m.glued(k+1)
	}
	var buf [24]byte
	word, ok := lexicon.LowerASCII(buf[:], m.tok(k))
	return ok && personPredicates()[string(word)] || m.plays(k, text.RoleSeen|text.RoleHome)
}

// common returns how often the word i is met in lower case, on the lexicon's scale.
func (m *matcher) common(i int) uint8 {
	e, _ := lexicon.LookupFolded(lexicon.Fold(m.tok(i)))
	return e.Common
}

// besidePerson reports whether "and" and another of the record's names follow: "Loud and Ann
// live with".
func (m *matcher) besidePerson(c *chain) bool {
	k := c.to + 1
	if !m.plays(c.to, text.RoleAnd) || !m.isWord(k) || m.toks[k].Case == text.Lower && m.cases != text.OnlyLower {
		return false
	}
	w := m.wordAt(k)
	return w.bits&wName != 0 && w.level < ordinary && m.keys[k].Hash != m.keys[c.words[0]].Hash
}

// joinsPerson is besidePerson from the other side: "loud and frank live with", where
// the first name was found.
func (m *matcher) joinsPerson(c *chain) bool {
	first := c.words[0]
	if m.toks[first].Case == text.Lower && (m.cases != text.OnlyLower || m.wordAt(first).level == ordinary) {
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
	} else if m.toks[c.words[0]].Case != text.Upper {
		return false
	}
	heads := m.begins(c.from) || m.has(c.from-1) && m.toks[c.from-1].Kind == text.Number
	if !heads || !m.has(k) || m.toks[k].Kind != text.Number || !m.sameLine(k) || m.toks[c.words[0]].Case == text.Lower {
		return false
	}
	return m.plays(k+1, text.RoleSex) || m.isWord(k+1) && text.MarkOf(m.tok(k+1)).Classes&text.IsYearUnit != 0
}

// nicknamed reports whether the chain is what the patient is called: `prefers "Chance"`, "Chance (prefers", "chart
// under Chance".
func (m *matcher) nicknamed(c *chain) bool {
	j := c.from - 1
	if p := m.punct(j); p == '"' || p == '\'' {
		j--
	}
	if m.callsBy(j) || m.isWord(j) && equalFolded(m.tok(j), "under") && filed()[lexicon.Fold(m.tok(max(j-1, 0)))] {
		return true
	}
	return m.punct(c.to) == '(' && m.sameLine(c.to) && m.callsBy(c.to+1)
}

func (m *matcher) callsBy(j int) bool {
	return m.isWord(j) && (m.plays(j, text.RoleNamed) || equalFolded(m.tok(j), "prefers")) && !m.plays(j, text.RoleReach)
}

// standsOut reports whether a word in capitals is between words in lower case, as a
// name does in "spoke to LOUD about". Words that are stressed so are frequent ones.
func (m *matcher) standsOut(i int) bool {
	if m.cases == text.OnlyUpper || len(m.tok(i)) < 4 || m.common(i) >= frequentWord || m.begins(i) || !m.sameLine(i) {
		return false
	}
	before := m.isWord(i-1) && m.toks[i-1].Case == text.Lower
	after := !m.isWord(i+1) || m.toks[i+1].Case == text.Lower
	return before && after
}
