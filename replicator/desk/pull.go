package desk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// NoteKeys names notes of the source.
type NoteKeys struct {
	phi.Redacted

	Table  string // "schema.name"; "" for the one table that has notes
	Column string // "" for the one text of the table
	// Keys are primary keys as texts, or, where rows are lines of notes, the notes' keys; a JSON array
	// of texts where the key has several columns.
	Keys []string
}

// NoteAnswer is what became of one text of a row.
type NoteAnswer struct {
	Answer

	Key, Table, Column string
	Patient            string // pseudonym of whose note it is; "" if of no patient
	Null               bool   // the source has no text there
	Bytes              int    // of the source's text
}

// Pull reads notes from the source and answers them. Those that the source does not
// have are left out.
func (d *Desk) Pull(ctx context.Context, from NoteKeys) ([]NoteAnswer, error) {
	var out []NoteAnswer
	var asked []Question
	err := d.with(ctx, func(s *connections) (err error) {
		out, asked, err = pull(ctx, s.look, s.of.Deid, from)
		return err
	})
	if err != nil {
		return nil, err
	}
	answers, err := Retry(ctx, asked, func(ctx context.Context, asked []Question) ([]Answer, error) { return d.ask(ctx, asked, true) })
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		out[i].Patient = d.Pseudonym(asked[i].Patient)
		if !out[i].Null {
			out[i].Answer = a
		}
	}
	return out, nil
}

// pull reads rows, and returns a question for each answer that is still to come.
func pull(ctx context.Context, l *patient.Lookups, by *deid.Deidentifier, from NoteKeys) ([]NoteAnswer, []Question, error) {
	t, columns, err := notesOf(l.Plan, from)
	if err != nil {
		return nil, nil, err
	}
	if t.Lines != nil && columns[0] == t.Lines.Text {
		return pullLines(ctx, l, by, t, from.Keys)
	}
	var keys [][]string
	for _, k := range from.Keys {
		if key, ok := parseKey(t, t.Key, k); ok {
			keys = append(keys, key)
		}
	}
	rows, err := rowsOf(ctx, l, t, keys)
	if err != nil {
		return nil, nil, err
	}
	whose, _, err := l.PatientKeys(ctx, slices.Repeat([]*schema.Table{t}, len(rows)), rows)
	if err != nil {
		return nil, nil, err
	}
	var out []NoteAnswer
	var asked []Question
	for i, row := range rows {
		for _, c := range columns {
			key, _ := t.KeyTexts(row)
			a := NoteAnswer{Key: writeKey(key), Table: t.ID, Column: t.Columns[c].Name, Null: row[c].State != schema.Present, Bytes: len(row[c].Text)}
			out, asked = append(out, a), append(asked, Question{Patient: whose[i], Text: row[c].Text, note: by.NoteID(t, c, row)})
		}
	}
	return out, asked, nil
}

// notesOf finds the table and the columns that are asked for.
func notesOf(p *schema.Plan, from NoteKeys) (*schema.Table, []int, error) {
	var t *schema.Table
	for _, other := range p.Tables {
		switch {
		case !other.IsNote() || from.Table != "" && other.ID != from.Table:
		case t != nil:
			return nil, nil, &Refusal{"several tables have notes", "say source_table = 'schema.table', as in the mapping"}
		default:
			t = other
		}
	}
	if t == nil {
		return nil, nil, &Refusal{"the mapping has no such table with notes", "say source_table = 'schema.table', as in the mapping"}
	}
	var columns []int
	for _, c := range t.Texts {
		if from.Column == "" || t.Columns[c].Name == from.Column {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 || len(columns) > 1 && from.Column == "" {
		return nil, nil, &Refusal{"table " + t.ID + " has several columns of notes, or not this one", "say source_column = '…', as in the mapping"}
	}
	for _, c := range columns {
		if t.Columns[c].Form != (note.Form{}) {
			return nil, nil, &Refusal{
				"column " + t.Columns[c].Name + " of table " + t.ID + " holds documents, and plain text alone can be asked for",
				"read the replica, or ask for the text of the document",
			}
		}
	}
	return t, columns, nil
}

// rowsOf reads rows by their keys.
func rowsOf(ctx context.Context, l *patient.Lookups, t *schema.Table, keys [][]string) (all [][]schema.Value, err error) {
	err = eachHalf(keys, func(some [][]string) error {
		var rows [][]schema.Value
		err := l.ReadRows(ctx, t, some, func(row []schema.Value) error {
			rows = append(rows, row)
			return nil
		})
		if err == nil {
			all = append(all, rows...)
		}
		return err
	})
	return all, err
}

// eachHalf calls read with keys; where a server refuses one of them, as it does not fit the type of its columns, with
// smaller and smaller halves, so that it does not spoil the others. Such a key is one that nothing has.
func eachHalf[K any](keys []K, read func([]K) error) error {
	if len(keys) == 0 {
		return nil
	}
	err := read(keys)
	if !fault.BlamesRow(err) {
		return err
	}
	if len(keys) == 1 {
		return nil
	}
	half := len(keys) / 2
	if err := eachHalf(keys[:half], read); err != nil {
		return err
	}
	return eachHalf(keys[half:], read)
}

// parseKey reads a key as [NoteKeys] has it. A client may have put anything there,
// so the source is asked for values of the key's types only.
func parseKey(t *schema.Table, columns []int, s string) ([]string, bool) {
	key := []string{s}
	if len(columns) > 1 && (json.Unmarshal([]byte(s), &key) != nil || len(key) != len(columns)) {
		return nil, false
	}
	for i, k := range columns {
		if ok, _ := schema.Fits(t.Columns[k].Typ, key[i]); !ok {
			return nil, false
		}
	}
	return key, true
}

// writeKey is the inverse of parseKey.
func writeKey(key []string) string {
	if len(key) == 1 {
		return key[0]
	}
	return schema.RowKey(key)
}
