package model

// awaited reports whether note n is to be read again.
func (s *state) awaited(n int8) bool {
	return s.vault.queue[s.rows[n].patient] > 0 || n == 0 && s.vault.path != 0 || s.awaitedWhole()
}

// awaitedWhole reports whether all rows of somebody are to be read again.
func (s *state) awaitedWhole() bool { return s.vault.whole != [patients]bool{} }

// check returns the invariant that s breaks, or "".
func (s *state) check(c *scope) string {
	if s.detects {
		return "a detector runs inside the transaction that writes"
	}
	if s.waived {
		return "a row is dropped though nothing was new but updates without its text"
	}
	if s.confirmed > s.position {
		return "the position that was confirmed is ahead of the one that is durable"
	}
	for n := range int8(notes) {
		if what := s.checkNote(c, n); what != "" {
			return what
		}
	}
	if what := s.checkOut(c); what != "" {
		return what
	}
	if s.idle() {
		return s.checkIdle(c)
	}
	return ""
}

// since reports whether something holds at the position, or has come to hold since.
func (s *state) since(holds func(*facts) bool) bool {
	for at := s.position; at <= s.now; at++ {
		if holds(&s.holds[at]) {
			return true
		}
	}
	return false
}

// checkOut looks whether something of a patient is there who stays out.
func (s *state) checkOut(c *scope) string {
	if s.copied < pages || s.position < s.newest {
		return ""
	}
	for n := range int8(notes) {
		if s.rows[n].there && !(n == 0 && s.vault.path != 0) && !s.wasIn(c, n) {
			return "a note is there of a patient who stays out"
		}
	}
	for p := range int8(patients) {
		in := s.since(func(f *facts) bool { return !f.out(c, p) })
		if c.filters() && !in && s.vault.book[p] != (book{}) {
			return "the vault has surrogates of a patient who stays out"
		}
	}
	return ""
}

func (s *state) checkNote(c *scope, n int8) string {
	r, at := &s.rows[n], &s.holds[s.position]
	if s.copied == pages && s.position >= s.newest {
		switch {
		case !r.there && at.notes[n].there && s.vault.aside[n].of == 0 && !s.mayLack(c, n):
			return "a note is lost"
		case r.there && !at.notes[n].there && s.present().notes[n] == (text{}):
			return "a note is there before its time or after its deletion"
		case r.there && r.at < at.notes[n].at:
			return "an older text was written over a newer one"
		case r.there && r.other < at.notes[n].other:
			return "an older row was written over a newer one"
		}
	}
	if !r.there {
		return ""
	}
	for w, shows := range r.shows {
		if r.caught&(1<<w) != 0 && (shows == 0 || shows != s.vault.book[r.patient][w]) {
			return "a text shows a surrogate that the vault does not have for that name"
		}
	}
	if s.copied < pages || c.atRest && !s.idle() {
		return ""
	}
	if r.must&^r.caught != 0 {
		return "a text shows a name of the record of its time, or one that was caught in it before"
	}
	if s.position < s.newest || s.awaited(n) {
		return ""
	}
	if !s.since(func(f *facts) bool { return at.record(r.patient, f.merges)&s.known()&r.says&^r.caught == 0 }) {
		return "a text shows a name of the record, and nothing is to read it again"
	}
	if !s.wasPatient(n, r.patient) {
		return "a text has another patient's surrogates, and nothing is to read it again"
	}
	return ""
}

// known returns the names of records that were read at the position, or have been read since.
func (s *state) known() (names words) {
	for id, read := range s.vault.read {
		if read >= 0 && read <= s.position {
			names |= namesOf(int8(id))
		}
	}
	return names
}

// mayLack reports whether note n may be missing: it is to be read again, or its patient is not to be published.
func (s *state) mayLack(c *scope, n int8) bool {
	return s.awaitedWhole() || n == 0 && s.vault.path != 0 && (c.filters() || c.joins()) || s.since(func(f *facts) bool {
		return s.since(func(later *facts) bool { return later.out(c, later.merges.survivor(f.idOf(n))) })
	})
}

// wasIn reports whether the patient of note n is published at the position or was since.
func (s *state) wasIn(c *scope, n int8) bool {
	return s.since(func(f *facts) bool {
		return s.since(func(later *facts) bool { return !later.out(c, later.merges.survivor(f.idOf(n))) })
	})
}

// wasPatient reports whether note n is p's at the position or was since. What leads to an id can be newer than what says for
// whom it stands: each brings requests of its own.
func (s *state) wasPatient(n, p int8) bool {
	return s.since(func(f *facts) bool {
		return s.since(func(later *facts) bool { return later.merges.survivor(f.idOf(n)) == p })
	})
}

// idle reports whether there is nothing left to do.
func (s *state) idle() bool {
	return s.copied == pages && s.received == s.now && s.length == 0 && !s.open && s.vault.path == 0 &&
		s.vault.queue[0] <= 0 && s.vault.queue[1] <= 0 && s.batch.stage == idle && !s.batch.active()
}

// checkIdle compares the replica with a copy that would be made now.
func (s *state) checkIdle(c *scope) string {
	if s.position != s.now {
		return "at rest, the position is behind"
	}
	f := s.present()
	for n := range int8(notes) {
		r, t, p := &s.rows[n], &f.notes[n], f.patientOf(n)
		known := f.record(r.patient, f.merges) | s.vault.words[r.patient] | s.vault.due[r.patient]
		switch {
		case r.there != (t.there && !f.out(c, p)):
			return "at rest, a note is lost or too many"
		case !r.there:
		case r.other != t.other:
			return "at rest, what a note has besides its text is not the newest"
		case r.at != t.at:
			return "at rest, a text is not the newest"
		case r.patient != p:
			return "at rest, a note is another patient's"
		case known&r.says&^r.caught != 0:
			return "at rest, a text shows a name that the vault knows"
		case s.had(c, f.idOf(n))&r.says&^r.caught != 0:
			return "at rest, a text shows a name that the record had while its patient was published"
		}
	}
	return ""
}

// had returns the names that the record of an id has, and had before while its patient was published.
func (s *state) had(c *scope, id int8) (names words) {
	if s.vault.read[id] < 0 {
		return 0
	}
	for at := s.now; at >= max(s.newest, s.vault.read[id]); at-- {
		f := &s.holds[at]
		if f.out(c, f.merges.survivor(id)) {
			break
		}
		names |= f.name(id)
	}
	return names
}
