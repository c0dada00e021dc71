package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// chain is a run of tokens that may together be a name: words of the gazetteer,
// initials between or next to them, and the marks that join them.
type chain struct {
	from, to int // tokens
	words    [8]int
	n        int // of words
	bits     wordBits
	comma    bool // between two words: the family name is first
	paired   bool // two of the words are given and family name of one person
	// What is next to the chain: anything that a name follows, what staff have there, and what makes a
	// name of a word in lower case too.
	evidence, doctor, person bool
}

func (c *chain) add(i int, bits wordBits) {
	c.words[c.n] = i
	c.n++
	c.to = i + 1
	c.bits |= bits & (wPatient | wProvider)
}

func (c *chain) first() int { return c.words[0] }
func (c *chain) last() int  { return c.words[c.n-1] }

// chainAt gathers the chain that begins with the word i.
func (m *matcher) chainAt(i int) chain {
	c := chain{from: i}
	c.add(i, m.wordAt(i).bits)
	for c.n < len(c.words) {
		m.steps++
		k := m.nextInChain(c.to)
		if k == 0 {
			break
		}
		for end := k + 12; m.single(k) && (m.letter(k) || m.lower(c.from)) && k < end; { // initials, then perhaps a name
			k++
			for range 2 {
				if p := m.punct(k); (p == '.' || p == '-') && m.glued(k) {
					k++
				}
			}
		}
		k = m.skipParticles(k)
		if !m.isWord(k) || !m.sameLine(k) || m.wordAt(k).bits&wName == 0 || !m.continues(&c, k) {
			break
		}
		c.comma = c.comma || m.punct(c.to) == ','
		c.add(k, m.wordAt(k).bits)
	}
	m.takeNextLine(&c)
	m.takeParticles(&c)
	m.findPairs(&c)
	m.takeSuffix(&c)
	return c
}

// nextInChain returns the token after the marks that may be between two parts
// of a name, or 0.
func (m *matcher) nextInChain(j int) int {
	if !m.sameLine(j) {
		return 0
	}
	switch p := m.punct(j); p {
	case 0:
	case ',', '.', '_', '-', '\'', '"', '(':
		if p == '.' && !m.glued(j+1) || p == '_' && (!m.glued(j) || !m.glued(j+1)) {
			return 0
		}
		j++
		if p == '\'' && m.glued(j) && m.isWord(j) && (m.tok(j) == "s" || m.tok(j) == "S") {
			return 0
		}
	default:
		return 0
	}
	if !m.isWord(j) || !m.sameLine(j) {
		return 0
	}
	return j
}

// continues reports whether the gazetteer's word k goes on with the chain: one that may be another
// word only if it belongs to the word before it, no ordinary word in lower case after a capital, and
// over a comma only a given name after a family name.
func (m *matcher) continues(c *chain, k int) bool {
	ordinaryWords := m.wordAt(k).level == ordinary && m.wordAt(c.first()).level == ordinary
	switch {
	case m.likeness(k) == doubtful || m.likeness(c.last()) == doubtful:
		if m.pair(m.keys[c.last()], m.keys[k]) == 0 {
			return false
		}
	case m.punct(c.to) != '-' && m.lower(k) && m.wordAt(k).level > onlyName && !m.lower(c.from):
		return false
	}
	if m.punct(c.to) != ',' {
		return true
	}
	if c.comma || m.lower(k) && ordinaryWords || m.letter(m.before(c.from, ".")) {
		return false
	}
	for _, i := range c.words[:c.n] {
		if m.wordAt(i).bits&wFamily == 0 {
			return false
		}
	}
	return m.pair(m.keys[c.first()], m.keys[k]) != 0
}

// takeNextLine takes in the other half of a name that a line's end divides: "Ann\nMoss", "Moss,\nAnn"
// or "Van\nMoss". Family name and given name without a comma need a line of their own.
func (m *matcher) takeNextLine(c *chain) {
	comma := m.punct(c.to) == ','
	j := m.skipParticles(m.past(c.to, ","))
	broken := m.nextLine(j) || m.nextLine(c.to)
	if k := m.pastInitial(j); !comma && k > j { // "Ann B\nMoss" and "Ann\nB. Moss"
		broken = broken || m.nextLine(k)
		j = k
	}
	if !m.isWord(j) && m.has(j) || !broken {
		return
	}
	if !m.isWord(j) || !comma && m.toks[j].Case != m.toks[c.first()].Case || m.wordAt(j).bits&wName == 0 || c.n == len(c.words) {
		return
	}
	given, family := c.last(), j
	ownLine := (!m.sameLine(j+1) || m.punct(j+1) == ',') && m.sameLine(c.from) && (!m.lower(j) || m.wordAt(c.first()).level == onlyName)
	if comma || m.wordAt(given).bits&wGiven == 0 && ownLine {
		given, family = family, given
	}
	if m.g.pairs[pairKey(m.keys[given], m.keys[family])] != 0 {
		c.comma = comma
		c.add(j, m.wordAt(j).bits)
	}
}

// pastInitial returns the token after an initial with or without a full stop, or k where none is.
func (m *matcher) pastInitial(k int) int {
	if !m.near(k) || !m.single(k) {
		return k
	}
	return m.past(k+1, ".")
}

// takeParticles takes in "de la" before the family name they belong to.
func (m *matcher) takeParticles(c *chain) {
	if m.wordAt(c.first()).bits&wFamily == 0 {
		return
	}
	if j := c.from - 2; m.punct(j+1) == '\'' && m.single(j) && m.glued(j+1) && m.glued(c.from) {
		c.from = j // "O'"
	}
	for m.near(c.from) {
		m.steps++
		j := c.from - 1
		if m.punct(j) == '-' && m.glued(j) && m.glued(c.from) { // "al-Amin"
			j--
		}
		if !m.particle(j) {
			return
		}
		c.from = j
	}
}

// particle reports whether the word i is "de" or "van" of a family name, or looks like it.
func (m *matcher) particle(i int) bool {
	if !m.isWord(i) || m.wordAt(i).bits&wParticle != 0 || m.mode == exact || len(m.tok(i)) > longestParticle {
		return m.isWord(i) && m.wordAt(i).bits&wParticle != 0
	}
	w, distance := m.g.near.nearest([]byte(lexicon.Fold(m.tok(i))))
	return w != nil && distance == 0 && m.g.words.get(w.hash).bits&wParticle != 0
}

// skipParticles returns the first token after "de la" of the record at token k.
func (m *matcher) skipParticles(k int) int {
	for m.particle(k) && m.near(k) {
		m.steps++
		k++
		if m.punct(k) == '-' && m.glued(k) && m.glued(k+1) {
			k++
		}
	}
	return k
}

// takeSuffix takes in "Jr." behind a name in full.
func (m *matcher) takeSuffix(c *chain) {
	j := m.past(c.to, ",")
	if c.paired && m.near(j) && m.plays(j, text.RoleSuffix) {
		c.to = j + 1
	}
}

// findPairs looks for a given name, or its initial, next to a family name of the
// same person.
func (m *matcher) findPairs(c *chain) {
	for k := 1; k < c.n; k++ {
		if bits := m.pair(m.keys[c.words[k-1]], m.keys[c.words[k]]); bits != 0 {
			c.paired, c.bits = true, bits
		}
	}
	m.leftInitials(c)
	m.rightInitial(c)
}

// pair returns whose names the words are, in either order, or 0.
func (m *matcher) pair(a, b uint64) wordBits {
	if bits := m.g.pairs[pairKey(a, b)]; bits != 0 {
		return bits
	}
	return m.g.pairs[pairKey(b, a)]
}
