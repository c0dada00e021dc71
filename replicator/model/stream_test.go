package model

// load reads a patient: the record as the source has it now, and what the vault has, seen by d.
func (s *state) load(c *scope, p int8, d *durable) known {
	k := known{loaded: true, record: s.present().record(p, s.merges), read: s.now}
	for id := range int8(patients) {
		if id == p || s.merges.member(id, p) && c.rules.has(keepsNames) {
			k.words |= d.vault.words[id] | s.told[id]
		}
	}
	if q := 1 - p; d.vault.former[p]&(1<<q) != 0 {
		k.words |= d.vault.words[q]
	}
	if !c.rules.has(oneBook) {
		k.opened = s.freeBook(p) + 1
	}
	return k
}

// freeBook returns a place for a book of p that nothing uses.
func (s *state) freeBook(p int8) int8 {
	var used [books]bool
	s.eachOpened(func(q, at int8) {
		if q == p {
			used[at] = true
		}
	})
	for at := range int8(books) {
		if !used[at] {
			s.opened[p][at] = book{}
			return at
		}
	}
	panic("more versions of a patient than the model has room for")
}

// eachOpened passes each place of a book that is in use.
func (s *state) eachOpened(each func(p, at int8)) {
	for p := range s.cache {
		if at := s.cache[p].opened; at != 0 {
			each(int8(p), at-1)
		}
	}
	of := func(it *item) {
		if it.there && !it.done && it.opened != 0 {
			each(it.p, it.opened-1)
		}
	}
	for i := range s.queue {
		of(&s.queue[i])
	}
	for i := range s.batch.requests {
		for n := range s.batch.requests[i].rows {
			of(&s.batch.requests[i].rows[n])
		}
	}
}

// closeBooks forgets the books that nothing uses, so that equal states are equal.
func (s *state) closeBooks() {
	before := s.opened
	s.opened = [patients][books]book{}
	s.eachOpened(func(p, at int8) { s.opened[p][at] = before[p][at] })
}

// idOf returns the patient id of an item's note, as far as is known now.
func (s *state) idOf(it *item) int8 {
	if it.n != 0 {
		return s.holds[it.tx].idOf(it.n)
	}
	if s.path == 0 {
		s.path = s.present().owner + 1
	}
	return s.path - 1
}

// resolve finds the patient of an item's row, and whether that one is published, as d sees it.
func (s *state) resolve(c *scope, it *item, d *durable) {
	it.p = s.merges.survivor(s.idOf(it))
	it.stays = it.p == nobody || d.vault.flags.stayOut(c, s.merges, it.p)
	it.loaded = false
	if it.stays {
		it.done = true
	}
}

// attach fills in what is searched for in an item's text. from is the position of its row.
func (s *state) attach(c *scope, it *item, from int8, d *durable) {
	if !s.cache[it.p].loaded {
		s.cache[it.p] = s.load(c, it.p, d)
	}
	k := s.cache[it.p]
	it.read, it.record, it.knows, it.opened, it.loaded, it.void = k.read, k.record, k.record|k.words, k.opened, true, false
	p := it.p
	if c.strictOwner {
		p = s.holds[max(from, s.newest)].patientOf(it.n)
	}
	it.must = s.mustCatch(p, from, k.read, d) & it.text.says
}

// mustCatch returns the names that the record of p had at a position: what left it before it was first read is not known. read
// is when it was read.
func (s *state) mustCatch(p, from, read int8, d *durable) (names words) {
	for id := range int8(patients) {
		first := d.vault.read[id]
		if first < 0 {
			first = read
		}
		if s.merges.member(id, p) {
			names |= s.holds[max(from, first)].name(id)
		}
	}
	return names
}

// changesOf returns the items of a transaction.
func (s *state) changesOf(tx int8) (list [2]item, n int) {
	t, f := s.log[tx], &s.holds[tx]
	renamed := func(id int8) item { return item{op: rename, n: id, record: f.name(id), read: tx, done: true} }
	written := item{op: write, n: t.n, text: f.notes[t.n]}
	n = 1
	switch t.op {
	case rename:
		list[0] = renamed(t.n)
	case renameAndWrite:
		list[0], list[1], n = renamed(f.idOf(t.n)), written, 2
	case write:
		list[0] = written
	case touch, refile:
		list[0] = written
		list[0].keeps = true
	case flag:
		list[0] = item{op: t.op, n: t.n, say: f.flags[t.n], done: true}
	case join:
		list[0] = item{op: t.op, n: t.n, say: f.merges[t.n], done: true}
	default:
		list[0] = item{op: t.op, n: t.n, done: true}
	}
	for i := range n {
		list[i].there, list[i].tx = true, tx
	}
	list[n-1].last = true
	return list, n
}

// dispatch takes the next transaction from the stream, drops what it makes stale, finds the
// patients of its rows and puts them into the queue.
func (s *state) dispatch(c *scope) bool {
	if s.received == s.now || s.copied < pages {
		return false
	}
	list, n := s.changesOf(s.received + 1)
	if int(s.length)+n > queueLength {
		return false
	}
	s.received++
	for i := range n {
		s.forget(c, &list[i])
	}
	for i := range n {
		it := &list[i]
		if it.op == write {
			s.resolve(c, it, &s.durable)
			if !it.stays {
				s.attach(c, it, it.tx, &s.durable)
			}
		}
		s.queue[s.length] = *it
		s.length++
	}
	if !c.rules.has(confirmsDurable) {
		s.confirmed = s.received
	}
	return true
}

