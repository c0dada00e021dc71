package vault

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/surrogate"
)

// Querier is a connection to the replica or a transaction of it.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Entries passes the stored surrogates of patients, each patient's in one order. Those of
// [RecordKind] have no text. A database error is returned as it is.
func (s Seals) Entries(ctx context.Context, db Querier, patients []string, each func(patient string, e surrogate.Entry)) error {
	rows, _ := db.Query(ctx, `
		select patient, kind, original_hmac, sealed from deid.surrogate where patient = any($1)
		order by patient, kind, original_hmac`, patients)
	var name string
	var e surrogate.Entry
	var sealed []byte
	_, err := pgx.ForEachRow(rows, []any{&name, &e.Kind, &e.Hash, &sealed}, func() (err error) {
		text := ""
		if e.Kind != RecordKind {
			if text, err = s.openSurrogate(name, e.Kind, e.Hash, sealed); err != nil {
				return err
			}
		}
		each(name, surrogate.Entry{Kind: e.Kind, Hash: slices.Clone(e.Hash), Surrogate: text})
		return nil
	})
	return err
}

// Shifts passes by how many days the dates of patients are moved, of those for whom that
// is stored. A database error is returned as it is.
func (s Seals) Shifts(ctx context.Context, db Querier, patients []string, each func(patient string, days int)) error {
	rows, _ := db.Query(ctx, `select patient, sealed from deid.date_shift where patient = any($1)`, patients)
	var name string
	var sealed []byte
	_, err := pgx.ForEachRow(rows, []any{&name, &sealed}, func() error {
		days, err := s.openShift(name, sealed)
		if err != nil {
			return err
		}
		each(name, days)
		return nil
	})
	return err
}
