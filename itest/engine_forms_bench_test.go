package itest

import (
	"context"
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/desk"
)

// echo answers with what it is asked: what is left is the cost of asking.
type echo struct{ note string }

func (e *echo) Ask(_ context.Context, asked []desk.Question) ([]desk.Answer, error) {
	out := make([]desk.Answer, len(asked))
	for i := range asked {
		out[i].Text = asked[i].Text
	}
	return out, nil
}

func (e *echo) Pseudonym(patient string) string { return patient }

func (e *echo) Pull(_ context.Context, from desk.NoteKeys) ([]desk.NoteAnswer, error) {
	out := make([]desk.NoteAnswer, len(from.Keys))
	for i, k := range from.Keys {
		out[i] = desk.NoteAnswer{Key: k, Table: "ehr.note", Column: "body", Answer: desk.Answer{Text: e.note}, Bytes: len(e.note)}
	}
	return out, nil
}

// speedNotes is how many notes of 3 KB a round of a bulk form takes; forms that ask
// note by note take a fifth.
const speedNotes = 20_000

// speedForms write into ward.result what they get for the first notes of ward.note.
var speedForms = []struct {
	name, sql string
	singly    bool
}{
	{"deidentify", "insert into ward.result select note_id, deid.deidentify(patient_id, body) from ward.note where note_id <= %d", true},
	{"scalar", `insert into ward.result select note_id, (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body)
		from (select note_id, patient_id::text pid, body from ward.note where note_id <= %d offset 0) n`, true},
	{"lateral", `insert into ward.result select n.note_id, d.deid_note from ward.note n,
		lateral (select deid_note from deid.deidentify_by_number d where d.patient_id = n.patient_id and d.note = n.body) d where n.note_id <= %d`, true},
	{"returning", `with x as (insert into deid.inbox (item, patient_id, note) select note_id, patient_id, body from ward.note where note_id <= %d returning item, deid_note)
		insert into ward.result select item, deid_note from x`, true},
	{"inbox", `insert into deid.inbox (job, item, patient_id, note) select 'j', note_id, patient_id, body from ward.note where note_id <= %d;
		insert into ward.result select item, deid_note from deid.outbox where job = 'j'`, false},
	{"lists", `insert into ward.result select u.id, u.txt from
		(select array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b, array_agg(note_id order by note_id) ids from ward.note where note_id <= %d group by note_id / 500 offset 0) c,
		lateral (select deid_notes from deid.deidentify_batch d where d.patient_ids = c.p and d.notes = c.b limit 1) d, unnest(d.deid_notes, c.ids) u(txt, id)`, false},
	{"deidentify_all", "insert into ward.result select key::bigint, deid_note from deid.deidentify_all('ward.note', note_column => 'body') limit %d", false},
	{"deidentify_into", "call deid.deidentify_into('ward.note', 'ward.result', note_column => 'body') -- %d", false},
	{"pull", "insert into ward.result select note_id::bigint, deid_note from deid.pull(array(select note_id::text from ward.note where note_id <= %d))", false},
}

// BenchmarkEngineForms is what each form costs beside the engine's own work, through
// postgres_fdw, with servers and engine on one machine. The figure to read is notes/s.
func BenchmarkEngineForms(b *testing.B) {
	answers := &echo{}
	for _, secure := range []bool{false, true} {
		_, conn := newLab(b, attachmentOf(b, secure, answers))
		do(b, conn, fmt.Sprintf(`truncate ward.note; alter table ward.note alter body set storage external;
			insert into ward.note select i, i %% 500, repeat('The patient was seen and sent home. ', 83) || i from generate_series(1, %d) i;
			create unlogged table ward.result (note_id bigint primary key, deid_note text, reason text); analyze ward.note`, speedNotes))
		if err := conn.QueryRow(b.Context(), "select body from ward.note limit 1").Scan(&answers.note); err != nil {
			b.Fatal(err)
		}
		for _, form := range speedForms {
			notes := speedNotes
			if form.singly {
				notes /= 5
			}
			b.Run(fmt.Sprintf("%s/TLS=%t", form.name, secure), func(b *testing.B) {
				for b.Loop() {
					do(b, conn, "truncate ward.result")
					do(b, conn, fmt.Sprintf(form.sql, notes))
				}
				b.ReportMetric(float64(notes*b.N)/b.Elapsed().Seconds(), "notes/s")
			})
		}
	}
}
