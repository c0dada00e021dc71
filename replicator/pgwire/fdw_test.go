package pgwire

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// postgres starts a real server, with a database in which a plain role has the
// engine's tables as foreign ones.
func postgres(t testing.TB, s *serving) (conn *pgx.Conn, dir string) {
	t.Helper()
	bin, err := sandbox.FindBinDir()
	if err != nil {
		t.Skip("no PostgreSQL server to test with: ", err)
	}
	if dir, err = sandbox.MkdirTemp("pgdeid-pgwire-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	pg, err := sandbox.Start(ctx, filepath.Join(dir, "pg"), sandbox.Options{BinDir: bin, Settings: sandbox.FastSettings()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Kill() })
	if conn, err = pg.Conn(ctx, "postgres"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	host, port, _ := strings.Cut(s.addr, ":")
	do(t, conn, fmt.Sprintf(`
		create extension postgres_fdw;
		create server engine foreign data wrapper postgres_fdw options (host '%s', port '%s', dbname 'pgdeid');
		create role analyst; grant usage on foreign server engine to analyst;
		create user mapping for public server engine options (user 'staging', password '%s');
		create schema deid; import foreign schema deid from server engine into deid;
		grant usage on schema deid to analyst; grant select, insert, delete on all tables in schema deid to analyst;
		create table note (note_id bigint primary key, patient_id bigint, body text);
		insert into note select i, i %% 7, 'note ' || i || ' it''s "x" \ {a,b} Ä 😀' || chr(10) from generate_series(1, 250) i;
		grant select on note to analyst;
		create function deidentify_text(patient_id text, note text) returns text stable language sql
			as $$ select d.deid_note from deid.deidentify d where d.patient_id = $1 and d.note = $2 $$;
		set role analyst`, host, port, testPassword))
	return conn, dir
}

func do(t testing.TB, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%.80s: %v", sql, err)
	}
}

// Every form that is documented, by a plain role, over a real server's postgres_fdw.
func TestForeignDataWrapper(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	cert, authority := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	conn, dir := postgres(t, s)
	const right = "(select patient_id::text || ':' || upper(body) from note n2 where n2.note_id = n.note_id)"
	for name, sql := range map[string]string{
		"function":         "select count(*) from note n where deidentify_text(patient_id::text, body) = " + right,
		"scalar subquery":  "select count(*) from (select note_id, patient_id::text pid, body from note offset 0) n where (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body) = " + right,
		"lateral, limit 1": "select count(*) from (select note_id, patient_id::text pid, body from note offset 0) n, lateral (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body limit 1) d where deid_note = " + right,
		"lists": `select sum((select count(*) from unnest(d.deid_notes, c.ids) u(txt, id) where txt = (select patient_id::text || ':' || upper(body) from note where note_id = id)))
			from (select array_agg(patient_id::text order by note_id) p, array_agg(body order by note_id) b, array_agg(note_id order by note_id) ids from note group by note_id / 40 offset 0) c,
			lateral (select deid_notes from deid.deidentify_batch d where d.patient_ids = c.p and d.notes = c.b limit 1) d`,
		"pull": "with d as materialized (select note_id, deid_note from deid.note_deid where note_id = any (array(select note_id::text from note))) select count(*) from d where deid_note = 'NOTE ' || note_id",
	} {
		var n int
		if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil || n != 250 {
			t.Errorf("%s: %d notes, %v", name, n, err)
		}
	}
	t.Run("inbox", func(t *testing.T) { fdwInbox(t, conn) })
	t.Run("errors", func(t *testing.T) { fdwErrors(t, conn) })
	t.Run("estimates", func(t *testing.T) { fdwEstimates(t, conn) })
	t.Run("verified", func(t *testing.T) {
		authority := readable(t, dir, authority)
		do(t, conn, "reset role")
		do(t, conn, fmt.Sprintf("alter server engine options (add sslmode 'verify-full', add sslrootcert '%s'); set role analyst", authority))
		var got string
		if err := conn.QueryRow(t.Context(), "select deidentify_text('1', 'a')").Scan(&got); err != nil || got != "1:A" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// readable copies a file to where the server's account reads it.
func readable(t testing.TB, dir, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "authority")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func fdwInbox(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	do(t, conn, "reset role")
	do(t, conn, "alter foreign table deid.inbox options (add batch_size '100'); set role analyst")
	do(t, conn, "begin; insert into deid.inbox (job, item, patient_id, note) select 'j', note_id, patient_id, body from note")
	var n int
	if err := conn.QueryRow(t.Context(), "select count(*) from deid.outbox o join note n on n.note_id = o.item where o.job = 'j' and deid_note = n.patient_id || ':' || upper(body)").Scan(&n); err != nil || n != 250 {
		t.Errorf("%d notes, %v", n, err)
	}
	do(t, conn, "savepoint a; insert into deid.inbox (job, note) values ('j', 'x'); rollback to a")
	if err := conn.QueryRow(t.Context(), "select count(*) from deid.outbox where job = 'j'").Scan(&n); err != nil || n != 250 {
		t.Errorf("after the savepoint %d notes, %v", n, err)
	}
	do(t, conn, "delete from deid.inbox where job = 'j'; commit")
	rows, err := conn.Query(t.Context(), "insert into deid.inbox (patient_id, note) select patient_id, body from note order by note_id limit 3 returning deid_note")
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(got) != 3 || !strings.HasPrefix(got[1], "2:NOTE 2") {
		t.Errorf("returning: %q, %v", got, err)
	}
}

func fdwErrors(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	_, err := conn.Exec(t.Context(), "select * from deid.deidentify")
	wantState(t, err, stateUnsupported)
	_, err = conn.Exec(t.Context(), "select deidentify_text('1', 'leak Smith')")
	if pg := wantState(t, err, stateNote); strings.Contains(pg.Message+pg.Hint, "Smith") {
		t.Error("the error quotes the note")
	}
	do(t, conn, "begin; savepoint a")
	_, err = conn.Exec(t.Context(), "select deidentify_text('1', 'leak')")
	wantState(t, err, stateNote)
	do(t, conn, "rollback to a")
	var got *string
	for text, want := range map[string]string{"after": "1:AFTER", "": "1:"} {
		if err := conn.QueryRow(t.Context(), "select deidentify_text('1', $1)", text).Scan(&got); err != nil || got == nil || *got != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := conn.QueryRow(t.Context(), "select deidentify_text('1', null)").Scan(&got); err != nil || got != nil {
		t.Errorf("NULL: %v, %v", got, err)
	}
	do(t, conn, "commit; set statement_timeout = 300")
	_, err = conn.Exec(t.Context(), "select deidentify_text('1', 'wait')")
	wantState(t, err, stateCanceled)
	do(t, conn, "set statement_timeout = 0")
	if err := conn.QueryRow(t.Context(), "select length(deidentify_text('1', repeat('x', 10000000)))").Scan(&got); err != nil || *got != "10000002" {
		t.Errorf("10 MB: %v, %v", got, err)
	}
}

func fdwEstimates(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	do(t, conn, "reset role")
	do(t, conn, `create foreign table deid.by_number (patient_id bigint, note text, deid_note text) server engine
		options (schema_name 'deid', table_name 'deidentify', use_remote_estimate 'true', updatable 'false');
		grant select on deid.by_number to analyst; set role analyst`)
	var n int
	sql := "select count(*) from note n, lateral (select deid_note from deid.by_number d where d.patient_id = n.patient_id and d.note = n.body) d where deid_note = n.patient_id || ':' || upper(body)"
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil || n != 250 {
		t.Errorf("%d notes, %v", n, err)
	}
	_, err := conn.Exec(t.Context(), "select count(*) from deid.note_deid where note_id = '1' and deid_note = 'NOTE ' || note_id")
	wantState(t, err, stateUnsupported)
	do(t, conn, "reset role")
	_, err = conn.Exec(t.Context(), "analyze deid.by_number")
	if pg := wantState(t, err, stateUnsupported); pg.Hint == "" {
		t.Error("ANALYZE fails without a hint")
	}
	do(t, conn, "set role analyst")
}

// psql can connect and look around.
func TestPsql(t *testing.T) {
	bin, err := sandbox.FindBinDir()
	if err != nil {
		t.Skip("no psql to test with: ", err)
	}
	s := serve(t, nil)
	host, port, _ := strings.Cut(s.addr, ":")
	for command, want := range map[string]string{
		`\dt`:              "deidentify_batch",
		`\d`:               "note_deid",
		`\d deidentify`:    "deid_note",
		`\d+ detect`:       "span_start",
		`\dn`:              "deid",
		`\l`:               "pgdeid",
		`\du`:              "staging",
		`\di`:              "",
		`\df`:              "",
		`\conninfo`:        "staging",
		`show all`:         "statement_timeout",
		"select version()": "pgdeid",
		`select deid_note from deidentify where patient_id = '1' and note = 'it''s'`: "1:IT'S",
		"\\x\nselect * from detect where patient_id = '1' and note = 'x'":            "{record,names}",
	} {
		cmd := exec.Command(filepath.Join(bin, "psql"), "-X", "-v", "ON_ERROR_STOP=1", "-h", host, "-p", port, "-U", "staging", "pgdeid")
		cmd.Env = append(os.Environ(), "PGPASSWORD="+testPassword)
		cmd.Stdin = strings.NewReader(command + "\n")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "ERROR") || strings.Contains(string(out), "Typed") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}
