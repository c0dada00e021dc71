package itest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql/attach"
	"github.com/pgdeid/pgdeid/surrogate"
)

// equalForms ask about the notes of ward.note whose numbers are $1, and return them
// with their answers. The last one needs the notes in the source.
var equalForms = []struct{ name, before, query string }{
	{"function", "", "select note_id, deid.deidentify(patient_id, body) from ward.note where note_id = any ($1)"},
	{"scalar subquery", "", `select note_id, (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body)
		from (select note_id, patient_id::text pid, body from ward.note where note_id = any ($1) offset 0) n`},
	{"join", "", `with n as materialized (select * from ward.note where note_id = any ($1))
		select n.note_id, d.deid_note from n, lateral (select deid_note from deid.deidentify_by_number d where d.patient_id = n.patient_id and d.note = n.body offset 0) d`},
	{"lists", "", `select u.id, u.txt from (select array_agg(note_id order by note_id) ids, array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b
			from ward.note where note_id = any ($1) offset 0) c, deid.deidentify_batch(p, b) d, unnest(c.ids, d.deid_notes) u(id, txt)`},
	{"returning", "", `with r as (insert into deid.inbox (item, patient_id, note) select note_id, patient_id, body from ward.note where note_id = any ($1) returning item, deid_note)
		select item, deid_note from r`},
	{
		"inbox", "insert into deid.inbox (job, item, patient_id, note) select 'night', note_id, patient_id, body from ward.note where note_id = any ($1)",
		"select item, deid_note from deid.outbox where job = 'night' and cardinality($1::bigint[]) > 0",
	},
	{"pull", "", "select note_id::bigint, deid_note from deid.note_deid where source_table = 'ehr.note' and source_column = 'body' and note_id = any (($1::bigint[])::text[])"},
}

// sameNotes is how many notes come out of the stream and of SQL.
const sameNotes = 500

// What SQL answers is byte for byte what the stream writes, in every form, for notes
// that the first copy finds, for notes that come in, and for notes that both get at
// the same time, whoever is first.
func TestEqualThroughStreamAndSQL(t *testing.T) {
	t.Parallel()
	h, err := synth.NewHospital(2000, synth.Options{Patients: 60, Notes: sameNotes})
	if err != nil {
		t.Fatal(err)
	}
	r := newHospitalReplication(t, h, sameNotes/2)
	desk := r.desk(t)
	lab := newHospitalLab(t, h, newEngine(t, "127.0.0.1:0", desk, nil).attachment(t))
	got := map[int64]string{}
	ask := func(from, to, forms int) {
		for id, text := range askForms(t, lab.onReplica(t), noteIDs(h, from, to), forms) {
			got[id] = text
		}
	}
	ask(0, 125, len(equalForms)) // nobody has seen these yet
	r.run(t, nil)
	r.caughtUp(t)
	ask(250, 325, len(equalForms)-1) // not in the source yet
	var both errgroup.Group
	both.Go(func() error { return sandbox.FillNotes(t.Context(), r.src, h, sameNotes/2, sameNotes, func() {}) })
	ask(325, 375, len(equalForms)-1) // on their way
	if err := both.Wait(); err != nil {
		t.Fatal(err)
	}
	r.caughtUp(t)
	ask(125, 250, len(equalForms)) // replicated already
	ask(375, sameNotes, len(equalForms))
	if len(got) != sameNotes {
		t.Errorf("%d answers, want %d", len(got), sameNotes)
	}
	r.equal(t, h, got)
}

// equal compares answers with what is published.
func (r *replication) equal(t *testing.T, h *synth.Hospital, got map[int64]string) {
	t.Helper()
	published := map[int64]string{}
	rows, err := r.dst.Query(t.Context(), "select note_id, body from ehr.note")
	if err != nil {
		t.Fatal(err)
	}
	var id int64
	var body string
	if _, err := pgx.ForEachRow(rows, []any{&id, &body}, func() error { published[id] = body; return nil }); err != nil {
		t.Fatal(err)
	}
	differ, changed := 0, 0
	for d := range h.Notes() {
		want, ok := published[r.key.PseudonymInt("note_id", d.ID)]
		if got[d.ID] != d.Text {
			changed++
		}
		if !ok || got[d.ID] != want {
			if differ++; differ <= 3 {
				t.Errorf("note %d (published: %t): SQL says\n%s\nthe stream says\n%s", d.ID, ok, got[d.ID], want)
			}
		}
	}
	if differ > 0 || changed < sameNotes*9/10 {
		t.Errorf("%d of %d notes differ; %d are not as they were", differ, sameNotes, changed)
	}
}

