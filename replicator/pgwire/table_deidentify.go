package pgwire

import (
	"context"
	"io"
	"math"

	"github.com/pgdeid/pgdeid/replicator"
)

func deidentifyTable() *table {
	return &table{
		name:    "deidentify",
		comment: "One note: SELECT deid_note FROM deidentify WHERE patient_id = … AND note = …",
		columns: []column{patientColumn, noteColumn, textColumn, reasonColumn},
		needs:   []string{colPatient, colNote},
		how:     "say WHERE patient_id = … AND note = …, both as text; from a table, call deid.deidentify(patient_id, note) for each row",
		rows:    1,
		open: func(q *query) (source, *failure) {
			s, err := openQuestions(q, false, func(patient, note datum, a replicator.Answer) []row {
				text, reason := answerOf(a)
				return []row{{patient, note, text, reason}}
			})
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

func detectTable() *table {
	return &table{
		name: "detect",
		comment: "What is found in one note, a row a span, for stewards with the patient's record: " +
			"SELECT * FROM detect WHERE patient_id = … AND note = …",
		columns: []column{
			patientColumn, noteColumn,
			{"span_start", oidInt4, false, "characters of note before the span"},
			{"span_end", oidInt4, false, "characters of note before the span's end: substr(note, span_start + 1, span_end - span_start)"},
			{"phi_type", oidText, false, "type of protected health information, as i2b2 2014 names it"},
			{"detectors", oidTextArray, false, "which detectors found it"},
		},
		needs: []string{colPatient, colNote},
		how:   "say WHERE patient_id = … AND note = …, both as text",
		rows:  20,
		open: func(q *query) (source, *failure) {
			s, err := openQuestions(q, true, spanRows)
			if err != nil {
				return nil, err
			}
			s.textAlone = !q.account.steward()
			return s, nil
		},
	}
}

func spanRows(patient, note datum, a replicator.Answer) []row {
	rows := make([]row, len(a.Spans))
	for i, s := range a.Spans {
		rows[i] = row{patient, note, intDatum(s.Start), intDatum(s.End), textDatum(s.Type), textList(s.By)}
	}
	return rows
}

// spanBytes is about what the row of a span comes to.
const spanBytes = 12 * datumBytes

// maxQuestions bounds what one query may ask, as "patient_id = ANY … AND note =
// ANY …" asks for every pair.
const maxQuestions = 1 << 20

// questions asks about each pair of a patient and a note.
type questions struct {
	*query
	patients, notes []datum
	at              int
	spans           bool
	textAlone       bool // search without the patient's record
	rows            func(patient, note datum, a replicator.Answer) []row
}

func openQuestions(q *query, spans bool, rows func(datum, datum, replicator.Answer) []row) (*questions, *failure) {
	s := &questions{query: q, patients: q.input(colPatient), notes: q.input(colNote), spans: spans, rows: rows}
	if n := int64(len(s.patients)) * int64(len(s.notes)); n > maxQuestions || n > math.MaxInt32 {
		return nil, failf(stateTooLarge, "the query asks about %d pairs of a patient and a note", n).
			hinted("deidentify_batch takes lists of both, side by side")
	}
	return s, nil
}

func (s *questions) next(ctx context.Context, want int) ([]row, error) {
	total := len(s.patients) * len(s.notes)
	var asked []replicator.Question
	first, bytes := s.at, 0
	for s.at < total && len(asked) < min(max(want, 1), chunkNotes) && bytes < chunkBytes {
		q := replicator.Question{
			Patient: s.patients[s.at/len(s.notes)].text, Text: s.notes[s.at%len(s.notes)].text, SpansOnly: s.spans, TextAlone: s.textAlone,
		}
		asked, bytes = append(asked, q), bytes+len(q.Text)
		s.at++
	}
	answers, err := s.ask(ctx, s.table, asked)
	if err != nil {
		return nil, err
	}
	var found int64
	for _, a := range answers {
		found += int64(len(a.Spans))
	}
	if err := s.budget.take(spanBytes * found); err != nil { // until the scan accounts for the rows
		return nil, err
	}
	defer s.budget.giveBack(spanBytes * found)
	var rows []row
	for i, a := range answers {
		if a.Reason != "" && (s.spans || !s.wanted(colReason)) {
			return nil, noteFailure(a.Reason)
		}
		n := first + i
		rows = append(rows, s.rows(s.patients[n/len(s.notes)], s.notes[n%len(s.notes)], a)...)
	}
	if s.at >= total {
		return rows, io.EOF
	}
	return rows, nil
}
