package record

import "github.com/pgdeid/pgdeid/ensemble/text"

// chain is a run of tokens that may together be a name: words of the gazetteer,
// initials between or next to them, and the marks that join them.
type chain struct {
	from, to int // tokens
	words    [8]int
	n        int      // of words
	paired   bool     // two of them are given and family name of one person
	whole    bool     // and both are spelt out, one right after the other
	bits     wordBits // of the words, and of the pairs
	evidence bool     // title, label or credential next to it
	doctor   bool     // and that of a member of the staff
	person   bool     // evidence that makes a name of a word in lower case too
}

// takeParticles takes in "de la" before the family name they belong to.
func (m *matcher) takeParticles(c *chain) {
	if m.wordAt(c.words[0]).bits&wFamily == 0 {
		return
	}
	for m.sameLine(c.from) {
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

func (m *matcher) particle(i int) bool { return m.isWord(i) && m.wordAt(i).bits&wParticle != 0 }

// skipParticles returns the first token after "de la" of the record at token k, on the
// same line.
func (m *matcher) skipParticles(k int) int {
	for m.particle(k) && m.sameLine(k) {
		m.steps++
		k++
		if m.punct(k) == '-' && m.glued(k) && m.glued(k+1) {
			k++
		}
	}
	return k
}

// chainAt gathers the chain around the word i.
func (m *matcher) chainAt(i int) chain {
	c := chain{from: i, to: i + 1}
	c.add(i, m.g.words[m.keys[i].Hash].bits)
	for c.n < len(c.words) {
		m.steps++
		j := m.nextInChain(c.to)
		if j == 0 {
			break
		}
		k := j
		for m.initialBeside(k, c.from) && !m.isJoined(k) && k < i+12 { // initials, then perhaps a name
			k++
			if m.punct(k) == '.' && m.glued(k) {
				k++
			}
			if m.punct(k) == '-' && m.glued(k) {
				k++
			}
		}
		k = m.skipParticles(k)
		w, ok := gazWord{}, false
		if m.isWord(k) && m.sameLine(k) {
			w, ok = m.g.words[m.keys[k].Hash]
		}
		if ok && w.bits&wName != 0 && m.continues(&c, k, w) {
			c.add(k, w.bits)
			c.to = k + 1
			continue
		}
		if w, ok = m.joined(k); !ok || w.bits&wName == 0 {
			break
		}
		c.add(k+2, w.bits)
		c.to = k + 3
	}
	m.takeNextLine(&c)
	return c
}

// takeNextLine takes in the other half of a name that a line's end divides: "Ann\nMoss"
// or "Moss,\nAnn".
func (m *matcher) takeNextLine(c *chain) {
	j := c.to
	comma := m.punct(j) == ','
	if comma {
		j++
	}
	if c.n > 1 || !m.isWord(j) || m.sameLine(j) || m.toks[j].Case != m.toks[c.words[0]].Case {
		return
	}
	given, family := c.words[0], j
	if comma {
		given, family = family, given
	}
	if m.wordAt(given).bits&wGiven == 0 || m.wordAt(family).bits&wFamily == 0 {
		return
	}
	if m.g.pairBits(m.keys[given].Hash, m.keys[family].Hash) != 0 {
		c.add(j, m.wordAt(j).bits)
		c.to = j + 1
	}
}

// takeSuffix takes in "Jr." behind a name in full.
func (m *matcher) takeSuffix(c *chain) {
	j := c.to
	if m.punct(j) == ',' {
		j++
	}
	if c.paired && m.sameLine(j) && m.plays(j, text.RoleSuffix) {
		c.to = j + 1
	}
}

// continues reports whether the gazetteer's word k goes on with the chain: over a
// comma only a given name after a family name does, and no ordinary word in lower
// case after a capital.
func (m *matcher) continues(c *chain, k int, w gazWord) bool {
	if m.toks[k].Case == text.Lower && w.level > onlyName && m.toks[c.from].Case != text.Lower {
		return false
	}
	if m.punct(c.to) != ',' {
		return true
	}
	for _, i := range c.words[:c.n] {
		if m.wordAt(i).bits&wFamily == 0 {
			return false
		}
	}
	_, pair := m.pair(m.keys[c.words[0]].Hash, m.keys[k].Hash)
	initial := m.letter(c.from-1) || m.punct(c.from-1) == '.' && m.letter(c.from-2)
	return pair && !initial && m.keys[k].Hash != m.keys[c.words[c.n-1]].Hash
}

func (m *matcher) isJoined(i int) bool {
	_, ok := m.joined(i)
	return ok
}

// joined returns what the gazetteer holds of "O'Brien" at its first letter.
func (m *matcher) joined(i int) (gazWord, bool) {
	if !m.isWord(i) || !m.glued(i+1) || m.punct(i+1) != '\'' || !m.glued(i+2) || !m.isWord(i+2) || len(m.tok(i)) > 3 ||
		len(m.tok(i+2)) < 3 {
		return gazWord{}, false
	}
	w, ok := m.g.words[text.KeyOf(m.tok(i)+m.tok(i+2)).Hash]
	return w, ok
}

func (c *chain) add(i int, bits wordBits) {
	c.words[c.n] = i
	c.n++
	c.bits |= bits & (wPatient | wProvider)
}

// nextInChain returns the token after the marks that may be between two parts
// of a name, or 0.
func (m *matcher) nextInChain(j int) int {
	if !m.sameLine(j) {
		return 0
	}
	switch m.punct(j) {
	case 0:
	case ',', '.':
		if m.punct(j) == '.' && !m.glued(j+1) {
			return 0
		}
		j++
	case '_':
		if !m.glued(j) || !m.glued(j+1) {
			return 0
		}
		j++
	case '-', '\'', '"', '(':
		j++
		if m.punct(j-1) == '\'' && m.glued(j) && m.isWord(j) && (m.tok(j) == "s" || m.tok(j) == "S") {
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

// findPairs looks for a given name, or its initial, next to a family name of the
// same person.
func (m *matcher) findPairs(c *chain) {
	for k := 1; k < c.n; k++ {
		a, b := m.keys[c.words[k-1]].Hash, m.keys[c.words[k]].Hash
		if bits, ok := m.pair(a, b); ok {
			c.paired, c.bits = true, bits
			c.whole = c.whole || m.adjoin(c.words[k-1], c.words[k])
		}
	}
	m.leftInitials(c)
	m.rightInitial(c)
}

// adjoin reports whether words i and j are side by side, as in a sentence or in the name
// of a file: "will brown", "brown_will", "will.brown".
func (m *matcher) adjoin(i, j int) bool {
	switch j {
	case i + 1:
		return m.sameLine(j)
	case i + 2:
		c := m.punct(i + 1)
		return (c == '_' || c == '.' || c == '-') && m.glued(i+1) && m.glued(j)
	}
	return false
}

func (m *matcher) pair(a, b uint64) (wordBits, bool) {
	bits := m.g.pairBits(a, b)
	if bits == 0 {
		bits = m.g.pairBits(b, a)
	}
	return bits, bits != 0
}
