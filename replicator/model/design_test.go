package model

import "slices"

// rule is a part of the protocol that can be left out, to see what then goes wrong.
type rule uint64

const (
	// confirmsDurable: the source is told of a position after the commit only.
	confirmsDurable rule = 1 << iota
	// oneTransaction: new surrogates are stored in the transaction of the rows that show them.
	oneTransaction
	// storesUnstored: with a row, all surrogates and words of its patient are stored that are not yet, not
	// only those that were chosen for the row.
	storesUnstored
	// countsGroup: a request is stored also where the patient's notes are in the same group.
	countsGroup
	// keepsTold: names in rows of the stream are kept, also those that were replaced since.
	keepsTold
	// copyTold: so are those in rows of the first copy.
	copyTold
	// recordsFirst: the first copy begins with the records.
	recordsFirst
	// recordsAgain: where the first copy goes on in a new snapshot, the records are read again.
	recordsAgain
	// takesOver: a patient who takes over a row takes over the names of the former patient's record.
	takesOver
	// insertsToo: takesOver holds also where the stream inserts a row that a later copy has brought.
	insertsToo
	// forgetsAfter: the patient is dropped from the cache after the former one is stored.
	forgetsAfter
	// forgetsCommitted: where that is in the committer's transaction, so it is again after the commit.
	forgetsCommitted
	// asksAlways: the notes of a patient who takes over a row are requested also where none is published yet.
	asksAlways
	// onlyThere: rows that were read again are written only where the replica has them.
	onlyThere
	// strikesSame: a request is struck only if it was not made again since it was taken.
	strikesSame
	// waitsResolved: rows that were read again go on only when the stream was taken in up to a position behind them.
	waitsResolved
	// waits: they do so only when everything up to there is committed.
	waits
	// leavesOut: rows that the stream has brought since they were read again are dropped.
	leavesOut
	// readsAgain: a request is not struck where one of its rows was dropped.
	readsAgain
	// oneBook: what is chosen for a patient is chosen in view of all choices so far, whichever version of the
	// record they were made with.
	oneBook
	// neverDetects: the committer makes no row. One that is published as another patient's is set aside as outdated.
	neverDetects
	// removesOutdated: what the replica has of such a row goes.
	removesOutdated
	// asksOutdated: its patient's notes are requested in the same transaction.
	asksOutdated
	// linksOutdated: so is stored that its patient has taken it over.
	linksOutdated
	// admitsOutdated: rows that are set aside so are written though the replica does not have them.
	admitsOutdated
	// looksAgain: whoever writes rows looks who stays out, as of the transaction that writes them.
	looksAgain
	// leavesGone: who was taken away in the open transaction stays out of it.
	leavesGone
	// dropsGone: what is known of patients who were taken away is forgotten after the commit.
	dropsGone
	// voids: what is in hand of them is made anew, or read again.
	voids
	// asksBack: all rows of a patient who is back are requested.
	asksBack
	// asksMoved: so are those of patients whose rows moved, as rows say that ids stand for others.
	asksMoved
	// takesMoved: whose rows they were is taken away.
	takesMoved
	// readsUnder: the rows of a patient are those of all ids that stand for the patient.
	readsUnder
	// admits: rows that are requested as a whole are written also where the replica does not have them.
	admits
	// joinsApplied: an id stands for another one as of what the committer has written, not of what was taken in.
	joinsApplied
	// admitsPath: rows under a row that changed are written also where the replica does not have them, if ids can stand
	// for others: the rows may have been taken away with the patient whose they were.
	admitsPath
	// keepsNames: the names of a record are kept by the id whose they are, whoever the id stands for and however often.
	keepsNames
	// forgetsMoved: patients are dropped from the cache as soon as other ids stand for them, not after the commit alone.
	forgetsMoved
	// movesCopied: rows that a copy brings of ids that stand for others move what is there, as those of the stream do.
	movesCopied
	// asksPending: the notes of a changed record are requested also where none is published, if rows are requested that the replica
	// does not have: they may have been read already, and be made with the record of before.
	asksPending
	// asksNow: all rows are requested also of the patient for whom another id stands from now on, as that one may let the patient in.
	asksNow
	// keepsHeld: the names in rows that are on their way stay known when their patient is taken away. Who is back by then is
	// searched for them before they are stored.
	keepsHeld
	// keepsMembers: what is read of the record of an id that stands for a patient is kept with the id, as the patient's own is.
	keepsMembers
	// loadsAsked: whose rows are requested is loaded anew, as other rows may have been made since with a record that is gone.
	loadsAsked
	// goesOnTouched: a row that was read again is written though the stream has brought updates of it that leave out its text.
	goesOnTouched
	// carries: it has all else from the last of these.
	carries
	// samePatient: but not if these were made for another patient.
	samePatient
	// asksAsked: the notes of a changed record are requested also where none is published, if they are requested already: they may
	// have been read, and be made with the record of before.
	asksAsked
)

// whole is the protocol.
const whole = asksAsked<<1 - 1

func (d rule) has(r rule) bool { return d&r != 0 }

// scope bounds a search.
type scope struct {
	rules        rule
	transactions int8
	operations   []operation
	crashes      int8
	resyncs      int8
	absent       bool // begins without note 0
	copied       bool // begins when the first copy is done
	hands        int  // requests that are worked on in one batch
	atRest       bool // judges what is shown only when there is nothing left to do
	paged        bool // a request reads one note at a time
	include      bool // only patients with a row that says so are published; else all but those
	strictOwner  bool // judges a row by the record of its patient at that time, whoever is resolved
	most         int  // states; 0: no bound
}

// joins reports whether rows say that ids stand for others.
func (c *scope) joins() bool { return slices.Contains(c.operations, join) }

// filters reports whether rows decide which patients are published.
func (c *scope) filters() bool { return c.include || slices.Contains(c.operations, flag) }
