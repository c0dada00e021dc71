package ensemble

// chain is a run of tokens that may together be a name: words of the gazetteer,
// initials between or beside them, and the marks that join them.
type chain struct {
	from, to int // tokens
	words    [8]int
	n        int      // of words
	paired   bool     // two of them are given and family name of one person
	bits     wordBits // of the words, and of the pairs
	evidence bool     // title, label or credential beside it
	doctor   bool     // and that of a member of the staff
}

// takeParticles takes in "de la" before the family name they belong to.
func (m *matcher) takeParticles(c *chain) {
	if m.wordAt(c.words[0]).bits&wFamily == 0 {
		return
	}
	for m.isWord(c.from-1) && m.sameLine(c.from) && m.wordAt(c.from-1).bits&wParticle != 0 {
		c.from--
	}
}

// chainAt gathers the chain around the word i.
func (m *matcher) chainAt(i int) chain {
	c := chain{from: i, to: i + 1}
	c.add(i, m.g.words[m.keys[i].hash].bits)
	for c.n < len(c.words) {
		j := m.nextInChain(c.to)
		if j == 0 {
			break
		}
		k := j
		for m.letter(k) && !m.isJoined(k) && k < i+12 { // initials, then perhaps a name
			k++
			if m.punct(k) == '.' && m.glued(k) {
				k++
			}
			if m.punct(k) == '-' && m.glued(k) {
				k++
			}
		}
		w, ok := gazWord{}, false
		if m.isWord(k) && m.sameLine(k) {
			w, ok = m.g.words[m.keys[k].hash]
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
	return c
}

// continues reports whether the gazetteer's word k goes on with the chain: over a
// comma only a given name after a family name does, and no ordinary word in lower
// case after a capital.
func (m *matcher) continues(c *chain, k int, w gazWord) bool {
	if m.toks[k].Case == Lower && w.level > onlyName && m.toks[c.from].Case != Lower {
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
	_, pair := m.pair(m.keys[c.words[0]].hash, m.keys[k].hash)
	initial := m.letter(c.from-1) || m.punct(c.from-1) == '.' && m.letter(c.from-2)
	return pair && !initial && m.keys[k].hash != m.keys[c.words[c.n-1]].hash
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
	w, ok := m.g.words[keyOf(m.tok(i)+m.tok(i+2)).hash]
	return w, ok
}

func (c *chain) add(i int, bits wordBits) {
	c.words[c.n] = i
	c.n++
	c.bits |= bits & (wPatient | wProvider)
}

// nextInChain returns the token after the marks that may stand between two parts
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

// findPairs looks for a given name, or its initial, beside a family name of the
// same person.
func (m *matcher) findPairs(c *chain) {
	for k := 1; k < c.n; k++ {
		a, b := m.keys[c.words[k-1]].hash, m.keys[c.words[k]].hash
		if bits, ok := m.pair(a, b); ok {
			c.paired, c.bits = true, bits
		}
	}
	m.leftInitials(c)
	m.rightInitial(c)
}

func (m *matcher) pair(a, b uint64) (wordBits, bool) {
	if bits, ok := m.g.pairs[pairKey(a, b)]; ok {
		return bits, true
	}
	bits, ok := m.g.pairs[pairKey(b, a)]
	return bits, ok
}

// leftInitials takes in "J. C." before the chain if one of them fits.
func (m *matcher) leftInitials(c *chain) {
	from := c.from
	for range 2 {
		j := from - 1
		if m.punct(j) == '.' && m.sameLine(from) {
			j--
		}
		if !m.letter(j) || !m.sameLine(j+1) || m.punct(j-1) == '\'' {
			return
		}
		from = j
		if bits, ok := m.g.pairs[pairKey(keyOf(m.tok(j)).hash, m.keys[c.words[0]].hash)]; ok {
			c.from, c.paired, c.bits = from, true, bits
		} else if c.n > 1 && c.paired {
			return
		}
	}
}

// rightInitial takes in "J" of "Smith, J" and "Smith J.".
func (m *matcher) rightInitial(c *chain) {
	j := c.to
	comma := m.punct(j) == ','
	if comma {
		j++
	}
	if !m.letter(j) || !m.sameLine(j) {
		return
	}
	if c.paired && !comma && m.toks[c.words[0]].Case == Upper && m.toks[j].Space && !m.glued(j+1) && m.tok(j) != "M" &&
		m.tok(j) != "F" {
		c.to = j + 1 // a middle initial that the record does not hold
		return
	}
	if bits, ok := m.pair(keyOf(m.tok(j)).hash, m.keys[c.words[c.n-1]].hash); ok {
		if m.punct(j+1) == '.' && m.glued(j+1) && m.glued(j+2) && m.isWord(j+2) {
			return // "R.N."
		}
		if m.glued(j+1) && m.punct(j+1) != '.' && m.punct(j+1) != ',' && m.punct(j+1) != ')' {
			return
		}
		c.to, c.paired, c.bits = j+1, true, bits
	}
}
