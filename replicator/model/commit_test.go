package model

// take takes the next item into the committer's group, once it is made.
func (s *state) take(c *scope) bool {
	if s.taken == s.length || !s.queue[s.taken].done {
		return false
	}
	it := &s.queue[s.taken]
	s.taken++
	s.inside = !it.last
	if it.op == write || it.op == remove {
		s.batch.streamed(it)
	}
	if it.op == write && !it.stays && !it.void {
		s.handOver(c, it)
	}
	return true
}

// streamed notes what the stream has brought while rows are read again.
func (b *batch) streamed(it *item) {
	switch {
	case b.stage == idle:
	case it.keeps && !it.stays && !it.void && !b.changed[it.n]:
		b.touched[it.n] = touched{true, it.p, it.text.other}
	default:
		b.changed[it.n] = true
	}
}

// handOver gives an item what is to be stored with it.
func (s *state) handOver(c *scope, it *item) {
	if !c.rules.has(storesUnstored) {
		return
	}
	it.fresh |= s.unstored[it.p]
	s.unstored[it.p] = 0
	for id := range int8(patients) {
		if id == it.p || s.merges.member(id, it.p) && c.rules.has(keepsMembers) {
			it.record |= s.untold[id]
			s.untold[id] = 0
		}
	}
}

// version is what is to become of a note: of several changes in a group the last one counts.
type version struct {
	it   *item
	was  int8 // the patient whose row it was before in the group, plus 1
	anew bool // the row before it was deleted in the group

	keeps    bool // the text in the replica stays
	reread   bool // what is there is not the text that was kept
	outdated bool // it is set aside
}

func (v *version) add(it *item) {
	next := version{it: it, keeps: it.keeps}
	if v.it != nil && it.op == write {
		switch next.anew = v.anew; {
		case v.it.op == remove || v.it.stays:
			next.anew = v.anew || v.it.op == remove
		case v.it.p != it.p:
			next.was = v.it.p + 1
		}
	}
	next.inherit(v)
	*v = next
}

// inherit takes a text that was left out from the version before in the group.
func (v *version) inherit(before *version) {
	if !v.keeps || before.it == nil {
		return
	}
	was := before.it
	switch {
	case was.op == remove || was.stays || was.void || was.p != v.it.p || before.reread:
		v.reread = true
	case !before.keeps:
		v.it.caught, v.it.shows, v.it.must = was.caught, was.shows, was.must
		v.it.keeps, v.keeps = false, false
	}
}

// flush writes the group into the committer's transaction.
func (s *state) flush(c *scope) bool {
	if s.taken == 0 {
		return false
	}
	d, group := s.begin(), s.queue[:s.taken]
	asks := s.decide(c, d, group)
	for i := range group {
		if it := &group[i]; it.op == write || it.op == rename {
			s.leaveOut(c, d, it)
		}
	}
	var versions [notes]version
	for i := range group {
		it := &group[i]
		s.store(c, d, it)
		if it.op == write || it.op == remove {
			versions[it.n].add(it)
		}
	}
	s.settle(c, d, &versions, &asks)
	s.request(c, d, group, &asks)
	for i := range versions {
		it := versions[i].it
		if it == nil {
			continue
		}
		if it.op == remove || it.stays || versions[i].anew && !versions[i].outdated {
			d.rows[it.n], d.vault.aside[it.n] = row{}, aside{}
		}
		if it.op == write && !it.stays && !versions[i].outdated {
			d.write(it)
		}
	}
	copy(s.queue[:], s.queue[s.taken:s.length])
	for i := s.length - s.taken; i < s.length; i++ {
		s.queue[i] = item{}
	}
	s.length, s.taken = s.length-s.taken, 0
	return true
}

// settle sets the rows of a group aside that are published as another patient's, and those that were made with what is void.
// asks has the patients who take rows over.
func (s *state) settle(c *scope, d *durable, versions *[notes]version, asks *[patients]bool) {
	for n := range versions {
		v := &versions[n]
		if v.it == nil || v.it.op != write || v.it.stays {
			continue
		}
		v.was = s.takenFrom(c, d, v)
		switch {
		case v.was == 0 && !v.it.void && !v.reread && (!v.keeps || d.has(v.it)):
		case c.rules.has(neverDetects):
			s.setAside(c, d, v, asks)
		default:
			s.redo(c, d, v.it, v.was, asks)
		}
	}
}

// has reports whether the text of an item's row is there, as the patient's.
func (d *durable) has(it *item) bool {
	r := &d.rows[it.n]
	return r.there && r.patient == it.p
}

// takenFrom returns the patient whose row v's was, plus 1, or 0 if that is none or the same.
func (s *state) takenFrom(c *scope, d *durable, v *version) int8 {
	r := &d.rows[v.it.n]
	switch {
	case v.anew || !c.rules.has(insertsToo) && !s.holds[v.it.tx-1].notes[v.it.n].there:
		return 0
	case v.was != 0 && v.was-1 != v.it.p:
		return v.was
	case v.was == 0 && r.there && r.patient != v.it.p:
		return r.patient + 1
	case v.was == 0 && d.vault.aside[v.it.n].of != v.it.p+1:
		return d.vault.aside[v.it.n].of
	}
	return 0
}

