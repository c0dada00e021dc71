package model

// row is a note in the replica.
type row struct {
	there   bool
	patient int8
	says    words
	caught  words // names that surrogates stand for
	at      int8  // of the text
	must    words // names of the record when the source had this row
	shows   [patients * versions]int8
}

// vault is what the replica holds beside the rows.
type vault struct {
	words  [patients]words // names that the record ever had
	former [patients]uint8 // whose rows the patient has taken over, as bits
	book   [patients]book
	queue  [patients]int8 // deid.requeue: the position of the request, 0 for none
	path   int8           // deid.requeue_path, of the one encounter
}

// book has the surrogates of a patient. They are numbered as they are chosen: the
// worst case of collisions, in which each choice depends on all before.
type book [patients * versions]int8

// choose returns b with a surrogate for each name, and the names that got one now.
func (b *book) choose(names words) (fresh words) {
	next := int8(1)
	for _, s := range b {
		next = max(next, s+1)
	}
	for w := range b {
		if names&(1<<w) != 0 && b[w] == 0 {
			b[w] = next
			next++
			fresh |= 1 << w
		}
	}
	return fresh
}

// show returns the surrogates of names.
func (b *book) show(names words) (shows [patients * versions]int8) {
	for w := range b {
		if names&(1<<w) != 0 {
			shows[w] = b[w]
		}
	}
	return shows
}

// durable is what survives a crash.
type durable struct {
	rows      [notes]row
	vault     vault
	position  int8 // everything up to here is in the rows
	confirmed int8 // what the source was told
	copied    int8 // notes that the first copy has passed
	newest    int8 // of the snapshots that the copy was read in
}

// known is a patient in the cache.
type known struct {
	loaded bool
	record words
	words  words // of the vault, those of former patients included
}

// kind is what an item of the queue is.
type kind int8

const (
	none    kind = iota
	change       // of the stream
	rewrite      // of a note that was read again
	strike       // the end of a request
)

// item is on its way to the committer.
type item struct {
	kind   kind
	op     operation
	tx     int8 // of a change
	last   bool // of its transaction, or of its request
	n, p   int8 // the note, the patient
	text   text
	record words // what is to be stored of the patient's record
	knows  words // what is searched for
	must   words
	done   bool
	caught words
	was    int8  // as whose the row was published when it was resolved
	fresh  words // surrogates that were chosen for it
	shows  [patients * versions]int8
	req    request
}

// request says what is to be read again.
type request struct {
	path bool
	p    int8
	at   int8 // the position in the queue of the vault
}

// rewriter has a request in hand.
type rewriter struct {
	active bool
	req    request
	from   int8 // the position at which it read the rows
	rows   [notes]item
	next   int8 // the first note of the next page
	whole  bool // there is no next page
	read   bool // a page is read
	made   bool // its rows are de-identified
	again  bool // something came up that counts for the rows before, too
	// What the stream has brought since.
	rowChanged     [notes]bool
	patientChanged bool
}

const queueLength = 6

// volatile is lost in a crash.
type volatile struct {
	received int8 // transactions that were taken from the stream
	cache    [patients]known
	told     [patients]words // names that rows of the stream told, not yet in the vault
	book     [patients]book
	path     int8 // the encounter's patient as remembered, plus 1
	queue    [queueLength]item
	length   int8
	snapshot int8 // of the copy, plus 1
	hands    [2]rewriter
	refused  [patients + 1]bool // a row of the request was not written
}

// state is all there is. It is comparable, and its hash is its identity.
type state struct {
	source
	durable
	volatile
	crashes int8 // that may still come
	resyncs int8
}

func newState(c *scope) state {
	s := state{source: newSource(), crashes: c.crashes, resyncs: c.resyncs}
	if c.absent {
		s.holds[0].notes[0] = text{}
	}
	s.beginCopy(c)
	if c.copied {
		for n := range int8(notes) {
			s.copyNote(c, n, 0)
		}
		s.copied = notes
	}
	return s
}

// beginCopy begins the first copy, in the snapshot of a new slot.
func (s *state) beginCopy(c *scope) {
	s.position, s.received, s.confirmed, s.newest = s.now, s.now, s.now, s.now
	s.copied, s.snapshot = 0, s.now+1
	s.keepRecords(c)
}

// keepRecords stores the names that the record has in the copy's snapshot.
func (s *state) keepRecords(c *scope) {
	if !c.rules.has(copyTold) {
		return
	}
	for p := range int8(patients) {
		s.vault.words[p] |= s.present().record(p)
		s.told[p] |= s.present().record(p)
	}
}

// crash loses what is volatile.
func (s *state) crash() {
	s.volatile = volatile{received: s.position}
	for p := range s.book {
		s.book[p] = s.vault.book[p]
	}
}
