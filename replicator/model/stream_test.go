package model

// load reads a patient: the record as the source has it now, and what the vault remembers.
func (s *state) load(p int8) known {
	k := known{loaded: true, record: s.present().record(p), words: s.vault.words[p]}
	for q := range int8(patients) {
		if s.vault.former[p]&(1<<q) != 0 {
			k.words |= s.vault.words[q]
		}
	}
	return k
}

// toldOf returns what rows of the stream told of p, and of those whose rows p has taken over.
func (s *state) toldOf(c *scope, p int8) words {
	told := s.told[p]
	for q := range int8(patients) {
		if c.rules.has(tellsFormer) && s.vault.former[p]&(1<<q) != 0 {
			told |= s.told[q]
		}
	}
	return told
}

// look returns a patient from the cache, loaded if need be.
func (s *state) look(p int8) known {
	if !s.cache[p].loaded {
		s.cache[p] = s.load(p)
	}
	return s.cache[p]
}

// resolve returns whose note n is, as far as can be known now.
func (s *state) resolve(n int8) int8 {
	if n != 0 {
		return s.present().patientOf(n)
	}
	if s.path == 0 {
		s.path = s.present().owner + 1
	}
	return s.path - 1
}

// attach fills in what is searched for in an item's text. from is the position of its row.
func (s *state) attach(c *scope, it *item, from int8) {
	k := s.look(it.p)
	it.record, it.knows = k.record, k.record|k.words|s.toldOf(c, it.p)
	f, p := &s.holds[from], it.p
	if c.strictOwner {
		p = f.patientOf(it.n)
	}
	if it.must = f.record(p) & it.text.says; c.atRest && p != f.patientOf(it.n) {
		it.must = 0
	}
}

// changesOf returns the items of a transaction.
func (s *state) changesOf(tx int8) (list [2]item, n int) {
	t, f := s.log[tx], &s.holds[tx]
	switch t.op {
	case rename:
		list[0] = item{op: rename, p: t.n, record: f.record(t.n), done: true}
		n = 1
	case renameAndWrite:
		p := f.patientOf(t.n)
		list[0] = item{op: rename, p: p, record: f.record(p), done: true}
		list[1] = item{op: write, n: t.n, text: f.notes[t.n]}
		n = 2
	case write:
		list[0] = item{op: write, n: t.n, text: f.notes[t.n]}
		n = 1
	default:
		list[0] = item{op: t.op, n: t.n, done: true}
		n = 1
	}
	for i := range n {
		list[i].kind, list[i].tx = change, tx
	}
	list[n-1].last = true
	return list, n
}

// dispatch takes the next transaction from the stream, drops what it makes stale, finds out
// whose its rows are and puts them into the queue.
func (s *state) dispatch(c *scope) bool {
	if s.received == s.now || s.copied < notes {
		return false
	}
	list, n := s.changesOf(s.received + 1)
	if int(s.length)+n > queueLength-1 {
		return false
	}
	s.received++
	for i := range n {
		s.forget(c, &list[i])
	}
	for i := range n {
		it := &list[i]
		if it.op == write {
			it.p = s.resolve(it.n)
			s.attach(c, it, it.tx)
			s.touch(it.p)
		}
		s.put(*it)
	}
	if !c.rules.has(confirmsDurable) {
		s.confirmed = s.received
	}
	return true
}

// touch tells the rewriter that the stream has brought a note of p.
func (s *state) touch(p int8) {
	for i := range s.hands {
		h := &s.hands[i]
		for n := range h.rows {
			h.patientChanged = h.patientChanged || h.rows[n].kind != none && h.rows[n].p == p
		}
	}
}

func (s *state) put(it item) {
	s.queue[s.length] = it
	s.length++
}

// forget drops from the caches what a change of the stream makes stale, and tells the
// rewriter of it.
func (s *state) forget(c *scope, it *item) {
	switch it.op {
	case rename:
		s.cache[it.p] = known{}
		if c.rules.has(keepsTold) {
			s.told[it.p] |= it.record
		}
	case move:
		s.path = 0
	}
	if !c.rules.has(countsCommitted) && (it.op == write || it.op == remove) {
		for i := range s.hands {
			s.hands[i].rowChanged[it.n] = s.hands[i].active
		}
	}
}

// work de-identifies the first item that waits for it: those of one patient in order. That
// it is one worker for all loses nothing, since the books of two patients are apart.
func (s *state) work() bool {
	for i := range s.length {
		if it := &s.queue[i]; !it.done {
			s.deidentify(it)
			return true
		}
	}
	return false
}

func (s *state) deidentify(it *item) {
	it.caught = it.text.says & it.knows
	it.fresh = s.book[it.p].choose(it.caught)
	it.shows = s.book[it.p].show(it.caught)
	it.done = true
}

// copyNext copies the next note.
func (s *state) copyNext(c *scope) bool {
	if s.copied == notes {
		return false
	}
	if s.snapshot == 0 { // the slot's is gone
		s.snapshot = s.now + 1
		s.newest = max(s.newest, s.now)
		s.keepRecords(c)
	}
	s.copyNote(c, s.copied, s.snapshot-1)
	s.copied++
	return true
}

func (s *state) copyNote(c *scope, n, at int8) {
	f := &s.holds[at]
	if !f.notes[n].there {
		return
	}
	it := item{kind: rewrite, n: n, p: s.resolve(n), text: f.notes[n]}
	s.inherit(c, &it, max(s.position, 1))
	s.attach(c, &it, at)
	s.deidentify(&it)
	s.store(c, &it)
	s.writeRow(&it)
}
