package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// lookAround looks for titles, labels and credentials next to the chain.
func (m *matcher) lookAround(c *chain) {
	j := c.from - 1
	if p := m.punct(j); p == '.' || p == ':' || p == ',' || p == '-' || p == '#' {
		colon := p == ':'
		j--
		if colon && m.punct(j) == ')' {
			return
		}
		if colon && m.plays(j, text.RolePatientTag|text.RoleStaffTag|text.RoleSigning|text.RoleBy) {
			c.evidence, c.doctor = true, m.plays(j, text.RoleStaffTag|text.RoleSigning|text.RoleBy)
			return
		}
	}
	if m.sameLine(c.from) {
		switch {
		case m.plays(j, text.RoleDoctorTitle):
			c.evidence, c.doctor = true, true
		case m.plays(j, text.RolePersonTitle):
			c.evidence = true
		case m.plays(j, text.RoleBy) && j == c.from-1 && m.careBefore(j), m.plays(j, text.RoleStaffTitle) && j == c.from-1:
			c.evidence, c.doctor = true, true
		case m.staff && j == c.from-1 && m.plays(j, text.RoleReach) && m.wordAt(c.words[0]).level < ordinary &&
			m.toks[c.words[0]].Case != text.Lower:
			c.evidence, c.doctor = true, true
		case j == c.from-1 && m.plays(j, text.RolePatientTag) && !m.staff && !m.plainInCapitals(c):
			c.evidence = true
		}
	}
	if !m.staff {
		m.lookForPerson(c)
	}
	k := c.to
	if m.punct(k) == ',' {
		k++
	}
	if m.sameLine(k) && m.plays(k, text.RoleCredential) && (m.toks[k].Case != text.Lower) {
		c.evidence, c.doctor = true, true
	}
}

// careBefore reports whether the word before "by" at token j says what staff do:
// "signed by", "seen by", "referred by".
func (m *matcher) careBefore(j int) bool {
	return m.plays(j-1, text.RoleSigning|text.RoleHome) || m.isWord(j-1) && text.MarkOf(m.tok(j-1)).Classes&text.IsDateCue != 0
}

// eponymUse reports whether the word names a disease, a score or a device here:
// "Parkinson's disease", "Smith fracture".
func (m *matcher) eponymUse(i int) bool {
	j := i + 1
	if m.punct(j) == '\'' && m.glued(j) {
		j++
		if m.isWord(j) && m.glued(j) {
			j++
		}
	} else if m.punct(j) == '-' || m.punct(j) == '/' {
		j += 2
	}
	return m.plays(j, text.RoleEponymNoun)
}

// isTown reports whether the word and the next one are a town together: "Ann
// Arbor".
func (m *matcher) isTown(i int) bool {
	if !m.isWord(i+1) || m.toks[i+1].Case == text.Lower || !m.sameLine(i+1) {
		return false
	}
	e, _ := lexicon.LookupFolded(lexicon.Fold(m.tok(i)) + " " + lexicon.Fold(m.tok(i+1)))
	return e.Is(lexicon.City)
}

// begins reports whether a capital at token i says nothing: a sentence, a line
// or a field begins there.
func (m *matcher) begins(i int) bool {
	if i == 0 || m.toks[i].Line {
		return true
	}
	switch m.punct(i - 1) {
	case 0, ',', '\'', '/', '&':
		return false
	case '.':
		return !m.plays(i-2, text.RoleDoctorTitle|text.RolePersonTitle) && !m.letter(i-2)
	}
	return true
}

// besideTitle reports whether a capitalised word is right before or after token i: of
// a heading, a place, an organisation.
func (m *matcher) besideTitle(i int) bool {
	after := m.isWord(i+1) && m.sameLine(i+1) && m.toks[i+1].Case != text.Lower
	before := m.isWord(i-1) && m.sameLine(i) && m.toks[i-1].Case != text.Lower
	return after || before
}

// inHeading reports whether token i is part of a run of words in capitals.
func (m *matcher) inHeading(i int) bool {
	if m.toks[i].Case != text.Upper {
		return false
	}
	after := m.isWord(i+1) && m.sameLine(i+1) && m.toks[i+1].Case == text.Upper && !m.letter(i+1)
	before := m.isWord(i-1) && m.sameLine(i) && m.toks[i-1].Case == text.Upper && !m.letter(i-1)
	return (after || before) && m.wordAt(i).level == ordinary
}

func (m *matcher) besideNumber(i int) bool {
	j := i + 1
	if c := m.punct(j); c == '.' || c == ',' || c == '\'' {
		j++
	}
	return m.has(j) && m.toks[j].Kind == text.Number || m.has(i-1) && m.toks[i-1].Kind == text.Number
}