// newHospitalReplication is a pair with a made-up hospital in the source, of which the
// first notes are there, mapped as the demo maps it.
func newHospitalReplication(t testing.TB, h *synth.Hospital, notes int) *replication {
	t.Helper()
	return newHospitalReplicationOn(t, newPair(t), h, notes)
}

// demoTables returns the mapping of the demo's tables.
func demoTables(t testing.TB) string {
	t.Helper()
	demo, err := os.ReadFile("../replicator/demo/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, ok := strings.Cut(string(demo), "\ntables:\n")
	if !ok {
		t.Fatal("the demo's mapping has no tables")
	}
	return "tables:\n" + tables
}

func newHospitalReplicationOn(t testing.TB, p *pair, h *synth.Hospital, notes int) *replication {
	t.Helper()
	r := &replication{pair: p, slot: p.name, src: p.onSource(t), dst: p.onReplica(t)}
	for _, do := range []func() error{
		func() error { return sandbox.CreateEHR(t.Context(), r.src) },
		func() error { return sandbox.Fill(t.Context(), r.src, h) },
		func() error { return sandbox.FillNotes(t.Context(), r.src, h, 0, notes, func() {}) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	r.cfg = p.config(t, p.settings(t)+"http: \"\"\n"+demoTables(t))
	migrateUp(t, r.cfg)
	var err error
	if r.key, err = surrogate.ReadKey(r.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	return r
}

// newHospitalLab makes a database that has the hospital's notes in ward.note and asks
// the engine: the replica's of the pair.
func newHospitalLab(t testing.TB, h *synth.Hospital, a attach.Engine) *pair {
	t.Helper()
	p := newPair(t)
	conf, err := p.replica.Config(p.name)
	if err != nil {
		t.Fatal(err)
	}
	attachEngine(t, conf, a)
	conn := p.onReplica(t)
	if _, err := conn.Exec(t.Context(), "create schema ward; create table ward.note (note_id bigint primary key, patient_id bigint, body text)"); err != nil {
		t.Fatal(err)
	}
	rows := make([][]any, 0, h.NoteCount())
	for d := range h.Notes() {
		rows = append(rows, []any{d.ID, d.Patient.ID, d.Text})
	}
	if _, err := conn.CopyFrom(t.Context(), pgx.Identifier{"ward", "note"}, []string{"note_id", "patient_id", "body"}, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
	return p
}

func noteIDs(h *synth.Hospital, from, to int) []int64 {
	ids := make([]int64, 0, to-from)
	for i := from; i < to; i++ {
		ids = append(ids, h.Note(i).ID)
	}
	return ids
}

// askForms asks about every nth note in the nth form.
func askForms(t *testing.T, conn *pgx.Conn, ids []int64, forms int) map[int64]string {
	t.Helper()
	got := map[int64]string{}
	for n, form := range equalForms[:forms] {
		var mine []int64
		for i := n; i < len(ids); i += forms {
			mine = append(mine, ids[i])
		}
		err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			if form.before != "" {
				if _, err := tx.Exec(t.Context(), form.before, mine); err != nil {
					return err
				}
			}
			rows, err := tx.Query(t.Context(), form.query, mine)
			if err != nil {
				return err
			}
			var id int64
			var text string
			answers := 0
			_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
				got[id] = text
				answers++
				return nil
			})
			if err == nil && answers != len(mine) {
				err = fmt.Errorf("%d answers to %d questions", answers, len(mine))
			}
			return err
		})
		if err != nil {
			t.Fatalf("%s: %v", form.name, err)
		}
	}
	return got
}
