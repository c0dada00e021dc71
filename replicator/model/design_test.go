package model

// rule is a part of the protocol that can be left out, to see what then goes wrong.
type rule uint32

const (
	// confirmsDurable: the source is told of a position after the commit only.
	confirmsDurable rule = 1 << iota
	// oneTransaction: new surrogates are stored in the transaction of the rows that show them.
	oneTransaction
	// storesUsed: a row is stored with all surrogates that it shows, not with the new ones alone.
	storesUsed
	// countsGroup: a request is stored also where the patient's notes are in the same group.
	countsGroup
	// keepsTold: names that rows of the stream tell are kept, also those that were replaced since.
	keepsTold
	// copyTold: the names that the record has in a copy's snapshot are stored before notes are
	// copied.
	copyTold
	// takesOver: a patient who takes over a row takes over the names of the former patient's record.
	takesOver
	// insertsToo: takesOver holds also where the stream inserts a row that a later copy has brought.
	insertsToo
	// onlyThere: rows that were read again are written only where the replica has them.
	onlyThere
	// strikesOlder: a request is struck only if it was not made again since it was taken.
	strikesOlder
	// resolvesAnew: whose a row is, is found out when it goes on, not when it is read.
	resolvesAnew

	// besideStream: rows are read again and de-identified while the committer works; without it the
	// committer does so between two commits.
	besideStream
	// placed: rows that were read again take a place in the stream's order, before they are
	// de-identified; without it they are made apart and written between any two groups.
	placed
	// waits: rows that were read again go on only when the stream was taken in up to the position
	// at which they were read.
	waits
	// leavesOut: rows that the stream has brought since they were read again are dropped.
	leavesOut
	// patientSame: instead of leavesOut, what was read is dropped, and read again, where the stream has
	// since brought a note of its patient.
	patientSame
	// samePublished: a row that was read again is not written, and its request not struck, where it
	// is published as another patient's than when it was resolved.
	samePublished
	// storesRefused: what was chosen for a row that is not written after all is stored.
	storesRefused
	// tellsFormer: what a patient has taken over has also the names of the former patient that are
	// not in the vault yet.
	tellsFormer
	// redoesLater: a row of the stream that is published as another patient's is not de-identified
	// again by the committer, but requested.
	redoesLater
	// strikesCommitted: what was made apart is written when the position of its rows is durable.
	strikesCommitted
	// freshRecord: the patient is loaded after the rows were read, not taken from the cache.
	freshRecord
	// withholds: rows of a patient with a request are not shown.
	withholds
	// withholdsPath: rows under a row with a request are not shown.
	withholdsPath
	// countsCommitted: leavesOut goes by what of the stream is written since the rows were read, and
	// keeps the request where a row was left out.
	countsCommitted
)

const (
	base = confirmsDurable | oneTransaction | countsGroup | keepsTold | takesOver | onlyThere | strikesOlder | resolvesAnew
	// present is the committer that reads rows again between two commits.
	present = base
	// planned is the rewriter beside the stream.
	planned = base | copyTold | insertsToo | besideStream | placed | waits | leavesOut | samePublished | storesRefused | tellsFormer |
		redoesLater | withholds | withholdsPath
)

// apart is the rewriter beside the stream whose rows take no place in the stream's order.
const apart = present | copyTold | storesUsed | insertsToo | besideStream | waits | leavesOut | countsCommitted

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
	hands        int  // requests that are worked on at a time
	atRest       bool // judges what is shown only when there is nothing left to do
	paged        bool // a request reads one note at a time
	waitingOpen  bool // does not judge rows that wait to be read again
	pathOpen     bool // does not judge rows that wait since what leads to their patient has changed
	strictOwner  bool // judges a row by the record of its patient at that time, whoever is resolved
	most         int  // states; 0: no bound
}
