package model

// Which patients are published, and which ids stand for others: rows of the source decide it.

// nobody is the patient of an id of which it is not clear for whom it stands.
const nobody = -1

// merges say, by patient id, that the id stands for the other one.
type merges [patients]bool

// survivor returns the patient for whom an id stands.
func (m merges) survivor(id int8) int8 {
	switch {
	case !m[id]:
		return id
	case m[1-id]:
		return nobody
	}
	return 1 - id
}

// member reports whether an id is p, or stands for p in the end.
func (m merges) member(id, p int8) bool { return id == p || m.survivor(id) == p }

// namesOf returns all names that ids can have that are p, or stand for p.
func (m merges) namesOf(p int8) (names words) {
	for id := range int8(patients) {
		if m.member(id, p) {
			names |= namesOf(id)
		}
	}
	return names
}

// under reports whether an id is p, or stands for p.
func (m merges) under(id, p int8) bool { return id == p || m[id] }

// flags say, by patient id, that a row keeps the patient out, or lets the patient in.
type flags [patients]bool

// stayOut reports whether p is not published.
func (f flags) stayOut(c *scope, m merges, p int8) bool {
	some := false
	for id := range int8(patients) {
		some = some || f[id] && m.member(id, p)
	}
	return some != c.include
}

// out reports whether p is not published by what the source holds.
func (f *facts) out(c *scope, p int8) bool { return p == nobody || f.flags.stayOut(c, f.merges, p) }

// names returns under which id the names of an item's record are kept.
func (it *item) names(c *scope) int8 {
	if it.op == rename && c.rules.has(keepsNames) {
		return it.n
	}
	return it.p
}

// named returns the patient who decides whether the names in a row are kept, by whom the id stands for when the row is written:
// where it is not clear who that is, the id itself.
func (s *state) named(c *scope, it *item) int8 {
	if it.op != rename || !c.rules.has(keepsNames) {
		return it.p
	}
	if p := s.merges.survivor(it.n); p != nobody {
		return p
	}
	return it.n
}

// own returns the names of the item's record that are kept with an id.
func (it *item) own(c *scope, id int8) words {
	whose := it.names(c)
	switch {
	case !c.rules.has(keepsNames) && id == whose:
		return it.record
	case c.rules.has(keepsNames) && (id == whose || it.op != rename && c.rules.has(keepsMembers)):
		return it.record & namesOf(id)
	}
	return 0
}

// shift says that the rows under an id are another patient's now.
type shift struct {
	there        bool
	id, was, now int8
}

// set takes in what a row says of an id, and returns what moves by that.
func (m *merges) set(id int8, say bool) shift {
	was := m.survivor(id)
	m[id] = say
	now := m.survivor(id)
	return shift{was != now, id, was, now}
}

// join takes in, ahead of the committer, what a row says of ids.
func (s *state) join(c *scope, it *item) {
	if c.rules.has(joinsApplied) {
		return
	}
	it.shift = s.merges.set(it.n, it.say)
	if it.shift.there {
		s.cache = [patients]known{}
	}
}

// decide stores what a group says of patients, does what follows from it, and returns whose notes are requested.
func (s *state) decide(c *scope, d *durable, group []item) (asks [patients]bool) {
	var moves []shift
	now := d.vault.flags
	for i := range group {
		switch it := &group[i]; it.op {
		case join:
			d.vault.merges[it.n] = it.say
			if c.rules.has(joinsApplied) {
				it.shift = s.merges.set(it.n, it.say)
			}
			if it.shift.there {
				moves = append(moves, it.shift)
			}
		case flag:
			now[it.n] = it.say
		}
	}
	asks = s.moveAll(c, d, moves)
	s.setFlags(c, d, now)
	return asks
}

// setFlags stores which rows decide about patients, takes away who must go, and asks for who is back.
func (s *state) setFlags(c *scope, d *durable, now flags) {
	before := d.vault.flags
	d.vault.flags = now
	for p := range int8(patients) {
		was, is := before.stayOut(c, s.merges, p), now.stayOut(c, s.merges, p)
		switch {
		case is && !was:
			s.takeAway(c, d, p)
			s.forgetNames(c, d, p)
		case was && !is && c.rules.has(asksBack) && s.copied > 0:
			d.askFor(c, p)
		}
	}
}

