package vault

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// ErrStale means that another process chose a surrogate first: what is cached of the
// patient is stale.
var ErrStale = errors.New("another process stored surrogates of the same patient")

// RecordKind is the kind of entries that are words of a patient's record: a hash,
// without a surrogate.
const RecordKind = "record"

// Tx is what a Store needs of a transaction of the replica.
type Tx interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// Store writes surrogates and date shifts.
type Store struct {
	seals Seals
	log   *slog.Logger
}

// NewStore returns a store whose values key seals. log gets a warning where the replica
// refuses a patient's surrogates.
func NewStore(key *surrogate.Key, log *slog.Logger) *Store { return &Store{NewSeals(key), log} }

// Write writes choices into tx. Where the replica refuses one because of its values, they
// are written in halves, patient by patient, and the patients of whom nothing was written
// are returned. Where another process has stored another choice, the error is [ErrStale].
func (s *Store) Write(ctx context.Context, tx Tx, c *Choices) (refused []string, err error) {
	const op = "store surrogates"
	if c.Empty() {
		return nil, nil
	}
	err = s.try(ctx, tx, c)
	if !fault.SmallerMayDo(err) {
		return nil, fault.New(op, err, "")
	}
	if _, undo := tx.Exec(ctx, "rollback to savepoint vault"); undo != nil {
		return nil, fault.New("undo what the replica refused", undo, "")
	}
	if names := c.Patients(); len(names) == 1 {
		if !fault.BlamesRow(err) {
			return nil, fault.New(op, err, "")
		}
		s.log.Warn("the replica refuses the surrogates of a patient, whose rows are set aside", "sqlstate", fault.State(err))
		return names, nil
	}
	for _, half := range c.halves() {
		more, err := s.Write(ctx, tx, half)
		if err != nil {
			return nil, err
		}
		refused = append(refused, more...)
	}
	return refused, nil
}

// try writes choices behind a savepoint, which it leaves in place if it fails. Surrogates are hardly ever
// there already, and rows without a way around a conflict cost a third less: that way is gone only where there is one.
func (s *Store) try(ctx context.Context, tx Tx, c *Choices) error {
	err := s.send(ctx, tx, c, insertSurrogates)
	if fault.State(err) == UniqueViolation {
		if _, undo := tx.Exec(ctx, "rollback to savepoint vault"); undo != nil {
			return undo
		}
		err = s.send(ctx, tx, c, keepSurrogates)
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == UniqueViolation && pg.ConstraintName == "surrogate_distinct" {
		return ErrStale
	}
	return err
}

// UniqueViolation is the SQLSTATE of a row whose key is there.
const UniqueViolation = "23505"

// send writes choices; surrogates, other than words of records, with the given statement.
func (s *Store) send(ctx context.Context, tx Tx, c *Choices, insert string) error {
	batch := &pgx.Batch{}
	batch.Queue("savepoint vault")
	s.queueEntries(batch, c, insert)
	s.queueShifts(batch, c)
	batch.Queue("release savepoint vault")
	return tx.SendBatch(ctx, batch).Close()
}

const insertSurrogates = `
	insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac, sealed)
	select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[])`

// keepSurrogates is insertSurrogates where some may be there.
const keepSurrogates = `
	insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac, sealed)
	select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[])
	on conflict (patient, kind, original_hmac) do update set surrogate_hmac = excluded.surrogate_hmac, sealed = excluded.sealed
	where deid.surrogate.surrogate_hmac <> excluded.surrogate_hmac
	returning xmax::text <> '0'`

// queueEntries queues new surrogates, in the order of the table's index, so that those of one patient
// are written to the same pages. One that another process stored first with another value makes the
// batch fail with ErrStale.
func (s *Store) queueEntries(batch *pgx.Batch, c *Choices, insert string) {
	ids := slices.SortedFunc(maps.Keys(c.entries), entryID.compare)
	words := slices.DeleteFunc(slices.Clone(ids), func(id entryID) bool { return id.kind != RecordKind })
	others := slices.DeleteFunc(ids, func(id entryID) bool { return id.kind == RecordKind })
	s.queueSome(batch, keepSurrogates, c, words) // the words of a row come again with each change of it
	s.queueSome(batch, insert, c, others)
}

func (s *Store) queueSome(batch *pgx.Batch, insert string, c *Choices, ids []entryID) {
	if len(ids) == 0 {
		return
	}
	var patients, kinds []string
	var originals, hashes, sealed [][]byte
	for _, id := range ids {
		e := c.entries[id]
		hash, value := s.seals.entry(id.patient, e)
		patients, kinds = append(patients, id.patient), append(kinds, id.kind)
		originals, hashes, sealed = append(originals, e.Hash), append(hashes, hash), append(sealed, value)
	}
	batch.Queue(insert, patients, kinds, originals, hashes, sealed).Query(refuseChanged)
}

// refuseChanged returns ErrStale where a row had another value before.
func refuseChanged(rows pgx.Rows) error {
	var changed bool
	_, err := pgx.ForEachRow(rows, []any{&changed}, func() error {
		if changed {
			return ErrStale
		}
		return nil
	})
	return err
}

// entry returns the stored form of an entry.
func (s Seals) entry(patient string, e surrogate.Entry) (hash, sealed []byte) {
	if e.Kind == RecordKind {
		return e.Hash, nil
	}
	return s.surrogateHash(patient, e.Kind, e.Surrogate), s.sealSurrogate(patient, e.Kind, e.Hash, e.Surrogate)
}

func (s *Store) queueShifts(batch *pgx.Batch, c *Choices) {
	if len(c.shifts) == 0 {
		return
	}
	var names []string
	var sealed [][]byte
	for name, days := range c.shifts {
		names, sealed = append(names, name), append(sealed, s.seals.sealShift(name, days))
	}
	batch.Queue(`
		insert into deid.date_shift (patient, sealed) select * from unnest($1::text[], $2::bytea[])
		on conflict (patient) do nothing`, names, sealed)
}
