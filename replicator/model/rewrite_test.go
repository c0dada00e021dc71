package model

// requested lists what waits in the vault, paths first.
func (s *state) requested() (list [patients + 1]request, n int8) {
	if s.vault.path != 0 {
		list[n] = request{active: true, path: true, at: s.vault.path}
		n++
	}
	for p := range int8(patients) {
		if at := s.vault.queue[p]; at > 0 {
			list[n] = request{active: true, p: p, at: at, whole: s.vault.whole[p]}
			n++
		}
	}
	return list, n
}

// beginBatch begins a batch: it takes requests, from the nth on, unless there are some in hand.
func (s *state) beginBatch(c *scope, nth int8) bool {
	b := &s.batch
	if b.stage != idle || s.copied < pages {
		return false
	}
	if !b.active() {
		list, n := s.requested()
		if nth >= n {
			return false
		}
		for i := range min(c.hands, int(n)) {
			q := list[(int(nth)+i)%int(n)]
			if b.requests[i] = q; !q.path && c.rules.has(loadsAsked) {
				s.cache[q.p] = known{}
			}
		}
	} else if nth > 0 {
		return false
	}
	b.stage, b.begun = reading, s.position
	for i := range b.requests {
		b.requests[i].end = false
	}
	s.readNext(c)
	return true
}

// active reports whether requests are in hand.
func (b *batch) active() bool { return b.requests[0].active || b.requests[1].active }

// only reports whether the request's rows are written only where the replica has them.
func (q *request) only(c *scope) bool {
	switch {
	case !c.rules.has(onlyThere):
		return false
	case q.path:
		return !c.filters() && !(c.joins() && c.rules.has(admitsPath))
	}
	return !q.whole || !c.rules.has(admits)
}

// readNext reads the page of the next request, and writes a mark after the last one. The page is as the
// source has it now.
func (s *state) readNext(c *scope) {
	b := &s.batch
	for i := range b.requests {
		q := &b.requests[i]
		if q.active && !q.end && q.next == q.from {
			s.read(c, q)
			break
		}
	}
	for i := range b.requests {
		if q := &b.requests[i]; q.active && !q.end && q.next == q.from {
			return
		}
	}
	b.stage, b.mark = marked, s.now
}

func (s *state) read(c *scope, q *request) {
	f, found := s.present(), false
	q.end = true
	for n := q.from; n < notes; n++ {
		if !f.notes[n].there || q.path && n != 0 || !q.path && !s.asksFor(c, q, f.idOf(n)) {
			continue
		}
		if c.paged && found {
			q.end = false
			break
		}
		q.rows[n], q.next, found = item{there: true, op: write, tx: s.now, n: n, text: f.notes[n]}, n+1, true
	}
}

// asksFor reports whether a request is for rows of an id.
func (s *state) asksFor(c *scope, q *request, id int8) bool {
	return id == q.p || c.rules.has(readsUnder) && s.merges.under(id, q.p)
}

// goOn takes the rewriter's next step.
func (s *state) goOn(c *scope) bool {
	switch b := &s.batch; b.stage {
	case reading:
		s.readNext(c)
	case marked:
		if c.rules.has(waitsResolved) && s.received < b.mark || c.rules.has(waits) && s.position < b.mark {
			return false
		}
		b.stage = resolved
		s.findPatients(c)
		if c.rules.has(forgetsAfter) {
			s.attachRows(c)
		}
	case resolved:
		s.attachRows(c)
	case stored:
		return s.finish(c)
	default:
		return false
	}
	return true
}

// each passes the rows of the batch, in order.
func (b *batch) each(do func(q *request, it *item)) {
	for i := range b.requests {
		q := &b.requests[i]
		for n := range q.rows {
			if q.rows[n].there {
				do(q, &q.rows[n])
			}
		}
	}
}

// findPatients finds the patients of the rows of the batch, and drops those from the cache who take
// over rows.
func (s *state) findPatients(c *scope) {
	s.batch.each(func(q *request, it *item) {
		r, of := &s.rows[it.n], s.vault.aside[it.n].of
		it.admit = of != 0 && c.rules.has(admitsOutdated)
		if !r.there && !it.admit && q.only(c) { // it comes in the stream
			*it = item{}
			return
		}
		it.was = of
		s.resolve(c, it, &s.durable)
		if r.there && !it.stays {
			it.was = r.patient + 1
		}
		if it.stays {
			it.was = 0
		}
		if it.takesOver() {
			s.cache[it.p] = known{}
		}
	})
}