// forget drops from the caches what a change of the stream makes stale.
func (s *state) forget(c *scope, it *item) {
	switch it.op {
	case rename:
		s.forgetRecord(c, it)
	case move:
		s.path = 0
	case join:
		s.join(c, it)
	}
}

// forgetRecord drops whose record it is that changed, and keeps what the row says.
func (s *state) forgetRecord(c *scope, it *item) {
	it.p = s.merges.survivor(it.n)
	if it.p == nobody {
		s.cache = [patients]known{}
		if it.stays = true; c.rules.has(keepsNames) {
			s.tell(it.n, it.record)
		}
		return
	}
	s.cache[it.p] = known{}
	it.stays = s.vault.flags.stayOut(c, s.merges, it.p)
	if c.rules.has(keepsTold) && (!it.stays || c.rules.has(keepsHeld)) {
		s.tell(it.names(c), it.record)
	}
}

// tell takes in names of p's record.
func (s *state) tell(p int8, names words) {
	s.untold[p] |= names &^ s.told[p]
	s.told[p] |= names
}

// work de-identifies the first item of the stream that waits for it: those of one patient in
// order. That it is one worker for all loses nothing, since the books of two patients are apart.
func (s *state) work(c *scope) bool {
	for i := range s.length {
		if it := &s.queue[i]; !it.done {
			s.deidentify(c, it)
			return true
		}
	}
	return false
}

func (s *state) deidentify(c *scope, it *item) {
	all, before := &s.ledger[it.p], s.ledger[it.p]
	b := all
	if !c.rules.has(oneBook) {
		if b = &s.opened[it.p][it.opened-1]; *b == (book{}) {
			*b = *all // when it is first needed
		}
	}
	if it.keeps {
		it.done = true
		return
	}
	it.caught = it.text.says & it.knows
	b.choose(it.caught)
	it.shows = b.show(it.caught)
	for w := range it.shows {
		if it.shows[w] != 0 && before[w] == 0 {
			all[w] = it.shows[w]
			it.fresh |= 1 << w
		}
	}
	s.unstored[it.p] |= it.fresh
	for id := range int8(patients) {
		s.tell(id, it.own(c, id))
	}
	it.done = true
}

// copyNext copies the next page: the records, or a note.
func (s *state) copyNext(c *scope) bool {
	if s.copied == pages {
		return false
	}
	if s.snapshot == 0 { // the slot's is gone
		s.snapshot = s.now + 1
		s.newest = max(s.newest, s.now)
		if c.rules.has(recordsAgain) {
			s.copyRecords(c, s.now)
		}
	}
	n := s.copied
	if c.rules.has(recordsFirst) {
		n = (s.copied + notes) % pages
	}
	if n < notes {
		s.copyNote(c, n, s.snapshot-1)
	} else {
		s.copyDecisions(c, s.snapshot-1)
		s.copyRecords(c, s.snapshot-1)
	}
	if s.copied++; s.copied == pages {
		s.crash() // the stream has caches of its own
	}
	return true
}

// copyDecisions copies the rows that decide who is published, and for whom ids stand.
func (s *state) copyDecisions(c *scope, at int8) {
	f, d := &s.holds[at], &s.durable
	s.setFlags(c, d, f.flags)
	var moves []shift
	for id := range int8(patients) {
		if m := s.merges.set(id, f.merges[id]); m.there {
			moves = append(moves, m)
		}
	}
	if d.vault.merges = f.merges; c.rules.has(movesCopied) {
		s.moveAll(c, d, moves)
	}
	s.forgetGone(c)
}

func (s *state) copyRecords(c *scope, at int8) {
	for id := range int8(patients) {
		p := s.named(c, &item{op: rename, n: id, p: s.merges.survivor(id)})
		if p == nobody || !c.rules.has(copyTold) {
			continue
		}
		if s.vault.flags.stayOut(c, s.merges, p) {
			s.vault.read[id] = -1
			continue
		}
		if s.cache[p] = (known{}); c.rules.has(keepsNames) {
			p = id
		}
		s.vault.words[p] |= s.holds[at].name(id)
		s.vault.read[p] = at // what left it since a snapshot before is not known
	}
}

func (s *state) copyNote(c *scope, n, at int8) {
	f := &s.holds[at]
	if !f.notes[n].there {
		return
	}
	it := item{there: true, op: write, tx: at, n: n, text: f.notes[n]}
	s.resolve(c, &it, &s.durable)
	if it.stays {
		s.rows[n], s.vault.aside[n] = row{}, aside{}
		return
	}
	if r := &s.rows[n]; r.there {
		it.was = r.patient + 1
	}
	if it.takesOver() {
		s.inherit(c, &it, &s.durable)
		stamp(&s.vault.queue[it.p])
	}
	s.attach(c, &it, at, &s.durable)
	s.deidentify(c, &it)
	s.handOver(c, &it)
	s.store(c, &s.durable, &it)
	s.durable.write(&it)
}
