package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

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

// name decides on the name that begins with the gazetteer's word i.
func (m *matcher) name(i int) int {
	c := m.chainAt(i)
	m.takeParticles(&c)
	m.findPairs(&c)
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
	for k := 0; k < c.n; k++ {
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
	if !m.isWord(i) || !m.glued(i+1) || m.punct(i+1) != '\'' || !m.glued(i+2) || !m.isWord(i+2) || len(m.tok(i)) > 3 || len(m.tok(i+2)) < 3 {
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
	if c.paired && !comma && m.toks[c.words[0]].Case == Upper && m.toks[j].Space && !m.glued(j+1) && m.tok(j) != "M" && m.tok(j) != "F" {
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

// lookAround looks for titles, labels and credentials beside the chain.
func (m *matcher) lookAround(c *chain) {
	j := c.from - 1
	if p := m.punct(j); p == '.' || p == ':' || p == ',' || p == '-' || p == '#' {
		colon := p == ':'
		j--
		if colon && m.punct(j) == ')' {
			return
		}
		if colon && m.cue(j, cuePatientTag|cueStaffTag|cueSigning|cueBy) {
			c.evidence, c.doctor = true, m.cue(j, cueStaffTag|cueSigning|cueBy)
			return
		}
	}
	if m.sameLine(c.from) {
		switch {
		case m.cue(j, cueDoctorTitle):
			c.evidence, c.doctor = true, true
		case m.cue(j, cuePersonTitle):
			c.evidence = true
		case m.cue(j, cueBy) && j == c.from-1 && m.careBefore(j), m.cue(j, cueStaffTitle) && j == c.from-1:
			c.evidence, c.doctor = true, true
		case m.staff && j == c.from-1 && m.cue(j, cueReach) && m.wordAt(c.words[0]).level < ordinary && m.toks[c.words[0]].Case != Lower:
			c.evidence, c.doctor = true, true
		case j == c.from-1 && m.cue(j, cuePatientTag) && !m.staff:
			c.evidence = true
		}
	}
	k := c.to
	if m.punct(k) == ',' {
		k++
	}
	if m.sameLine(k) && m.cue(k, cueCredential) && (m.toks[k].Case != Lower) {
		c.evidence, c.doctor = true, true
	}
}

// careBefore reports whether the word before "by" at token j tells what staff do:
// "signed by", "seen by", "referred by".
func (m *matcher) careBefore(j int) bool {
	return m.cue(j-1, cueSigning|cueHome) || m.isWord(j-1) && m.vocab.find(m.tok(j-1)).bits&isDateCue != 0
}

// namelike reports whether a chain with a title beside it is written like a
// name: with a capital, or of words that are hardly anything but names.
func (m *matcher) namelike(c *chain) bool {
	last := c.words[c.n-1]
	if m.staff && m.wordAt(c.words[0]).bits&wFamily == 0 && m.wordAt(last).bits&wFamily == 0 {
		return false
	}
	return m.toks[c.words[0]].Case != Lower || m.wordAt(last).level == onlyName || m.titled(c)
}

// titled reports whether "mr" or "dr" stands right before the chain: after it,
// even an ordinary word in lower case is a name.
func (m *matcher) titled(c *chain) bool {
	j := c.from - 1
	if m.punct(j) == '.' {
		j--
	}
	return m.cue(j, cueDoctorTitle|cuePersonTitle)
}

func (m *matcher) wordAt(i int) gazWord { return m.g.words[m.keys[i].hash] }

func (m *matcher) allLower(c *chain) bool {
	for _, i := range c.words[:c.n] {
		if m.toks[i].Case != Lower {
			return false
		}
	}
	return true
}

// allOrdinaryLower tells "may long" from a name.
func (m *matcher) allOrdinaryLower(c *chain) bool {
	for _, i := range c.words[:c.n] {
		if m.toks[i].Case != Lower || m.wordAt(i).level < ordinary {
			return false
		}
	}
	return true
}

// emitName emits tokens [from, to) with the type that words and titles tell.
func (m *matcher) emitName(c *chain, from, to int) int {
	w := m.wordAt(c.words[0])
	nick := w.bits&wNick != 0 && !c.paired && !c.evidence
	if m.mustOnly && nick {
		return 0
	}
	t := Patient
	if c.bits&wPatient == 0 || c.doctor && c.bits&wProvider != 0 {
		t = Doctor
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
	case m.toks[i].Case == Lower:
		return false
	case w.level == alsoWord:
		return !m.inHeading(i) || m.toks[i].Case == Title && c.n > 1
	}
	if w.bits&wPatient == 0 || m.toks[i].Case != Title || len(m.tok(i)) < 3 || m.begins(i) || m.besideTitle(i) {
		return false
	}
	return !w.month || !m.besideNumber(i) && m.has(i-1) && (m.toks[i-1].Kind != Word || m.vocab.find(m.tok(i-1)).bits&(isPrep|isIn|isLast|isPartOf) == 0)
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
	return m.cue(j, cueEponymNoun)
}

// isTown reports whether the word and the next one are a town together: "Ann
// Arbor".
func (m *matcher) isTown(i int) bool {
	if !m.isWord(i+1) || m.toks[i+1].Case == Lower || !m.sameLine(i+1) {
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
		return !m.cue(i-2, cueDoctorTitle|cuePersonTitle) && !m.letter(i-2)
	}
	return true
}

// besideTitle reports whether a capitalised word stands right beside token i: of
// a heading, a place, an organisation.
func (m *matcher) besideTitle(i int) bool {
	after := m.isWord(i+1) && m.sameLine(i+1) && m.toks[i+1].Case != Lower
	before := m.isWord(i-1) && m.sameLine(i) && m.toks[i-1].Case != Lower
	return after || before
}

// inHeading reports whether token i stands in a run of words in capitals.
func (m *matcher) inHeading(i int) bool {
	if m.toks[i].Case != Upper {
		return false
	}
	after := m.isWord(i+1) && m.sameLine(i+1) && m.toks[i+1].Case == Upper && !m.letter(i+1)
	before := m.isWord(i-1) && m.sameLine(i) && m.toks[i-1].Case == Upper && !m.letter(i-1)
	return (after || before) && m.wordAt(i).level == ordinary
}

func (m *matcher) besideNumber(i int) bool {
	j := i + 1
	if m.punct(j) == '.' || m.punct(j) == ',' {
		j++
	}
	return m.has(j) && m.toks[j].Kind == Number || m.has(i-1) && m.toks[i-1].Kind == Number
}
