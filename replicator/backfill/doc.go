// Package backfill has several processes make the copy of a table together: which parts of it there are,
// who copies which, how far they are and how fast they may be. It knows nothing of how rows are made.
//
// A part is a row of deid.copy_chunk and a job of River, whose tables are in the replica too. The job
// brings the part to a process and brings it again after an error; it says nothing of what was done. That
// is in deid.copy_chunk, which the transactions write that write the rows. Who copies a part holds an
// advisory lock in the very session that writes: so no other process can copy it meanwhile, and when the process
// dies, or its host does, the lock goes with the session that could have written.
package backfill
