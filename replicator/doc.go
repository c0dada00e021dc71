// Package replicator carries rows from an EHR's PostgreSQL database (the source)
// to a research database (the replica) by logical replication, and de-identifies
// them on the way: each change is applied exactly once, whatever dies when.
//
// One note passes six functions: source.Stream.Receive takes its change from the connection,
// source.Stream.Decode finds its transaction, changes.Row decodes it, deid.Resolver.ResolveEach
// finds its patient, deid.Deidentifier.Deidentify makes the text that may be seen, and
// apply.Committer.Run writes it. [Run] opens the session in which they work.
//
//	            put             shards, by patient
//	stream ----------> resolve ====================> workers
//	   ^                  \                             |
//	   | applied LSN       `--> in order --> committer <'  --> one replica transaction:
//	   `-------------------------------------------'           rows, surrogates, provenance,
//	                                              ^            quarantine, requests, position
//	rewriter: read -> await -> resolve -> workers-'
//
// One goroutine owns the replication connection (source/receive.go): it receives, and
// sends the applied position in between. Where the configuration has another release
// than "live", analysts read what apply/releaser.go moved to them.
//
// # Rows that are made anew
//
// A changed record puts its patient into deid.requeue, and a row that others find their
// patient through into deid.requeue_path, in the transaction of the change. The rewriter
// (package rewrite) reads such rows from the source while the stream runs, waits until
// what the stream brings is committed as far as it read (source.Mark), has the workers of their patients
// make them anew when the stream leaves them time, and hands them to the committer, which
// writes them behind what the stream has brought so far. It passes over rows that the
// stream has brought since they were read (apply.Streamed): these requests are read again.
// Updates that leave out the text do not count: their other columns are written with the text that was made.
// A request is struck off when its rows are committed, unless it was queued again.
//
// The committer does not detect, nor read the source: it holds the write lock. A row that it can't write as it was made
// (its text was not sent and is not in the replica, it is another patient's there, or the vault has lost what it was
// made with) is set aside as outdated, what the replica has of it goes, and its patient is requested before all others,
// in the same transaction (apply/outdated.go). The rewriter writes such rows though the replica does not have them.
//
// So nothing that is written is older than what it replaces, nothing waits for rewrites
// but the rows of the same patient, and nothing is published with a record that is older
// than the row. Until its turn comes, a text that was published before stays as it was;
// where release is not live, nothing is released meanwhile. Package model runs through
// the interleavings, and through what happens without each of these rules.
//
// Notes that another version of the program made, or other models, are made anew by another process
// (admin.Reprocess). It makes a page of notes in a transaction that it rolls back, without the write lock, and
// compares them with what is published. Those that come out the same get the new version in their provenance,
// where what is published still has the hash that was compared: which text of the source it was made of is true whatever
// the stream has brought in between. Those that do not are made again without the write lock; with it they are read and resolved
// again, and written if they would be made of the same then (apply/remake.go). Only what changes each time is made under the
// write lock. Rows that are retried (admin.Retry) go the same way. The
// rewriter's queue is not used: reprocess has to work without a stream, and has to know the version before for its
// summary. It stores no position: what is up to date is passed without detection, so that a run that was
// killed goes on where it was.
//
// # Networks on other machines
//
// A detector may have its networks run elsewhere (package models/remote). Nothing here knows of it but the number of workers (session.Workers),
// which wait instead of computing: whose a note is, order, surrogates and commits are where they were, and a worker
// that is lost costs time. Jobs of the replica's queue, as for a first copy, would have to hold texts.
//
// # Patients who stay out
//
// Which patients are published can depend on rows of the source (exclude, include), and on who was
// purged. Both are in the vault, as of what is applied: deid.patient_filter is written in the
// transaction of a row's change, and a process that writes rows asks it in the transaction that writes
// them (apply/exclude.go). In the transaction with which a patient must go, everything of that
// patient goes (apply/takeaway.go), and what is in hand becomes void: it was made with what the
// vault does not have any more, and is made anew or read again. With the one in which a patient
// comes back, a request for all rows of the patient is stored. What the resolver left unsearched
// before was in the source by then, so the request finds it. A purge by another process ends the
// session, and the next one knows nothing of before.
//
// Rows of a table of merges have ids stand for others (package patient, Merges): for everybody from when they are written,
// not when the stream brings them. A change of them takes away whose rows they part and asks for these again, in its
// transaction (apply/merge.go); what was looked up before is void then, or is read again. The words of a record are kept by the
// id whose they are: a merge joins them, and nothing is forgotten when it is taken back. Names in rows on their way stay known
// when their patient is taken away, who may be back before these rows are committed; whether they are stored is decided with
// the rows. A patient who opts out is forgotten, and comes back as in a first copy: names that left the record before it is read again are
// not known, which can concern names of the moments in which the stream is behind the source.
//
// # Another key
//
// All that the replica has hangs on the key: pseudonyms, hashed keys, surrogates and shifts in the rows; seals,
// hashes and names of rows in the vault. Rows refer to each other by pseudonyms, so that a patient's rows can't change one
// after another: whatever two tables share, such as providers, would join with one half only. The key
// is therefore changed by generations (rotation.Begin of package sql/rotation, admin.Rotate):
//
//	begun      the tables that analysts read are in schema deid_before, their views with them; the vault is empty but
//	           for what does not hang on the key; tables without rows are in the place of the others; the key's check
//	           value is the next one's
//	copying    the session copies all tables, as any that is not complete, under the slot and from the position that
//	           it has. No process without the next key writes, and none without the one before starts
//	proven     all is copied (and released), and nothing in vault and tables is of another key
//	done       the views show the next generation, and that of before is dropped
//
// Each arrow is one transaction, which a crash undoes or leaves done. What analysts read of before is as of the
// beginning, except that patients who must go leave it in the transaction that takes them away elsewhere
// (apply.Writer.takeAwayBefore): their pseudonyms of before are made with the key before. Hashes of words that
// left records can't be made anew from hashes. While notes are searched for the next generation, both keys are at hand: a word
// that the key before knows is searched for, and stored under the next one with the row (patient/before.go).
// What people decided, repairs of notes among it, is sealed with the next key in the transaction that begins the change
// (internal/review/store, Rekey), so that the copy is made with it.
//
// # Notes of many rows
//
// Where the rows of a table are lines of notes, a line says nothing by itself. For a change of
// one, the dispatcher reads the whole note from the source (deid/gather.go): with one query, which
// has the change and may have later ones. The note passes the workers and the committer as the
// items of its lines and one that ends it, with which goes what else the replica has of the
// note. So the replica has each note as it was at one moment, not before the stream's position.
// What the stream brings of a note that was seen when it was read is passed over, by the
// numbers of transactions: a deletion that is older than what was read must not take a line away
// that is there again. What is remembered for that is lost with the session, and the notes are
// then read again. Copies, rewrites, retry and reprocess take whole notes as well, and the
// rewriter passes over a note of which the stream has brought any line since.
//
// # States
//
// A slot goes through these states, which deid.progress and deid.snapshot hold:
//
//	none       no slot, no position
//	           -> a slot is created with its snapshot exported
//	created    a slot, no position: a crash came in between. It is taken over.
//	           -> the position (the consistent point) and a row for each table are stored
//	copying    a position, and tables whose copy is not done
//	           -> pages of rows, each stored with its last key
//	streaming  all copies are done
//	           -> groups of transactions, each stored with its position
//
// A session starts from what is stored, in whatever state, and ends with an error
// or with the context. After an error that may go away by itself (session.Transient)
// the next session starts; all caches are new, and nothing is carried over but
// what the replica holds. That one way to recover serves for a cut network path,
// a server's restart, a full disk, a conflict with another process, and kill -9.
//
// # A copy by several processes
//
// With session.Options.ByWorkers the process that has the slot copies small tables itself, and others
// ([Work]) the large ones. There is one slot and one stream as before. What one process alone
// relied on holds for several because of the following.
//
// All read in one snapshot of the source: the slot's, or after a crash a new one, which the process that
// has the slot keeps and exports (chunks.go). So each row is in exactly one part of its table, also
// where rows of other tables lead it to its patient and are changed meanwhile, and the stream takes
// over where it would after a copy by one process. After a crash the parts of tables whose rows lead to their
// patient by a column of their own, or to none, stay as they are: a row that moves between them
// is in the stream. Those of others are planned anew in the new snapshot, and what was copied is compared.
//
// A part has all rows of some patients, by whichever ids stand for them. So one process chooses a
// patient's surrogates, in the order of the table's keys; tables come one after the other, so
// that which of two originals gets a surrogate first does not depend on who is faster. Tables that decide
// who is published are copied first, by the process that has the slot alone: their rows are counted as a
// whole (apply/exclude.go). Rows of tables that are made without knowing a patient are parted by their keys.
//
// Each part is copied in a session of its own, without anything that an earlier one knew. It writes in pages, each
// in one transaction with its surrogates, its provenance, and how far the part has come (apply/cursor.go);
// like everybody it takes its turn to write (apply.WriteLock), and holds it no longer than a page is being
// written, since a page waits until all of it is made (apply.Committer, Hold). Should two processes
// choose for one patient all the same, because its rows moved since the snapshot, the vault refuses
// the second (vault.ErrStale), who begins anew with what the first one chose.
//
// Who copies a part holds an advisory lock in the session that writes it. When the process or its machine
// dies, its session ends, and the lock with it: the process that has the slot sees that and makes a new job
// of the part, which goes on behind the last page. A process that dies after it was given a job and before it has the lock leaves
// a job that runs and a part that no process has: the job is given to another one after a minute. A process that was only cut off can't write after
// that: its session is gone. One whose part was planned anew, or whose directory of staff is not the one
// that the vault knows of, finds at the end of its page that it may not (apply.ErrReplanned): numbers of parts
// are never used again.
//
// Before anything is streamed, a session proves that the position lies on the history
// of WAL that the source has now (source/continuity.go), and that nothing passed the stream
// by since the rows were copied (membership.go). Tables of which that can't be proven
// go back to "copying", each on its own; what the stream then brings of transactions
// that such a copy has already is not written again (covered.go).
//
// A table that is "copying" may be compared instead (reconcile.go): pages, cursors and coverage are the same, and of
// its rows only those are written that the replica does not have as they are (apply/compare.go).
//
// # Invariants
//
//  1. The position that is confirmed to the source is that of a transaction which
//     the replica has committed to disk: it is set after the commit and sent from
//     there only, as written, flushed and applied alike, never 0.
//  2. A position is stored in the transaction of the rows that lead to it. Only the
//     end of a source transaction, or a position between transactions, is one.
//  3. Transactions that committed before the stored position are skipped. A stored
//     position behind the slot's is a gap, and so is one beyond the source's WAL or on
//     another history of it: they are refused.
//  4. Changes are applied in the order of their commits. Changes of one patient are
//     de-identified in that order, by one worker.
//  5. Whatever fails about a row costs that row: it is set aside by key, without its
//     text, and what the replica had of it is deleted, since it is no longer so.
//  6. Nothing is read from the source for a change before new snapshots there have
//     its transaction: the stream can be ahead of what other sessions see.
//  7. Rows that are read again never replace newer ones. Other processes (retry, reprocess)
//     read them under the write lock, at least to compare them with what was made; the rewriter's are passed over where the stream
//     has brought the row since. What is newer than the stream comes in the stream as
//     well, and writing it twice does no harm.
//  8. What waits in memory is bounded in bytes.
//  9. A panic costs the row that causes it, or the session; never the process.
//
// # What needs memory of its own
//
// A patient's name can change, and the notes have the old one. The vault keeps
// keyed hashes of the words that a record ever had, so that a text with one of them
// is searched as if the record still had it: see patient/recall.go.
// What left the record before pgdeid first read it is not known, nor what never was in it, until a person
// who reviews notes marks it (desk.Remember). What such a person decides about one place of a note
// comes with the patient likewise (patient/repairs.go), is a part of the hash by which a text is known to be up to
// date, and is put into what is found (deid/repair.go) before surrogates are. A patient who takes
// over rows of another one takes over that memory (patient/former.go), and the staff who left the
// directory are remembered likewise (patient/directory.go).
package replicator