// redo makes an item's row anew in the open transaction.
func (s *state) redo(c *scope, d *durable, it *item, was int8, asks *[patients]bool) {
	s.detects, it.was = true, was
	s.resolve(c, it, d)
	if it.stays = it.stays || s.staysOut(c, d, it.p); it.stays {
		return
	}
	if it.takesOver() {
		s.inherit(c, it, d)
		asks[it.p] = true
	}
	s.attach(c, it, it.tx, d)
	it.fresh = 0
	s.deidentify(c, it)
	s.handOver(c, it)
	s.store(c, d, it)
}

// setAside sets a version aside, to be made anew by a worker of its patient, and requests that.
func (s *state) setAside(c *scope, d *durable, v *version, asks *[patients]bool) {
	n, p, was := v.it.n, v.it.p, v.was-1
	v.outdated = true
	switch {
	case !c.rules.has(asksOutdated):
	case v.it.void:
		d.askFor(c, p)
	default:
		asks[p] = true
	}
	a := &d.vault.aside[n]
	if r := d.rows[n]; r.there && c.rules.has(removesOutdated) {
		d.rows[n], a.was = row{}, r
	}
	if a.of = p + 1; a.was.at != v.it.text.at {
		a.was = row{}
	}
	if v.was == 0 {
		return
	}
	d.vault.due[p] |= d.vault.words[was]
	if c.rules.has(linksOutdated) {
		d.vault.former[p] |= 1 << was
		s.linked[p] = true
	}
}

// inherit makes an item's patient take over what the former patient's record has. d is where the
// connection at hand looks.
func (s *state) inherit(c *scope, it *item, d *durable) {
	p, was := it.p, it.was-1
	it.due = d.vault.words[was]
	s.cache[p], s.linked[p] = known{}, true
	if c.rules.has(takesOver) {
		d.vault.former[p] |= 1 << was
	}
}

// request stores what a group asks for. asks has the patients who take over a row of it.
func (s *state) request(c *scope, d *durable, group []item, asks *[patients]bool) {
	var noted [patients]bool
	for i := range group {
		it := &group[i]
		switch {
		case it.op == write && it.loaded:
			noted[it.p] = true
		case it.op == move:
			stamp(&d.vault.path)
		case it.op == rename && it.p != nobody:
			asks[it.p] = asks[it.p] || d.published(it.p) || c.rules.has(asksAsked) && d.vault.queue[it.p] > 0 ||
				c.rules.has(countsGroup) && noted[it.p] || c.rules.has(asksPending) && d.vault.pending()
		}
	}
	for p := range asks {
		if asks[p] && !s.staysOut(c, d, int8(p)) {
			stamp(&d.vault.queue[p])
		}
	}
	if it := &group[len(group)-1]; it.last {
		d.position = it.tx
	}
}

// published reports whether rows of p are there.
func (d *durable) published(p int8) bool {
	for n := range d.rows {
		if d.rows[n].there && d.rows[n].patient == p {
			return true
		}
	}
	return false
}

// commit commits what the committer has, at the end of a transaction of the source.
func (s *state) commit(c *scope) bool {
	if s.inside || s.taken == 0 && !s.open {
		return false
	}
	s.flush(c)
	s.durable, s.tx, s.open, s.detects = s.tx, durable{}, false, false
	for p, linked := range s.linked {
		if linked && c.rules.has(forgetsCommitted) {
			s.cache[p] = known{}
		}
	}
	s.linked = [patients]bool{}
	s.forgetGone(c)
	if s.batch.stage == handed {
		s.batch.stage = stored
	}
	if c.rules.has(confirmsDurable) {
		s.confirmed = s.position
	}
	return true
}

// store writes what belongs to an item into the vault.
func (s *state) store(c *scope, d *durable, it *item) {
	switch {
	case it.op == rename && !it.unnamed:
	case it.op == write && !it.stays && !it.void:
	default:
		return
	}
	for id := range int8(patients) {
		own := it.own(c, id)
		d.vault.words[id] |= own
		if d.vault.read[id] < 0 && own != 0 {
			d.vault.read[id] = it.read
		}
	}
	for w := range patients * versions {
		if it.fresh&(1<<w) != 0 && c.rules.has(oneTransaction) {
			d.vault.book[it.p][w] = s.ledger[it.p][w]
		}
	}
}

func (d *durable) write(it *item) {
	r := &d.rows[it.n]
	if it.keeps {
		r.other = it.text.other
		return
	}
	if it.was != 0 { // whoever has opted out meanwhile is forgotten
		d.vault.due[it.p] |= it.due & d.vault.words[it.was-1]
	}
	if a := &d.vault.aside[it.n]; !r.there && a.was.there {
		*r = a.was
	}
	d.vault.aside[it.n] = aside{}
	if r.there && r.at == it.text.at { // what was caught in a text does not come back in it
		back := r.caught
		if r.patient == it.p { // nobody is told of names that a former patient gets later
			back &= d.vault.merges.namesOf(it.p) | d.vault.due[it.p]
		}
		it.must |= r.must | back
	}
	*r = row{there: true, patient: it.p, says: it.text.says, caught: it.caught, at: it.text.at, other: it.text.other, must: it.must, shows: it.shows}
}

// startOver makes a new slot and forgets the position; rows that the source does not have are
// deleted, and all others copied again.
func (s *state) startOver() {
	s.crash()
	s.beginCopy()
	for n := range s.rows {
		if !s.present().notes[n].there {
			s.rows[n], s.vault.aside[n] = row{}, aside{}
		}
	}
}
