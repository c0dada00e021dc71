package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// fakeTx is a transaction whose batches refuse answers for.
type fakeTx struct {
	refuse  func(patients []string) error
	batches [][]string // the patients of each batch that was sent
	undone  int
}

func (tx *fakeTx) Exec(_ context.Context, sql string, _ ...any) (pgconn.CommandTag, error) {
	if sql != "rollback to savepoint vault" {
		return pgconn.CommandTag{}, fmt.Errorf("unexpected statement %q", sql)
	}
	tx.undone++
	return pgconn.CommandTag{}, nil
}

func (tx *fakeTx) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	var patients []string
	for _, q := range batch.QueuedQueries {
		if len(q.Arguments) > 0 {
			patients = append(patients, q.Arguments[0].([]string)...)
		}
	}
	slices.Sort(patients)
	patients = slices.Compact(patients)
	tx.batches = append(tx.batches, patients)
	return fakeResults{err: tx.refuse(patients)}
}

type fakeResults struct {
	pgx.BatchResults

	err error
}

func (r fakeResults) Close() error { return r.err }

// fakeDB answers each query with the next of its tables.
type fakeDB struct {
	tables [][][]any
	args   [][]any
}

func (db *fakeDB) Query(_ context.Context, _ string, args ...any) (pgx.Rows, error) {
	if len(db.tables) == 0 {
		err := errors.New("one query too many")
		return &schematest.Rows{Failed: err}, err
	}
	rows := &schematest.Rows{Left: db.tables[0]}
	db.tables, db.args = db.tables[1:], append(db.args, args)
	return rows, nil
}