// attachRows stores who takes over rows, and loads the patients.
func (s *state) attachRows(c *scope) {
	b := &s.batch
	b.each(func(_ *request, it *item) {
		if !it.takesOver() {
			return
		}
		it.due = s.vault.words[it.was-1]
		if c.rules.has(takesOver) {
			s.apart(func(d *durable) { d.vault.former[it.p] |= 1 << (it.was - 1) })
		}
		if c.rules.has(forgetsAfter) {
			s.cache[it.p] = known{}
		}
	})
	b.stage = stored // if there is nothing to write
	b.each(func(_ *request, it *item) {
		b.stage = making
		if !it.stays {
			s.attach(c, it, it.tx, &s.durable)
		}
	})
}

// makeNext has the workers de-identify the batch's next row.
func (s *state) makeNext(c *scope) bool {
	made := false
	if s.batch.stage == making {
		s.batch.each(func(_ *request, it *item) {
			if !it.done && !made {
				s.deidentify(c, it)
				made = true
			}
		})
	}
	return made
}

// newer reports whether the stream has brought what an item's row must give way to. An update without its text brings nothing new
// of what was made of that, if it was made for the same patient.
func (b *batch) newer(c *scope, it *item) bool {
	to := b.touched[it.n]
	return b.changed[it.n] || to.there && (!c.rules.has(goesOnTouched) || c.rules.has(samePatient) && to.p != it.p)
}

// onlyTouched reports whether the source did nothing since a position but update notes, and not their texts.
func (s *state) onlyTouched(since int8) bool {
	for at := since + 1; at <= s.now; at++ {
		if s.log[at].op != touch {
			return false
		}
	}
	return true
}

// takeBatch writes the batch behind what the committer has taken from the stream.
func (s *state) takeBatch(c *scope) bool {
	b, ready := &s.batch, s.batch.stage == making
	b.each(func(_ *request, it *item) { ready = ready && it.done })
	if !ready {
		return false
	}
	s.flush(c)
	d := s.begin()
	var noted, asks [patients]bool
	b.each(func(q *request, it *item) {
		s.leaveOut(c, d, it)
		if it.passed = c.rules.has(leavesOut) && b.newer(c, it) || it.void; it.passed {
			s.waived = s.waived || !it.void && !c.filters() && !c.joins() && s.onlyTouched(b.begun)
			q.passed = true
			return
		}
		if to := b.touched[it.n]; to.there && c.rules.has(carries) {
			it.text.other, it.admit = to.other, true
		}
		if it.stays {
			return
		}
		s.handOver(c, it)
		s.store(c, d, it)
		if it.takesOver() {
			asks[it.p] = asks[it.p] || noted[it.p] || d.published(it.p) || c.rules.has(asksAlways)
		}
		noted[it.p] = true
	})
	for p := range asks {
		if asks[p] {
			stamp(&d.vault.queue[p])
		}
	}
	b.each(func(q *request, it *item) {
		switch {
		case it.passed:
		case it.stays:
			d.rows[it.n], d.vault.aside[it.n] = row{}, aside{}
		case d.rows[it.n].there || it.admit || !q.only(c):
			d.write(it)
		}
	})
	b.stage = handed
	return true
}

// finish ends the batch: pages of which a row was left out are read again, and requests that are done
// are struck.
func (s *state) finish(c *scope) bool {
	if s.open && (s.tx.vault.queue != s.vault.queue || s.tx.vault.path != s.vault.path) {
		return false // the committer's transaction may have the row
	}
	b := &s.batch
	for i := range b.requests {
		if q := &b.requests[i]; q.active {
			s.finishPage(c, q)
		}
	}
	*b = batch{requests: b.requests}
	return true
}

func (s *state) finishPage(c *scope, q *request) {
	rows := q.rows
	q.rows = [notes]item{}
	if q.passed && c.rules.has(readsAgain) {
		q.next, q.end, q.passed = q.from, false, false
		return
	}
	q.passed = false
	for n := range rows {
		q.again = q.again || !q.path && !rows[n].stays && rows[n].takesOver() && rows[n].p == q.p
	}
	switch {
	case !q.end:
		q.from = q.next
	case q.again:
		*q = request{active: true, path: q.path, whole: q.whole, p: q.p, at: q.at}
	default:
		s.strike(c, q)
		*q = request{}
	}
}

// strike takes a request off the queue.
func (s *state) strike(c *scope, q *request) {
	s.apart(func(d *durable) {
		at := &d.vault.path
		if !q.path {
			at = &d.vault.queue[q.p]
		}
		if *at != q.at && c.rules.has(strikesSame) {
			return
		}
		if *at = 0; !q.path {
			d.vault.whole[q.p] = false
		}
	})
}
