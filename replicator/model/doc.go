// Package model holds a model of the replication protocol, which its tests search for ways to break the
// invariants of ARCHITECTURE.md.
//
// The model is the protocol without databases and texts: a source whose transactions rename patients,
// write and delete notes, update them without their texts, file one under the other patient, move an encounter from one
// patient to the other, keep a patient out or let one in, and have an id
// stand for the other one or no longer; the first copy, the stream, the caches and the books of surrogates that dispatcher,
// committer and rewriter share, the workers, the committer's
// group and its open transaction, the requests to read notes again, the rewriter's batches, a crash at every
// step. A note is the set of names in it, and what is published of it is the set of those that were caught.
// Surrogates are numbered in the order in which they are chosen, which is the worst case of their collisions.
//
// What makes the protocol right is a list of rules (design_test.go), and each can be left out: the tests show the
// shortest way to an error then. The errors are: a note that is lost, too old, or there after its deletion; a name
// published that the record had when the source had the row, or that was caught in the same text before; a
// surrogate that a crash would lose; a note, or a surrogate in the vault, of a patient who stays out; a position ahead of
// what is durable; a row that is read again and again since it is updated, though its text stays as it is; and at rest, a row that a copy made
// anew would have otherwise.
//
// The replicator does not follow one of the rules: recordsAgain. Where a first copy is interrupted and goes on in a
// new snapshot, a name that the record had only between the two may be shown until the stream brings its change.
//
// A patient who comes back is known as of when the record is read again: what left it before is not, since the vault keeps no names
// of who stays out. The same is true of an id whose rows are nobody's for a while. A note whose encounter moved
// to a patient who stays out is there until it is read again.
//
// Every order of steps is tried where the numbers of transactions, crashes and requests in a batch are small
// (larger ones, and ten times as many random runs, where PGDEID_MODEL_DEEP is set); beyond that, long random runs. What these
// find is made shorter before it is shown: steps are left out as long as the rest leads to the same. Assumed and not modelled: a
// change that comes in the stream is visible to new snapshots at the source; one encounter is all that leads
// notes to patients, or a note's own id; the directory of the site does not change.
package model
