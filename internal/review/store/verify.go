package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// sealedTables are the tables with what people decided: what each value is sealed for, and the value.
var sealedTables = []struct{ table, purpose, columns string }{
	{"review_round", "review round", "array[name], sealed"},
	{"review_item", itemPurpose, "array[round::text, place::text, table_name, column_name, row_key], sealed"},
	{"review_reading", readingPurpose, "array[round::text, place::text, reader], sealed"},
	{"review_repair", repairPurpose, "array[scope, patient, encode(note_hmac, 'hex'), made_by], sealed"},
	{"review_member", alikePurpose, "array[round::text, place::text, table_name, column_name, row_key, member::text], sealed"},
	{"site_phrase", phrasePurpose, "array[encode(id, 'hex')], sealed"},
}

// Opened says how many values of a table there are, and how many of them do not open with the store's key.
type Opened struct {
	Table           string
	Values, Foreign int64
}

// Verify opens everything that people decided.
func (s *Store) Verify(ctx context.Context) ([]Opened, error) {
	const op = "open what people decided"
	var list []Opened
	for _, t := range sealedTables {
		o := Opened{Table: "deid." + t.table}
		rows, err := s.db.Query(ctx, "select "+t.columns+" from deid."+t.table)
		if err != nil {
			return nil, fault.New(op, err, upHint)
		}
		var of []string
		var sealed []byte
		_, err = pgx.ForEachRow(rows, []any{&of, &sealed}, func() error {
			o.Values++
			if _, err := s.key.Open(sealed, t.purpose, of...); err != nil {
				o.Foreign++
			}
			return nil
		})
		if err != nil {
			return nil, fault.New(op, err, "")
		}
		list = append(list, o)
	}
	return list, nil
}
