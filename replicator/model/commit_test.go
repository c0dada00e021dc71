package model

// ready returns how many items at the head of the queue are whole transactions or requests,
// of which groups are taken, and all of them done.
func (s *state) ready(groups int) int {
	n := 0
	for i := range int(s.length) {
		if !s.queue[i].done {
			break
		}
		if s.queue[i].last {
			n = i + 1
			if groups--; groups == 0 {
				break
			}
		}
	}
	if groups > 0 {
		return 0
	}
	return n
}

// commit writes groups from the head of the queue in one transaction, with the position.
func (s *state) commit(c *scope, groups int) bool {
	n := s.ready(groups)
	if n == 0 || !c.rules.has(besideStream) && s.hands[0].active { // the committer is at it itself
		return false
	}
	before, noted := s.rows, [patients]bool{}
	for i := range n {
		s.apply(c, &s.queue[i], &before, &noted)
	}
	copy(s.queue[:], s.queue[n:s.length])
	for i := int(s.length) - n; i < int(s.length); i++ {
		s.queue[i] = item{}
	}
	s.length -= int8(n)
	if c.rules.has(confirmsDurable) {
		s.confirmed = s.position
	}
	return true
}

// apply writes one item. before holds the rows before the group, and noted the patients of
// whom the group has notes.
func (s *state) apply(c *scope, it *item, before *[notes]row, noted *[patients]bool) {
	if c.rules.has(countsCommitted) && it.kind == change && (it.op == write || it.op == remove) {
		for i := range s.hands {
			s.hands[i].rowChanged[it.n] = s.hands[i].active
		}
	}
	switch {
	case it.kind == strike:
		if !s.refused[it.req.index()] {
			s.strike(c, it.req)
		}
		s.refused[it.req.index()] = false
		return
	case it.kind == rewrite:
		if !s.admits(c, it) && s.rows[it.n].there {
			s.refused[it.req.index()] = true
		}
		if s.admits(c, it) || c.rules.has(storesRefused) {
			s.store(c, it)
		}
		if s.admits(c, it) {
			s.writeRow(it)
		}
		return
	case it.op == rename:
		s.vault.words[it.p] |= it.record
		if published(before, it.p) || c.rules.has(countsGroup) && noted[it.p] {
			s.vault.queue[it.p] = it.tx
		}
	case it.op == move:
		s.vault.path = it.tx
	case it.op == remove:
		s.rows[it.n] = row{}
	case it.op == write:
		if s.holds[it.tx-1].notes[it.n].there || c.rules.has(insertsToo) {
			s.inheritLate(c, it)
		}
		s.store(c, it)
		s.writeRow(it)
		noted[it.p] = true
	}
	s.position = it.tx
}

// published reports whether rows of p are among those.
func published(rows *[notes]row, p int8) bool {
	for n := range rows {
		if rows[n].there && rows[n].patient == p {
			return true
		}
	}
	return false
}

// admits reports whether a row that was read again may be written.
func (s *state) admits(c *scope, it *item) bool {
	r := &s.rows[it.n]
	if c.rules.has(samePublished) && r.there && r.patient != it.was {
		return false
	}
	return !c.rules.has(onlyThere) || r.there
}

// inherit makes an item's patient take over what the patient's record knows as whose the row
// is published, if that is another one, and asks for the patient's notes to be read again.
// It reports whether that was so.
func (s *state) inherit(c *scope, it *item, at int8) bool {
	r := &s.rows[it.n]
	if !r.there || r.patient == it.p {
		return false
	}
	s.vault.queue[it.p] = max(s.vault.queue[it.p], at)
	if c.rules.has(takesOver) {
		s.vault.former[it.p] |= 1 << r.patient
	}
	s.cache[it.p] = known{}
	return true
}

// inheritLate does so for an item that was de-identified already, which is then done again.
func (s *state) inheritLate(c *scope, it *item) {
	if !s.inherit(c, it, it.tx) || c.rules.has(redoesLater) {
		return
	}
	k := s.look(it.p)
	it.record, it.knows = k.record, k.record|k.words|s.toldOf(c, it.p)|it.knows
	fresh := it.fresh
	s.deidentify(it)
	it.fresh |= fresh
}

// store writes what belongs to an item into the vault.
func (s *state) store(c *scope, it *item) {
	s.vault.words[it.p] |= it.record
	if !c.rules.has(oneTransaction) {
		return
	}
	for w := range s.book[it.p] {
		if it.fresh&(1<<w) != 0 || c.rules.has(storesUsed) && it.caught&(1<<w) != 0 {
			s.vault.book[it.p][w] = s.book[it.p][w]
		}
	}
}

func (s *state) writeRow(it *item) {
	r := &s.rows[it.n]
	if r.there && r.at == it.text.at { // what was caught in a text does not come back in it
		it.must |= r.caught | r.must
	}
	*r = row{there: true, patient: it.p, says: it.text.says, caught: it.caught, at: it.text.at, must: it.must, shows: it.shows}
}

// strike takes a request off the queue.
func (s *state) strike(c *scope, q request) {
	at := &s.vault.path
	if !q.path {
		at = &s.vault.queue[q.p]
	}
	if *at <= q.at || !c.rules.has(strikesOlder) {
		*at = 0
	}
}

// startOver makes a new slot and forgets the position; rows that the source does not have are
// deleted, and all others copied again.
func (s *state) startOver(c *scope) {
	s.crash()
	s.beginCopy(c)
	for n := range s.rows {
		if !s.present().notes[n].there {
			s.rows[n] = row{}
		}
	}
}
