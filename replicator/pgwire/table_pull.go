package pgwire

import (
	"context"
	"io"
	"slices"

	"github.com/pgdeid/pgdeid/replicator"
)

// Columns of note_deid.
const (
	colNoteID       = "note_id"
	colSourceTable  = "source_table"
	colSourceColumn = "source_column"
)

func pullTable() *table {
	return &table{
		name:    "note_deid",
		comment: "Notes that the engine reads from the source itself: SELECT note_id, deid_note FROM note_deid WHERE note_id = ANY (…)",
		columns: []column{
			{colNoteID, oidText, true, "primary key of the note in the source, in text form; a JSON array of texts where the key has several columns"},
			{colSourceTable, oidText, true, "schema.table of the source; may be left out where one table has notes"},
			{colSourceColumn, oidText, true, "column of the source; may be left out where the table has one text"},
			textColumn,
			reasonColumn,
		},
		needs: []string{colNoteID},
		how:   "say WHERE note_id = … or note_id = ANY (…); for a local list of keys: = ANY (ARRAY(SELECT …))",
		rows:  100,
		open:  openPull,
	}
}

// pull reads notes by their keys.
type pull struct {
	*query
	from replicator.NoteKeys // whose Keys are those still to read
}

func openPull(q *query) (source, *failure) {
	p := &pull{query: q}
	var err *failure
	if p.from.Table, err = q.single(colSourceTable); err != nil {
		return nil, err
	}
	if p.from.Column, err = q.single(colSourceColumn); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, d := range q.input(colNoteID) {
		if !seen[d.text] {
			seen[d.text] = true
			p.from.Keys = append(p.from.Keys, d.text)
		}
	}
	return p, nil
}

// single returns the one value of an input, or "" if the query does not say.
func (q *query) single(name string) (string, *failure) {
	values := q.input(name)
	switch len(values) {
	case 0:
		return "", nil
	case 1:
		return values[0].text, nil
	}
	return "", failf(stateUnsupported, "%s takes one value", name).hinted("ask for one %s at a time", name)
}

func (p *pull) next(ctx context.Context, want int) ([]row, error) {
	n := min(max(want, 1), chunkNotes, len(p.from.Keys))
	chunk := p.from
	chunk.Keys, p.from.Keys = p.from.Keys[:n], p.from.Keys[n:]
	if limit, err := p.account.take(n, nil); err != nil {
		p.countLimited(p.table, limit, n)
		return nil, err
	}
	answers, err := p.engine.Pull(ctx, chunk)
	if err != nil {
		p.count(p.table, nil, 0, 0, int64(n))
		return nil, err
	}
	patients := patientsOf(answers)
	if limit, err := p.account.take(0, patients); err != nil { // whose the notes are is known only now
		p.countLimited(p.table, limit, n)
		return nil, err
	}
	rows, err := p.rows(chunk.Keys, answers, patients)
	if err == nil && len(p.from.Keys) == 0 {
		err = io.EOF
	}
	return rows, err
}

// patientsOf returns whose notes these are, each patient once.
func patientsOf(answers []replicator.NoteAnswer) []string {
	var list []string
	seen := map[string]bool{}
	for i := range answers {
		if p := answers[i].Patient; !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}

// rows puts answers into the order of the keys.
func (p *pull) rows(keys []string, answers []replicator.NoteAnswer, patients []string) ([]row, error) {
	order := make(map[string]int, len(keys))
	for i, k := range keys {
		order[k] = i
	}
	slices.SortStableFunc(answers, func(a, b replicator.NoteAnswer) int { return order[a.Key] - order[b.Key] })
	var done, bytes, failed int64
	rows := make([]row, 0, len(answers))
	for _, a := range answers {
		text, reason := answerOf(a.Answer)
		if a.Null {
			text = datum{null: true}
		}
		if a.Reason != "" {
			failed++
		} else {
			done, bytes = done+1, bytes+int64(a.Bytes)
		}
		rows = append(rows, row{textDatum(a.Key), textDatum(a.Table), textDatum(a.Column), text, reason})
	}
	p.count(p.table, patients, done, bytes, failed)
	if failed > 0 && !p.wanted(colReason) {
		i := slices.IndexFunc(answers, func(a replicator.NoteAnswer) bool { return a.Reason != "" })
		return nil, noteFailure(answers[i].Reason)
	}
	return rows, nil
}
