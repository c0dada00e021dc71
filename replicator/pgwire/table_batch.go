package pgwire

import (
	"context"
	"io"

	"github.com/pgdeid/pgdeid/replicator"
)

func batchTable() *table {
	return &table{
		name:    "deidentify_batch",
		comment: "Lists of notes, one row: SELECT deid_notes FROM deidentify_batch WHERE patient_ids = … AND notes = …",
		columns: []column{
			{"patient_ids", oidTextArray, true, "patient keys as the source has them, in text form"},
			{"notes", oidTextArray, true, "identified texts, beside the keys"},
			{"deid_notes", oidTextArray, false, "the texts with surrogates in, beside the keys"},
			{"reasons", oidTextArray, false, "why a text is NULL although its note is not; asking for it keeps one bad note from failing the statement"},
		},
		needs: []string{"patient_ids", "notes"},
		how:   "say WHERE patient_ids = … AND notes = …, both text[] of one length",
		rows:  1,
		open:  openBatch,
	}
}

// batch answers one row of lists.
type batch struct {
	*query
	patients, notes []datum
}

func openBatch(q *query) (source, *failure) {
	patients, err := q.input("patient_ids")[0].elements(q.budget, q.held)
	if err != nil {
		return nil, err
	}
	notes, err := q.input("notes")[0].elements(q.budget, q.held)
	if err != nil {
		return nil, err
	}
	if len(patients) != len(notes) {
		return nil, failf(stateArrayMismatch, "patient_ids has %d elements, notes has %d", len(patients), len(notes)).
			hinted("aggregate both in the same order: array_agg(x ORDER BY id)")
	}
	return &batch{q, patients, notes}, nil
}

func (b *batch) next(ctx context.Context, _ int) ([]row, error) {
	texts, reasons := make([]datum, len(b.notes)), make([]datum, len(b.notes))
	var size int64 // of the texts so far; the scan accounts for the row
	defer func() { b.budget.giveBack(size) }()
	for from := 0; from < len(b.notes); {
		to, err := b.chunk(ctx, from, texts, reasons)
		if err != nil {
			return nil, err
		}
		for _, d := range texts[from:to] {
			if err := b.budget.take(d.size()); err != nil {
				return nil, err
			}
			size += d.size()
		}
		from = to
	}
	return []row{{listDatum(b.patients), listDatum(b.notes), listDatum(texts), listDatum(reasons)}}, io.EOF
}

// chunk answers elements from an index on, and returns the next index.
func (b *batch) chunk(ctx context.Context, from int, texts, reasons []datum) (int, error) {
	var asked []replicator.Question
	var index []int
	bytes, at := 0, from
	for ; at < len(b.notes) && len(asked) < chunkNotes && bytes < chunkBytes; at++ {
		texts[at], reasons[at] = datum{null: true}, datum{null: true}
		if b.notes[at].null {
			continue
		}
		asked = append(asked, replicator.Question{Patient: b.patients[at].text, Text: b.notes[at].text})
		index, bytes = append(index, at), bytes+len(b.notes[at].text)
	}
	answers, err := b.ask(ctx, b.table, asked)
	if err != nil {
		return at, err
	}
	for i, a := range answers {
		if a.Reason != "" && !b.wanted("reasons") {
			return at, noteFailure(a.Reason)
		}
		texts[index[i]], reasons[index[i]] = answerOf(a)
	}
	return at, nil
}
