package model

// row is a note in the replica.
type row struct {
	there   bool
	patient int8
	says    words
	caught  words // names that surrogates replace
	at      int8  // of the text
	other   int8  // of what else it has
	must    words // names of the record when the source had this row
	shows   shows
}

// shows has the surrogates in a text, by name.
type shows [patients * versions]int8

// vault is what the replica holds beside the rows.
type vault struct {
	words  [patients]words // names that the record ever had
	former [patients]uint8 // patients whose rows the patient has taken over, as bits
	due    [patients]words // names that those had at the time: nothing but the checks reads it
	book   [patients]book
	queue  [patients]int8 // deid.requeue: the stamp of the request, 0 or below if there is none
	whole  [patients]bool // of the request: all rows are read, also those that the replica does not have
	aside  [notes]aside   // deid.quarantine
	read   [patients]int8 // since when the record is known, -1 if it is not: nothing but the checks reads it
	flags  flags          // deid.patient_filter
	merges merges         // deid.patient_merge
	path   int8           // deid.requeue_path, of the one encounter
}

// aside is a note that is set aside, to be made anew.
type aside struct {
	of  int8 // the patient whose it is then, plus 1; 0: the note is not set aside
	was row  // what was published of it before: nothing but the checks reads it
}

// stamp marks a request as made anew. A walk makes fewer than there are stamps, as the program's are numbers of transactions.
func stamp(at *int8) { *at = max(*at, -*at)%126 + 1 }

// book has the surrogates of a patient. They are numbered as they are chosen: the
// worst case of collisions, in which each choice depends on all before.
type book [patients * versions]int8

// choose chooses a surrogate for each name that has none.
func (b *book) choose(names words) {
	next := int8(1)
	for _, s := range b {
		next = max(next, s+1)
	}
	for w := range b {
		if names&(1<<w) != 0 && b[w] == 0 {
			b[w] = next
			next++
		}
	}
}

// show returns the surrogates of names.
func (b *book) show(names words) (list shows) {
	for w := range b {
		if names&(1<<w) != 0 {
			list[w] = b[w]
		}
	}
	return list
}

// durable is what survives a crash.
type durable struct {
	rows     [notes]row
	vault    vault
	position int8 // everything up to here is in the rows
	copied   int8 // pages that the first copy has passed
	newest   int8 // of the snapshots that the copy was read in
}

// pages of the first copy are one for each note and one for the records.
const pages = notes + 1

// known is a patient in the cache.
type known struct {
	loaded bool
	record words
	read   int8  // when the record was
	words  words // of the vault, those of former patients included
	opened int8  // the place of its book, plus 1
}

// item is on its way to the committer: a change of the stream, or a note that was read again.
type item struct {
	there   bool
	op      operation
	tx      int8 // of a change
	last    bool // of its transaction
	n, p    int8 // the note, the patient
	opened  int8 // as in known
	text    text
	record  words // what is to be stored of the patient's record
	read    int8  // when the record was read
	knows   words // what is searched for
	must    words
	done    bool
	loaded  bool // what is known of the patient is in it
	void    bool // the vault has lost that since
	passed  bool // the stream has brought a newer row
	keeps   bool // the text in the replica stays: the stream left it out
	stays   bool // nothing of the row is published: the patient stays out, or it is not clear who that is
	unnamed bool // the names in the row are not kept
	say     bool // of a flag or a join: whether the row is there
	shift   shift
	caught  words
	admit   bool  // it is written also where the replica does not have it
	fresh   words // surrogates to be stored with it
	shows   shows
	was     int8  // the patient as whose row it is published, plus 1
	due     words // names of that patient, if it is another one
}

// takesOver reports whether the item's row is published as another patient's.
func (it *item) takesOver() bool { return it.was != 0 && it.was-1 != it.p }

// request says what is to be read again.
type request struct {
	active bool
	path   bool
	whole  bool
	p      int8
	at     int8 // the stamp that was read

	from, next int8 // the first notes of this page and of the next one
	end        bool // there is no next page
	again      bool // something came up that counts for the rows before, too
	passed     bool // a row of the page was left out
	rows       [notes]item
}

// stage is how far a batch has come.
type stage int8

const (
	idle stage = iota
	reading
	marked   // all is read, and a mark is written to the source
	resolved // the patients of its rows are found
	making
	handed // written into the committer's transaction
	stored
)

// batch is what the rewriter has in hand.
type batch struct {
	stage    stage
	mark     int8 // the position of the mark
	requests [2]request
	begun    int8        // what was committed when it began
	changed  [notes]bool // by the stream, since rows were read
	touched  [notes]touched
}

// touched is the last of the updates without a text that the stream has brought of a note since rows were read.
type touched struct {
	there bool
	p     int8
	other int8
}

const (
	queueLength = 6
	books       = 4
)

// volatile is lost in a crash.
type volatile struct {
	received int8 // transactions that were taken from the stream
	cache    [patients]known
	told     [patients]words // names in rows of the stream and in records that were loaded
	ledger   [patients]book  // all choices
	unstored [patients]words // of ledger
	untold   [patients]words // of told
	opened   [patients][books]book
	path     int8 // the encounter's patient as remembered, plus 1
	queue    [queueLength]item
	length   int8
	taken    int8           // items at the head of the queue that the committer has in its group
	inside   bool           // the committer is inside of a transaction of the source
	open     bool           // the committer's transaction is
	tx       durable        // as that one sees it
	linked   [patients]bool // patients who take over a row in it
	detects  bool           // a detector runs inside of it
	waived   bool           // a row was dropped whose text did not change
	gone     [patients]bool // patients who were taken away in it
	unnamed  [patients]bool // ids whose names were not stored in it
	merges   merges         // as of what is written
	snapshot int8           // of the copy, plus 1
	batch    batch
}

// state is all there is. It is comparable, and its hash is its identity.
type state struct {
	source
	durable
	confirmed int8
	volatile
	crashes int8 // that may still come
	resyncs int8
}

func newState(c *scope) state {
	s := state{source: newSource(c), crashes: c.crashes, resyncs: c.resyncs}
	if c.absent {
		s.holds[0].notes[0] = text{}
	}
	s.beginCopy()
	for c.copied && s.copyNext(c) {
		continue
	}
	if c.copied {
		s.crash() // nothing of it is in a cache
	}
	return s
}

// beginCopy begins the first copy, in the snapshot of a new slot.
func (s *state) beginCopy() {
	s.position, s.received, s.confirmed, s.newest = s.now, s.now, s.now, s.now
	s.copied, s.snapshot = 0, s.now+1
}

// crash loses what is volatile.
func (s *state) crash() {
	s.volatile = volatile{received: s.position, merges: s.vault.merges}
	for p := range s.ledger {
		s.ledger[p] = s.vault.book[p]
	}
}

// begin opens the committer's transaction, unless it is open.
func (s *state) begin() *durable {
	if !s.open {
		s.open, s.tx, s.gone, s.unnamed = true, s.durable, [patients]bool{}, [patients]bool{}
	}
	return &s.tx
}

// apart does something in a transaction of its own, which the committer's sees as well.
func (s *state) apart(do func(*durable)) {
	do(&s.durable)
	if s.open {
		do(&s.tx)
	}
}
