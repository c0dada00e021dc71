package replicator

import (
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/surrogate"
)

// item is one thing on its way through the pipeline: a change, or a mark that
// everything before it belongs together and ends at a position.
type item struct {
	change *change  // nil for a mark
	mark   position // of a mark

	// What resolve finds out.
	key     []string          // the row's primary key in the source; of the row before, for a delete
	patient *patient          // pinned; nil if the row has none, or needs none
	known   []known           // by index of table.texts: what is published already, if that was asked for
	tells   []*requeue        // the change says something new about these patients
	leads   []pathChange      // the change says something new about rows under this one
	words   []surrogate.Entry // words of the record that the row itself has
	whose   string            // pseudonym of the patient whose record has these words
	was     string            // pseudonym of the patient as whose row it is or was about to be published
	// background is true of rows that nothing but the backlog asked for.
	background bool
	refiled    bool   // it may be another patient's now
	only       bool   // write the row only if the replica has it
	absent     bool   // the replica does not have the row, and it is only written if it does
	fresh      bool   // de-identify texts even if they are published already
	lacks      string // the hash of the row that would lead to a patient
	reason     reason // why the row can't be published, if that is clear already

	out  outcome
	held int64         // bytes of the queue's budget
	done chan struct{} // closed when out is there
}

// position is where everything before a mark ends: in the stream, or in the copy
// of a table.
type position struct {
	lsn       pglogrepl.LSN
	committed time.Time // when the transaction committed at the source; zero for idle marks
	cursor    *cursor
}

// known is what provenance has of a published text.
type known struct {
	hmac      []byte // of the source text, with what is known of the patient
	published []byte // hash of what was published
	config    string
}

// outcome is what becomes of a row: what is published, or why nothing is.
type outcome struct {
	key     []string  // published primary key
	rowKey  string    // the same as a JSON array of texts
	oldKey  []string  // published primary key before, where it changed
	oldRow  string    // the same as JSON
	values  []*string // by index of table.publish
	keep    []bool    // by index of table.texts: the published text stays
	texts   []textOutcome
	entries []surrogate.Entry // new surrogates
	reason  reason            // "" if the row may be published
	// withheld are columns whose values do not fit their policies: NULL is published.
	withheld []int
}

// textOutcome is how one published text was made.
type textOutcome struct {
	hmac      []byte // of the source text, with what is known of the patient
	published []byte // hash of what is published
	spans     []surrogate.Span
	null      bool // there is no text
}

// reason says why a row was set aside, without any value of it.
type reason string

const (
	noPatient       reason = "no_patient"         // its path leads to no patient
	severalPatients reason = "several_patients"   // its path leads to more than one patient
	badText         reason = "bad_text"           // NUL or invalid UTF-8
	badValue        reason = "bad_value"          // a value of the key does not fit its column's policy
	detectorFail    reason = "detector_error"     // a detector gave up
	detectorPanic   reason = "detector_panic"     // a detector broke
	timedOut        reason = "detector_timeout"   // detection took longer than limits.note_timeout
	leak            reason = "leak"               // the leak check found an identifier
	surrogateFail   reason = "surrogate_error"    // no surrogate could be made
	broken          reason = "panic"              // a fault of the program
	refused         reason = "refused_by_replica" // a constraint or type of the replica
)

// reasons lists all of them, so that each has its metrics before it first comes up.
var reasons = []reason{
	noPatient, severalPatients, badText, badValue, detectorFail, detectorPanic, timedOut, leak, surrogateFail, broken, refused,
}

func markItem(p position) *item {
	it := &item{mark: p, held: 64, done: make(chan struct{})}
	close(it.done)
	return it
}

func rowItem(c *change) *item {
	c.measure()
	return &item{change: c, held: c.size, done: make(chan struct{})}
}
