package record

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// name decides on the name that begins with the gazetteer's word i.
func (m *matcher) name(i int) int {
	c := m.chainAt(i)
	m.takeParticles(&c)
	m.findPairs(&c)
	m.takeSuffix(&c)
	m.lookAround(&c)
	if c.paired && (!m.staff || !m.allLower(&c)) && !m.allOrdinaryLower(&c) {
		return m.emitName(&c, c.from, c.to)
	}
	if c.evidence && m.namelike(&c) {
		return m.emitName(&c, c.from, c.to)
	}
	if m.staff {
		return 0
	}
	end := 0
	for k := range c.n {
		if !m.standsAlone(&c, c.words[k]) {
			continue
		}
		from := c.words[k]
		if k == 0 {
			from = c.from
		}
		end = m.emitName(&c, from, c.words[k]+1)
	}
	return end
}

// namelike reports whether a chain with a title next to it is written like a
// name: with a capital, or of words that are hardly anything but names.
func (m *matcher) namelike(c *chain) bool {
	last := c.words[c.n-1]
	if m.staff && m.wordAt(c.words[0]).bits&wFamily == 0 && m.wordAt(last).bits&wFamily == 0 {
		return false
	}
	return m.toks[c.words[0]].Case != text.Lower || m.wordAt(last).level == onlyName || c.person || m.titled(c)
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

func (m *matcher) wordAt(i int) gazWord { return m.g.words[m.keys[i].Hash] }

func (m *matcher) allLower(c *chain) bool {
	for _, i := range c.words[:c.n] {
		if m.toks[i].Case != text.Lower {
			return false
		}
	}
	return true
}

// allOrdinaryLower reports whether a chain in lower case consists of ordinary words, which
// are no name: "may, long". Given and family name of the patient or a relative side by
// side are one.
func (m *matcher) allOrdinaryLower(c *chain) bool {
	if c.whole && c.bits&wPatient != 0 {
		return false
	}
	for _, i := range c.words[:c.n] {
		if m.toks[i].Case != text.Lower || m.wordAt(i).level < ordinary {
			return false
		}
	}
	return true
}

// emitName emits tokens [from, to) with the type that words and titles give.
func (m *matcher) emitName(c *chain, from, to int) int {
	w := m.wordAt(c.words[0])
	nick := w.bits&wNick != 0 && !c.paired && !c.evidence
	if m.mustOnly && nick {
		return 0
	}
	t := phi.Patient
	if c.bits&wPatient == 0 || c.doctor && c.bits&wProvider != 0 {
		t = phi.Doctor
	}
	if m.glued(to) && m.toks[to].Kind == text.Number { // "Ann123", as made-up patients are called
		to++
	}
	return m.emit(from, to, t, !nick)
}

// standsAlone decides on the word i without a partner or a title.
func (m *matcher) standsAlone(c *chain, i int) bool {
	w := m.wordAt(i)
	if w.epo && m.eponymUse(i) || w.level > onlyName && m.isTown(i) {
		return false
	}
	switch {
	case w.level == onlyName:
		return true
	case m.toks[i].Case == text.Lower:
		return false
	case w.level == alsoWord:
		return !m.inHeading(i) || m.toks[i].Case == text.Title && c.n > 1
	}
	if w.bits&wPatient == 0 || len(m.tok(i)) < 3 {
		return false
	}
	if m.toks[i].Case == text.Upper {
		return m.standsOut(i)
	}
	if m.toks[i].Case != text.Title || m.begins(i) || m.besideTitle(i) && !m.afterName(i) {
		return false
	}
	return !w.month || !m.besideNumber(i) && m.has(i-1) && (m.toks[i-1].Kind != text.Word ||
		text.MarkOf(m.tok(i-1)).Classes&(text.IsPrep|text.IsIn|text.IsLast|text.IsPartOf|text.IsPossessive) == 0)
}
