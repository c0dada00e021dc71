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
		err := readNote(ctx, l, t, key, func(rows [][]schema.Value, whose string) {
			whole, err := t.Lines.Whole(rows)
			if err != nil {
				return // it is no document of its column's format
			}
			text := whole.Text()
			null := !slices.ContainsFunc(rows, func(row []schema.Value) bool { return row[t.Lines.Text].State == schema.Present })
			out = append(out, NoteAnswer{Key: writeKey(key), Table: t.ID, Column: t.Columns[t.Lines.Text].Name, Null: null, Bytes: len(text)})
			asked = append(asked, Question{Patient: whose, Text: text, note: by.NoteID(t, t.Lines.Text, rows[0])})
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return out, asked, nil
}

// readNote passes the lines of a note with the key of their patient, if there is one such note
// and one such patient.
func readNote(ctx context.Context, l *patient.Lookups, t *schema.Table, key []string, do func(rows [][]schema.Value, whose string)) error {
	sizes, err := t.NoteSizes(ctx, l.Source, [][]string{key})
	if fault.BlamesRow(err) {
		return nil // a key that the server refuses is one that no note has
	}
	if err == nil {
		err = t.ReadNotes(ctx, l.Source, sizes, func(of schema.NoteRows) error {
			rows := of.Rows
			if of.TooLarge || len(rows) == 0 {
				return nil
			}
			whose, several, err := l.PatientKeys(ctx, slices.Repeat([]*schema.Table{t}, len(rows)), rows)
			one := err == nil && !slices.ContainsFunc(whose, func(k string) bool { return k != whose[0] })
			if one && len(several) == 0 {
				do(rows, whose[0])
			}
			return err
		})
	}
	return fault.New("read notes of table "+t.ID, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}
