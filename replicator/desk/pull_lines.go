package desk

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// pullLines is pull for notes whose lines are rows: a question is about the lines of one note
// together. A note whose lines lead to several patients, or that is too large, is left out.
func pullLines(ctx context.Context, l *patient.Lookups, by *deid.Deidentifier, t *schema.Table, keys []string) ([]NoteAnswer, []Question, error) {
	var out []NoteAnswer
	var asked []Question
	for _, k := range keys {
		key, ok := parseKey(t, t.Lines.Key, k)
		if !ok {
			continue
		}
		u := &unit{table: t, column: t.Lines.Text, key: key}
		err := u.read(ctx, l)
		if fault.BlamesRow(err) || err == nil && len(u.rows) == 0 {
			continue // a key that the server refuses is one that no note has
		}
		if err != nil {
			return nil, nil, err
		}
		whose, one, err := u.patient(ctx, l)
		if err != nil {
			return nil, nil, err
		}
		whole, broken := t.Lines.Whole(u.rows)
		if !one || broken != nil { // it is no document of its column's format
			continue
		}
		null := !slices.ContainsFunc(u.rows, func(row []schema.Value) bool { return row[t.Lines.Text].State == schema.Present })
		out = append(out, NoteAnswer{Key: writeKey(key), Table: t.ID, Column: t.Columns[t.Lines.Text].Name, Null: null, Bytes: len(whole.Text())})
		asked = append(asked, Question{Patient: whose, Text: whole.Text(), note: by.NoteID(t, t.Lines.Text, u.rows[0])})
	}
	return out, asked, nil
}
