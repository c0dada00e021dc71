package sandbox

import (
	"context"
	_ "embed"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// ehrSchema makes the demo's EHR.
//
//go:embed ehr.sql
var ehrSchema string

// CreateEHR makes the empty schema "ehr" in a database.
func CreateEHR(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, ehrSchema)
	return fault.New("create the demo's EHR", err, "the database must be empty")
}

// Fill copies a made-up hospital into the schema that CreateEHR made, without its
// notes. Rows are written while they are sent, so memory stays flat.
func Fill(ctx context.Context, conn *pgx.Conn, h *synth.Hospital) error {
	for _, t := range []struct {
		name    string
		columns []string
		rows    iter.Seq[[]any]
	}{
		{"site", siteColumns, siteRows(h)},
		{"provider", providerColumns, providerRows(h)},
		{"patient", patientColumns, patientRows(h)},
		{"patient_alias", []string{"alias_id", "patient_id", "first_name", "last_name"}, aliasRows(h)},
		{"address", []string{"address_id", "patient_id", "is_current", "street", "city", "state", "zip"}, addressRows(h)},
		{"contact", []string{"contact_id", "patient_id", "relation", "full_name", "phone"}, contactRows(h)},
		{"insurance", []string{"insurance_id", "patient_id", "payer", "member_id", "group_no"}, insuranceRows(h)},
		{"encounter", encounterColumns, encounterRows(h)},
		{"lab_result", []string{"lab_id", "encounter_id", "test", "value", "taken_at"}, labRows(h)},
		{"front_desk_log", []string{"entry_id", "patient_id", "said"}, deskRows(h)},
	} {
		if err := copyRows(ctx, conn, t.name, t.columns, t.rows); err != nil {
			return err
		}
	}
	return nil
}

// FillNotes copies notes [from, to) of the hospital; progress, if not nil, is called
// after each.
func FillNotes(ctx context.Context, conn *pgx.Conn, h *synth.Hospital, from, to int, progress func()) error {
	return copyRows(ctx, conn, "note", noteColumns, func(yield func([]any) bool) {
		for i := from; i < to; i++ {
			d := h.Note(i)
			if !yield(noteRow(&d)) {
				return
			}
			if progress != nil {
				progress()
			}
		}
	})
}

// InsertNote inserts one note in a transaction of its own, as a ward does.
func InsertNote(ctx context.Context, conn *pgx.Conn, d *synth.Document) error {
	_, err := conn.Exec(ctx, `
		insert into ehr.note (note_id, patient_id, encounter_id, author_id, note_type, written_at, title, body, chart_flag)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, noteRow(d)...)
	return fault.New("insert a note into the demo's EHR", err, "")
}

func copyRows(ctx context.Context, conn *pgx.Conn, table string, columns []string, rows iter.Seq[[]any]) error {
	next, stop := iter.Pull(rows)
	defer stop()
	source := pgx.CopyFromFunc(func() ([]any, error) {
		row, ok := next()
		if !ok {
			return nil, nil
		}
		return row, nil
	})
	_, err := conn.CopyFrom(ctx, pgx.Identifier{"ehr", table}, columns, source)
	return fault.New("fill ehr."+table, err, "")
}

var noteColumns = []string{
	"note_id", "patient_id", "encounter_id", "author_id", "note_type", "written_at", "title", "body", "chart_flag",
}

// noteRow returns a note in the order of noteColumns. Its title names the patient, as
// titles do.
func noteRow(d *synth.Document) []any {
	title := fmt.Sprintf("%s - %s, %s - %s", d.Kind, d.Patient.Name.Last, d.Patient.Name.First, d.When.Format("01/02/2006"))
	return []any{
		d.ID, d.Patient.ID, d.Encounter.ID, d.Author.ID, string(d.Kind), d.When.Truncate(time.Minute), title, d.Text,
		"flagged for " + d.Patient.Name.Full(),
	}
}
