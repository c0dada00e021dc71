package record

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// name decides on the name that begins with the gazetteer's word i.
func (m *matcher) name(i int) int {
	c := m.chainAt(i)
	m.lookAround(&c)
	if c.paired && (m.mode != staff || !m.allLower(&c)) || c.evidence && m.namelike(&c) {
		return m.emitName(&c, c.from, c.to, true)
	}
	if m.mode == staff {
		return 0
	}
	end := 0
	for k, i := range c.words[:c.n] {
		if !m.countsAlone(i) {
			continue
		}
		if k == 0 {
			i = c.from
		}
		end = m.emitName(&c, i, c.words[k]+1, m.likeness(c.words[k]) != misspelt)
	}
	return end
}

// namelike reports whether a chain with a title next to it is written like a
// name: with a capital, or of words that are hardly anything but names.
func (m *matcher) namelike(c *chain) bool {
	first, last := c.first(), c.last()
	if m.likeness(last) == doubtful && (m.lower(last) || m.common(last) >= ordinaryCommon) {
		return m.titled(c) || c.person && m.common(last) < ordinaryCommon
	}
	return !m.lower(first) || m.wordAt(last).level == onlyName || c.person || m.titled(c)
}

// titled reports whether "mr" or "dr" is right before the chain: after it,
// even an ordinary word in lower case is a name.
func (m *matcher) titled(c *chain) bool {
	j := c.from - 1
	if m.punct(j) == '.' {
		j--
	}
	return m.plays(j, text.RoleDoctorTitle|text.RolePersonTitle)
}

func (m *matcher) allLower(c *chain) bool {
	for _, i := range c.words[:c.n] {
		if !m.lower(i) {
			return false
		}
	}
	return true
}

// emitName emits tokens [from, to) with the type that words and titles give.
func (m *matcher) emitName(c *chain, from, to int, sure bool) int {
	nick := m.wordAt(c.first()).bits&wNick != 0 && !c.paired && !c.evidence
	if m.mode == exact && nick {
		return 0
	}
	t := phi.Patient
	if c.bits&wPatient == 0 || c.doctor && c.bits&wProvider != 0 {
		t = phi.Doctor
	}
	if m.glued(to) && m.isNumber(to) && !(m.glued(to+1) && m.glued(to+2) && m.punct(to+1) != 0) { // "Ann123", as made-up patients are called
		to++
	}
	return m.emit(from, to, t, sure && !nick)
}

// countsAlone decides on the word i without a partner or a title.
func (m *matcher) countsAlone(i int) bool {
	w := m.wordAt(i)
	if m.likeness(i) == doubtful || w.epo && m.eponymUse(i) {
		return false
	}
	switch {
	case w.level == onlyName || m.likeness(i) != asWritten:
		return true
	case m.lower(i):
		return w.rare && w.bits&wPatient != 0 && !m.plays(i-1, text.RoleArticle)
	case w.level == alsoWord:
		return true
	}
	if w.bits&wPatient == 0 || len(m.tok(i)) < 3 || m.toks[i].Case != text.Title || m.begins(i) {
		return false
	}
	return !w.month || !m.nextToNumber(i) && m.has(i-1) && m.class(i-1)&isBeforeMonth == 0
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
	}
	return m.plays(j, text.RoleEponymNoun)
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

func (m *matcher) nextToNumber(i int) bool {
	j := i + 1
	if c := m.punct(j); c == '.' || c == ',' || c == '\'' {
		j++
	}
	return m.isNumber(j) || m.isNumber(i-1)
}

// afterName reports whether a name that was found ends right before token i.
func (m *matcher) afterName(i int) bool { return m.sameLine(i) && m.foundBefore(i-1, phi.ClassName) }
