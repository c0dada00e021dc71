package model

// index numbers requests: those of patients by patient, that of the path last.
func (q request) index() int {
	if q.path {
		return patients
	}
	return int(q.p)
}

// requests lists what waits in the vault and is not in hand, paths first.
func (s *state) requests() (list [patients + 1]request, n int) {
	if s.vault.path != 0 {
		if q := (request{path: true, at: s.vault.path}); !s.inHand(q) {
			list[n] = q
			n++
		}
	}
	for p := range int8(patients) {
		if at := s.vault.queue[p]; at != 0 {
			if q := (request{p: p, at: at}); !s.inHand(q) {
				list[n] = q
				n++
			}
		}
	}
	return list, n
}

func (s *state) inHand(q request) bool {
	for i := range s.hands {
		if h := &s.hands[i]; h.active && h.req.index() == q.index() {
			return true
		}
	}
	for i := range s.length {
		if it := &s.queue[i]; it.kind == strike && it.req.index() == q.index() {
			return true
		}
	}
	return false
}

// take takes the nth request in hand i and reads its first page.
func (s *state) take(c *scope, i, nth int) bool {
	list, n := s.requests()
	h := &s.hands[i]
	if i >= c.hands || nth >= n || h.active || s.copied < notes {
		return false
	}
	if !c.rules.has(besideStream) && nth > 0 {
		return false
	}
	*h = rewriter{active: true, req: list[nth]}
	s.read(c, h)
	return true
}

// read reads the next page of a request, as the source has it now. What the stream brings
// counts from here on.
func (s *state) read(c *scope, h *rewriter) {
	h.from, h.read, h.whole = s.now, true, true
	h.rows, h.rowChanged, h.patientChanged = [notes]item{}, [notes]bool{}, false
	f, found := s.present(), false
	for n := h.next; n < notes; n++ {
		p := f.patientOf(n)
		if !f.notes[n].there || h.req.path && n != 0 || !h.req.path && p != h.req.p {
			continue
		}
		if c.paged && found {
			h.whole = false
			break
		}
		h.rows[n], h.next, found = item{kind: rewrite, n: n, p: p, text: f.notes[n], req: h.req}, n+1, true
	}
}

// prepare resolves the page that hand i has read. It returns the items, the end of the request
// last if this is the last page.
func (s *state) prepare(c *scope, i int) (list [notes + 1]item, n int) {
	h := &s.hands[i]
	for k := range h.rows {
		it := h.rows[k]
		if it.kind == none || c.rules.has(onlyThere) && !s.rows[k].there { // it comes in the stream
			continue
		}
		// What the stream has brought is newer, and made with what is known now.
		if !c.rules.has(countsCommitted) && c.rules.has(leavesOut) && h.rowChanged[k] {
			continue
		}
		if c.rules.has(resolvesAnew) {
			it.p = s.resolve(it.n)
		}
		it.was = s.rows[k].patient
		if s.inherit(c, &it, h.req.at) && !h.req.path && it.p == h.req.p {
			h.again = true
		}
		list[n] = it
		n++
	}
	for k := range n {
		p := list[k].p
		if c.rules.has(freshRecord) && (k == 0 || list[0].p != p) {
			s.cache[p] = known{}
		}
		s.attach(c, &list[k], h.from)
	}
	if h.whole && !h.again {
		list[n] = item{kind: strike, req: h.req, done: true}
		n++
	}
	if n > 0 {
		list[n-1].last = true
	}
	return list, n
}

// goOn takes the next step of hand i.
func (s *state) goOn(c *scope, i int) bool {
	h := &s.hands[i]
	switch {
	case !h.active:
		return false
	case !h.read:
		s.read(c, h)
		return true
	case c.rules.has(waits) && !h.made && s.received < h.from:
		return false
	case c.rules.has(patientSame) && h.patientChanged:
		*h = rewriter{} // the request is still there
		return true
	case c.rules.has(placed):
		return s.place(c, i)
	case !c.rules.has(besideStream):
		list, n := s.prepare(c, i)
		s.makeAndWrite(c, list[:n])
	case !h.made:
		s.make(c, i)
		return true
	case c.rules.has(strikesCommitted) && s.position < h.from:
		return false
	default:
		kept := false
		for k := range h.rows {
			kept = kept || h.rows[k].kind == rewrite && c.rules.has(countsCommitted) && h.rowChanged[k]
			if it := &h.rows[k]; it.kind == rewrite && s.admits(c, it) && !(c.rules.has(leavesOut) && h.rowChanged[k]) {
				s.store(c, it)
				s.writeRow(it)
			}
		}
		if !kept && !h.again {
			s.strike(c, h.req)
		}
	}
	h.pageDone()
	return true
}

// pageDone lets the next page be read, or the hand be free.
func (h *rewriter) pageDone() {
	if h.whole {
		*h = rewriter{}
		return
	}
	*h = rewriter{active: true, req: h.req, next: h.next, again: h.again}
}

// place puts a page into the stream's order.
func (s *state) place(c *scope, i int) bool {
	list, n := s.prepare(c, i)
	if int(s.length)+n > queueLength {
		return false
	}
	for _, it := range list[:n] {
		s.put(it)
	}
	s.hands[i].pageDone()
	return true
}

// make de-identifies what was read, apart from the stream.
func (s *state) make(c *scope, i int) {
	list, n := s.prepare(c, i)
	h := &s.hands[i]
	h.made, h.rows = true, [notes]item{}
	for _, it := range list[:n] {
		if it.kind == rewrite {
			s.deidentify(&it)
			h.rows[it.n] = it
		}
	}
}

// makeAndWrite does all that is left in one transaction of its own.
func (s *state) makeAndWrite(c *scope, list []item) {
	for i := range list {
		it := &list[i]
		if it.kind == strike {
			s.strike(c, it.req)
			continue
		}
		s.deidentify(it)
		s.store(c, it)
		s.writeRow(it)
	}
}