// moveAll takes away whose rows are others' now, asks for what they had, and returns who has more in the record.
func (s *state) moveAll(c *scope, d *durable, moves []shift) (asks [patients]bool) {
	var leaving, again [patients]bool
	for _, m := range moves {
		again[m.id] = true
		if m.was != nobody {
			leaving[m.was], again[m.was], s.linked[m.was] = true, true, true
		}
		if m.now == nobody {
			continue
		}
		s.linked[m.now] = true
		again[m.now] = again[m.now] || c.filters() && c.rules.has(asksNow)
		if c.rules.has(forgetsMoved) {
			s.cache = [patients]known{}
		}
		if d.vault.flags.stayOut(c, s.merges, m.now) {
			leaving[m.now] = true
		}
		if m.now == m.id {
			continue
		}
		asks[m.now] = true
		if m.was == m.id && !c.rules.has(keepsNames) {
			d.vault.former[m.now] |= 1 << m.id
		}
	}
	rows := d.rows
	for p := range int8(patients) {
		if leaving[p] && c.rules.has(takesMoved) {
			s.takeAway(c, d, p)
		}
		if leaving[p] && (!c.rules.has(keepsNames) || d.vault.flags.stayOut(c, s.merges, p)) {
			s.forgetNames(c, d, p)
		}
	}
	for p := range int8(patients) {
		if again[p] && c.rules.has(asksMoved) && (s.copied > 0 || d.rows != rows) {
			d.askFor(c, p)
		}
	}
	return asks
}

// askFor requests all rows of p.
func (d *durable) askFor(_ *scope, p int8) {
	stamp(&d.vault.queue[p])
	d.vault.whole[p] = true
}

// takeAway removes everything of p but the names.
func (s *state) takeAway(_ *scope, d *durable, p int8) {
	s.gone[p] = true
	for n := range d.rows {
		if d.rows[n].there && d.rows[n].patient == p {
			d.rows[n] = row{}
		}
		if d.vault.aside[n].of == p+1 {
			d.vault.aside[n] = aside{}
		}
	}
	v := &d.vault
	if !v.whole[p] {
		v.queue[p] = -max(v.queue[p], -v.queue[p])
	}
	v.former[p], v.book[p], v.due[p] = 0, book{}, 0
}

// forgetNames removes the names of p, and of the ids that stand for p, unless somebody has taken over rows of theirs.
func (s *state) forgetNames(c *scope, d *durable, p int8) {
	for id := range int8(patients) {
		who := s.merges.survivor(id)
		if c.rules.has(keepsNames) && who != nobody && !d.vault.flags.stayOut(c, s.merges, who) {
			continue
		}
		if !s.merges.member(id, p) {
			continue
		}
		if d.vault.read[id] = -1; d.vault.former[1-id]&(1<<id) == 0 {
			d.vault.words[id] = 0
		}
	}
}

// pending reports whether rows may be written soon that the replica does not have, and that are not in the stream.
func (v *vault) pending() bool { return v.path != 0 || v.whole != [patients]bool{} }

// staysOut reports whether nothing of p is written into the open transaction.
func (s *state) staysOut(c *scope, d *durable, p int8) bool {
	return p == nobody || s.gone[p] && c.rules.has(leavesGone) || d.vault.flags.stayOut(c, s.merges, p)
}

// leaveOut takes an item out of a group whose patient stays out of the replica.
func (s *state) leaveOut(c *scope, d *durable, it *item) {
	if !c.rules.has(looksAgain) {
		return
	}
	if p := s.named(c, it); it.op == rename {
		it.unnamed = p == nobody || d.vault.flags.stayOut(c, s.merges, p) || s.gone[p] && !c.rules.has(keepsNames)
		if it.unnamed { // so the record is known again when it is next read
			d.vault.read[it.n], s.unnamed[it.n] = -1, c.rules.has(keepsHeld)
		}
	}
	it.stays = it.stays || s.staysOut(c, d, it.p)
}

// forgetGone drops what is known of patients who were taken away, or of whom a name was not stored, once that is committed.
// What is in hand of them is void.
func (s *state) forgetGone(c *scope) {
	for p, gone := range s.gone {
		if !gone && !s.unnamed[p] || !c.rules.has(dropsGone) {
			continue
		}
		s.cache[p], s.ledger[p], s.unstored[p], s.told[p], s.untold[p] = known{}, s.vault.book[p], 0, 0, 0
		s.tellHeld(c, int8(p))
		s.inHand(func(it *item) {
			it.void = it.void || it.loaded && it.p == int8(p) && c.rules.has(voids)
		})
	}
	s.gone, s.unnamed = [patients]bool{}, [patients]bool{}
}

// tellHeld makes the names known again that rows on their way have of the record of a patient id.
func (s *state) tellHeld(c *scope, id int8) {
	for i := range s.queue {
		if it := &s.queue[i]; it.op == rename && it.there && it.names(c) == id && c.rules.has(keepsHeld) {
			s.told[id] |= it.record
		}
	}
}

// inHand passes what is on its way.
func (s *state) inHand(each func(*item)) {
	for i := range s.queue {
		each(&s.queue[i])
	}
	s.batch.each(func(_ *request, it *item) { each(it) })
}
