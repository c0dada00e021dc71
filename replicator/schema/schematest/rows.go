package schematest

import (
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Rows answers a query with values, which have the types that they are scanned into; after an error, with that alone.
type Rows struct {
	pgx.Rows

	Left   [][]any
	Failed error

	row []any
}

// Next takes the next row.
func (r *Rows) Next() bool {
	if len(r.Left) == 0 || r.Failed != nil {
		return false
	}
	r.row, r.Left = r.Left[0], r.Left[1:]
	return true
}

// Scan copies the values of the row.
func (r *Rows) Scan(into ...any) error {
	for i, dst := range into {
		reflect.ValueOf(dst).Elem().Set(reflect.ValueOf(r.row[i]))
	}
	return nil
}

// Err returns why there are no rows.
func (r *Rows) Err() error { return r.Failed }

// Close does nothing.
func (*Rows) Close() {}

// CommandTag returns an empty one.
func (*Rows) CommandTag() pgconn.CommandTag { return pgconn.CommandTag{} }
