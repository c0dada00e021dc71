package itest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/replicator/tables"
	"github.com/pgdeid/pgdeid/sql/attach"
)

// wantNote is what the engine answers for a row n of ward.note.
const wantNote = "n.patient_id || ':' || upper(n.body)"

// engineForms are the ways to ask that are documented: each counts the notes of
// ward.note that come out right.
var engineForms = map[string]string{
	"function":        "select count(*) from ward.note n where deid.deidentify(patient_id, body) = " + wantNote,
	"scalar subquery": "select count(*) from (select note_id, patient_id, patient_id::text pid, body from ward.note offset 0) n where (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body) = " + wantNote,
	"lateral, limit 1": `select count(*) from (select note_id, patient_id, patient_id::text pid, body from ward.note offset 0) n,
		lateral (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body limit 1) d where d.deid_note = ` + wantNote,
	"lateral": `with d as materialized (select n.note_id, d.deid_note from ward.note n,
			lateral (select deid_note from deid.deidentify_by_number d where d.patient_id = n.patient_id and d.note = n.body) d)
		select count(*) from d join ward.note n using (note_id) where d.deid_note = ` + wantNote,
	"join": `with d as materialized (select n.note_id, d.deid_note from ward.note n join deid.deidentify_by_number d on d.patient_id = n.patient_id and d.note = n.body)
		select count(*) from d join ward.note n using (note_id) where d.deid_note = ` + wantNote,
	"lists": `with chunk as materialized (select array_agg(note_id order by note_id) ids, array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b from ward.note group by note_id / 40)
		select count(*) from chunk c, lateral (select deid_notes from deid.deidentify_batch d where d.patient_ids = c.p and d.notes = c.b limit 1) d, unnest(c.ids, d.deid_notes) u(id, txt)
		join ward.note n on n.note_id = u.id where u.txt = ` + wantNote,
	"lists by function": `select count(*) from (select array_agg(note_id order by note_id) ids, array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b from ward.note group by note_id / 40 offset 0) c,
		deid.deidentify_batch(p, b) d, unnest(c.ids, d.deid_notes) u(id, txt) join ward.note n on n.note_id = u.id where u.txt = ` + wantNote,
	"all":       "select count(*) from deid.deidentify_all('ward.note', note_column => 'body', batch_size => 40) d join ward.note n on n.note_id::text = d.key where d.deid_note = " + wantNote,
	"all, few":  "select count(*) from deid.deidentify_all('ward.note', 'note_id', 'patient_id', 'body', 1000) d join ward.note n on n.note_id::text = d.key where d.reason is null and d.deid_note = " + wantNote,
	"by inbox":  "select count(*) from deid.outbox o join ward.note n on n.note_id = o.item where o.job = 'night' and o.deid_note = " + wantNote,
	"returning": "with r as (insert into deid.inbox (item, patient_id, note) select note_id, patient_id, body from ward.note returning item, deid_note) select count(*) from r join ward.note n on n.note_id = r.item where r.deid_note = " + wantNote,
	"union all": "select count(*) from (select patient_id, body, deid.deidentify(patient_id, body) d from ward.note where note_id <= 100 union all select patient_id, body, deid.deidentify(patient_id, body) from ward.note where note_id > 100) n where n.d = " + wantNote,
}

// pullForms count the 250 notes that the engine reads by itself.
var pullForms = map[string]string{
	"view":     "with d as materialized (select note_id, deid_note, reason from deid.note_deid where note_id = any (array(select note_id::text from ward.note))) select count(*) from d where deid_note = 'NOTE ' || note_id || ' OF ehr.note.body' or note_id = '13' and reason = 'leak'",
	"function": "select count(*) from deid.pull(array(select note_id::text from ward.note)) d where deid_note = 'NOTE ' || note_id || ' OF ehr.note.body' or note_id = '13' and reason = 'leak'",
}

func countForms(t *testing.T, count func(query string) (int, error), forms map[string]string) {
	t.Helper()
	for name, query := range forms {
		t.Run(name, func(t *testing.T) {
			if n, err := count(query); err != nil || n != 250 {
				t.Errorf("%d notes, %v", n, err)
			}
		})
	}
}

// Every form, by a superuser and by a plain role, in the clear and with a certificate
// that is verified.
func TestEngineForms(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		a := engineAttachment(t, secure)
		_, conn := newLab(t, a)
		if secure && one(t, conn, "select (current_setting('server_version_num')::int < 150000)::text") == "true" {
			continue // libpq 14 compares names of a certificate only, and the engine is named by its address here
		}
		count := func(query string) (n int, err error) {
			err = conn.QueryRow(t.Context(), query).Scan(&n)
			return n, err
		}
		for _, who := range []string{"postgres", "job"} {
			t.Run(fmt.Sprintf("%s, TLS %t", who, secure), func(t *testing.T) {
				do(t, conn, "reset session authorization")
				if who == "job" {
					do(t, conn, "set session authorization job")
				}
				do(t, conn, "begin; insert into deid.inbox (job, item, patient_id, note) select 'night', note_id, patient_id, body from ward.note")
				countForms(t, count, engineForms)
				do(t, conn, "commit")
			})
		}
		do(t, conn, "reset session authorization; set session authorization analyst")
		countForms(t, count, pullForms)
	}
}

// Long answers come through TLS to the last byte: records that libpq can't take at once
// would leave it waiting for what it has.
func TestEngineLongAnswersThroughTLS(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, true))
	do(t, conn, `truncate ward.note; insert into ward.note select i, i % 7, repeat('Seen and sent home. ', 150) || i from generate_series(1, 3000) i;
		set statement_timeout = '60s'; begin; insert into deid.inbox (job, item, patient_id, note) select 'night', note_id, patient_id, body from ward.note`)
	for _, form := range []string{"by inbox", "all", "lists"} {
		var n int
		if err := conn.QueryRow(t.Context(), engineForms[form]).Scan(&n); err != nil || n != 3000 {
			t.Fatalf("%s: %d notes, %v", form, n, err)
		}
	}
}

// engineAttachment starts an engine and says how to reach it.
func engineAttachment(t testing.TB, secure bool) attach.Engine {
	t.Helper()
	return attachmentOf(t, secure, capitals{})
}

// attachmentOf is engineAttachment with an engine of the caller's choice.
func attachmentOf(t testing.TB, secure bool, answers tables.Engine) attach.Engine {
	t.Helper()
	if !secure {
		return newEngine(t, "127.0.0.1:0", answers, nil).attachment(t)
	}
	cert, authority := engineCertificate(t)
	a := newEngine(t, "127.0.0.1:0", answers, func(o *pgwire.Options) { o.TLS = cert }).attachment(t)
	a.SSLMode, a.SSLRootCert = "verify-full", authority
	return a
}

// engineCertificate makes an authority and a certificate of its for 127.0.0.1; the
// authority's own is in a file that the database's server can read.
func engineCertificate(t testing.TB) (c *certificate.Certificate, authority string) {
	t.Helper()
	dir, err := sandbox.MkdirTemp("pgdeid-itest-ca-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	made := newCertificates(t)
	files := map[string]string{"authority.crt": made.authority, "engine.crt": made.server.cert, "engine.key": made.server.key}
	for name, text := range files {
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, ".key") {
			mode = 0o600
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	if c, err = certificate.Load(filepath.Join(dir, "engine.crt"), filepath.Join(dir, "engine.key")); err != nil {
		t.Fatal(err)
	}
	return c, filepath.Join(dir, "authority.crt")
}
