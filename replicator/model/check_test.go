package model

// awaited reports whether note n is to be read again.
func (s *state) awaited(n int8) bool {
	return s.vault.queue[s.rows[n].patient] != 0 || n == 0 && s.vault.path != 0
}

// check returns the invariant that s breaks, or "".
func (s *state) check(c *scope) string {
	if s.detects {
		return "a detector runs inside the transaction that writes"
	}
	if s.confirmed > s.position {
		return "the position that was confirmed is ahead of the one that is durable"
	}
	for n := range int8(notes) {
		if what := s.checkNote(c, n); what != "" {
			return what
		}
	}
	if s.idle() {
		return s.checkIdle()
	}
	return ""
}

func (s *state) checkNote(c *scope, n int8) string {
	r, at := &s.rows[n], &s.holds[s.position]
	if s.copied == pages && s.position >= s.newest {
		switch {
		case !r.there && at.notes[n].there && s.vault.aside[n].of == 0:
			return "a note is lost"
		case r.there && !at.notes[n].there && s.present().notes[n] == (text{}):
			return "a note is there before its time or after its deletion"
		case r.there && r.at < at.notes[n].at:
			return "an older text was written over a newer one"
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
	if at.record(r.patient)&r.says&^r.caught != 0 {
		return "a text shows a name of the record, and nothing is to read it again"
	}
	if !s.wasPatient(n, r.patient) {
		return "a text has another patient's surrogates, and nothing is to read it again"
	}
	return ""
}

// wasPatient reports whether note n is p's at the position or was since.
func (s *state) wasPatient(n, p int8) bool {
	for at := s.position; at <= s.now; at++ {
		if s.holds[at].patientOf(n) == p {
			return true
		}
	}
	return false
}

// idle reports whether there is nothing left to do.
func (s *state) idle() bool {
	return s.copied == pages && s.received == s.now && s.length == 0 && !s.open && s.vault.path == 0 &&
		s.vault.queue == [patients]int8{} && s.batch.stage == idle && !s.batch.active()
}

// checkIdle compares the replica with a copy that would be made now.
func (s *state) checkIdle() string {
	if s.position != s.now {
		return "at rest, the position is behind"
	}
	f := s.present()
	for n := range int8(notes) {
		r, t := &s.rows[n], &f.notes[n]
		known := f.record(r.patient) | s.vault.words[r.patient] | s.vault.due[r.patient]
		switch {
		case r.there != t.there:
			return "at rest, a note is lost or too many"
		case !r.there:
		case r.at != t.at:
			return "at rest, a text is not the newest"
		case r.patient != f.patientOf(n):
			return "at rest, a note is another patient's"
		case known&r.says&^r.caught != 0:
			return "at rest, a text shows a name that the vault knows"
		}
	}
	return ""
}
