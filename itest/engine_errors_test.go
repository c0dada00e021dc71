package itest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// bad is a note that fails, as a literal.
const bad = "'refuse " + secretName + "'"

// What can't be answered says so with a hint, and neither error nor log has the note.
func TestEngineRefusals(t *testing.T) {
	t.Parallel()
	p, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, `create table ward.two (a int, b int, patient_id int, note text, primary key (a, b)); create table ward.bad (note_id int primary key, patient_id int, note text);
		grant select on ward.two, ward.bad to job; insert into ward.bad values (1, 1, 'refuse Tablemark `+secretName+`');
		create table ward.clean (note_id int primary key, deid_note text); grant select, insert on ward.clean to job;
		set client_min_messages = log; set session authorization job`)
	for _, tt := range []struct{ statement, state, hint string }{
		{"select * from deid.deidentify", "0A000", "patient_id"},
		{"select * from deid.deidentify where patient_id = '1'", "0A000", "note"},
		{"select * from deid.deidentify_batch", "0A000", "text[]"},
		{"select * from deid.outbox", "0A000", "job"},
		{"select * from deid.inbox", "0A000", "outbox"},
		{"select count(*) from deid.deidentify d join ward.bad n on d.note = n.note", "0A000", "patient_id"},
		{"select deid.deidentify(patient_id, note) from ward.bad", "PD001", "reason"},
		{"select deid.deidentify(null, note) from ward.bad", "PD001", "patient_id is NULL"},
		{"select deid.deidentify('', note) from ward.bad", "PD001", "patient_id is NULL"},
		{"select (select deid_note from deid.deidentify d where d.patient_id = n.p and d.note = n.note) from (select patient_id::text p, note from ward.bad offset 0) n", "PD001", "reason"},
		{"insert into deid.inbox (patient_id, note) select patient_id, note from ward.bad returning deid_note", "PD001", "reason"},
		{"select deid.deidentify_batch('{1,2}', '{a}')", "2202E", "array_agg"},
		{"select deid.deidentify_all('ward.two')", "42703", "key_column"},
		{"select deid.deidentify_all('ward.note')", "42703", "note_column => '…'; there are note_id, patient_id, body"},
		{"select deid.deidentify_all('ward.note', note_column => 'body', batch_size => 0)", "22023", "1 to 10000"},
		{"select deid.deidentify_all('ward.note', note_column => 'body', batch_size => null)", "22023", "1 to 10000"},
		{"call deid.deidentify_into('ward.bad', 'ward.clean')", "42703", "target with"},
		{"call deid.deidentify_into('ward.bad', 'ward.clean', batch_size => -1)", "22023", "1 to 10000"},
	} {
		if e := refused(t, conn, tt.state, tt.statement); !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s: %s, hint %q", tt.statement, e.Message, e.Hint)
		}
	}
	plan := strings.Join(texts(t, conn, "explain select * from deid.deidentify"), "\n")
	if !regexp.MustCompile(`cost=\d{11,}\.`).MatchString(plan) {
		t.Errorf("a scan without inputs looks cheap:\n%s", plan)
	}
	if got := texts(t, conn, "select coalesce(deid_note, reason) from deid.deidentify_all('ward.bad')"); !slices.Equal(got, []string{"leak"}) {
		t.Errorf("a bad note of a table: %v", got)
	}
	if found := marksInFiles(t, []string{"Tablemark"}, p.source.Log()); len(found) > 0 {
		t.Error("the server's log quotes a note")
	}
}

// An error in a transaction leaves it failed on both sides until it is rolled back, to
// its start or to a savepoint.
func TestEngineTransactions(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	do(t, conn, "set session authorization job; begin; insert into deid.inbox (job, item, patient_id, note) values ('j', 1, '1', 'a')")
	refused(t, conn, "PD001", "select deid.deidentify('1', "+bad+")")
	refused(t, conn, "25P02", "select deid.deidentify('1', 'a')")
	do(t, conn, "rollback; begin")
	items := func() string {
		t.Helper()
		return strings.Join(texts(t, conn, "select item || deid_note from deid.outbox where job = 'j' order by 1"), " ")
	}
	if got := items(); got != "" {
		t.Errorf("the rollback leaves %s", got)
	}
	do(t, conn, "insert into deid.inbox (job, item, patient_id, note) values ('j', 1, '1', 'a'); savepoint one; insert into deid.inbox (job, item, patient_id, note) values ('j', 2, '1', 'b'); savepoint two")
	refused(t, conn, "PD001", "select deid.deidentify('1', "+bad+")")
	do(t, conn, "rollback to two")
	if got := items(); got != "11:A 21:B" {
		t.Errorf("after the savepoint: %s", got)
	}
	refused(t, conn, "22012", "select 1 / 0 from deid.outbox where job = 'j'")
	do(t, conn, "rollback to one")
	if got := items(); got != "11:A" {
		t.Errorf("after the first savepoint: %s", got)
	}
	do(t, conn, `do $$begin
		for i in 1..20 loop
			begin
				perform deid.deidentify('1', case when i % 2 = 0 then 'refuse' else 'a' end);
			exception when sqlstate 'PD001' then
				null;
			end;
		end loop;
	end$$; release one; commit`)
	if got := texts(t, conn, "select deid.deidentify('1', 'a')"); got[0] != "1:A" {
		t.Error(got)
	}
}

// Waiting ends when the client or a timeout says so, and the session is of use then.
func TestEngineCancel(t *testing.T) {
	t.Parallel()
	_, conn := newLab(t, engineAttachment(t, false))
	// The engine has to be at work when it is stopped: a connection is there before.
	do(t, conn, "set session authorization job; select deid.deidentify('1', 'a'); set statement_timeout = '1s'")
	refused(t, conn, "57014", "select deid.deidentify('1', 'wait')")
	do(t, conn, "reset statement_timeout; begin; savepoint a; set local statement_timeout = '1s'")
	refused(t, conn, "57014", "select deid.deidentify('1', 'wait')")
	do(t, conn, "rollback to a; select deid.deidentify('1', 'a'); commit")
	canceller := as(t, conn.Config(), nil)
	pid := conn.PgConn().PID()
	var state string
	g := &errgroup.Group{}
	g.Go(func() error {
		_, err := conn.Exec(t.Context(), "select deid.deidentify('1', 'wait')")
		state = stateOf(err)
		return nil
	})
	eventually(t, "the statement waits", func() bool {
		return len(texts(t, canceller, "select 'x' from pg_stat_activity where pid = $1 and wait_event_type = 'Extension'", pid)) == 1
	})
	do(t, canceller, fmt.Sprintf("select pg_cancel_backend(%d)", pid))
	if err := g.Wait(); err != nil || state != "57014" {
		t.Errorf("cancelled: SQLSTATE %s", state)
	}
	if got := texts(t, conn, "select deid.deidentify('1', 'a')"); got[0] != "1:A" {
		t.Error(got)
	}
}

// A session outlives the engine's restart: what runs fails, what comes later is answered.
func TestEngineRestart(t *testing.T) {
	t.Parallel()
	first := newEngine(t, "127.0.0.1:0", capitals{}, nil)
	_, conn := newLab(t, first.attachment(t))
	do(t, conn, "set session authorization job; select deid.deidentify('1', 'a'); begin; select deid.deidentify('1', 'a')")
	first.stop()
	if e := refused(t, conn, "08006", "select deid.deidentify('1', 'a')"); e.Code == "" {
		t.Error("the transaction went on without an engine")
	}
	do(t, conn, "rollback")
	if e := refused(t, conn, "08001", "select deid.deidentify('1', 'a')"); !strings.Contains(e.Message, "pgdeid_engine") {
		t.Errorf("without an engine: %s", e.Message)
	}
	newEngine(t, first.addr, capitals{}, nil)
	if got := texts(t, conn, "select deid.deidentify('1', 'a')"); got[0] != "1:A" {
		t.Error(got)
	}
}

// Who the engine does not know gets nothing, and can mend it with another "up".
func TestEngineLogin(t *testing.T) {
	t.Parallel()
	a := engineAttachment(t, false)
	right := a.Password
	a.Password = "wrong"
	p, conn := newLab(t, a)
	do(t, conn, "set session authorization job")
	if e := refused(t, conn, "08001", "select deid.deidentify('1', 'a')"); !strings.Contains(e.Message+e.Detail, "password") {
		t.Errorf("wrong password: %s, %s", e.Message, e.Detail)
	}
	a.Password = right
	attachEngine(t, adminOf(t, p.source, p.name), a)
	if got := texts(t, conn, "select deid.deidentify('1', 'a')"); got[0] != "1:A" {
		t.Error(got)
	}
	// A certificate of another authority is no engine's.
	_, stranger := engineCertificate(t)
	cert, _ := engineCertificate(t)
	a = newEngine(t, "127.0.0.1:0", capitals{}, func(o *pgwire.Options) { o.TLS = cert }).attachment(t)
	a.SSLMode, a.SSLRootCert = "verify-full", stranger
	attachEngine(t, adminOf(t, p.source, p.name), a)
	if e := refused(t, conn, "08001", "select deid.deidentify('1', 'a')"); !strings.Contains(e.Message+e.Detail, "SSL error") {
		t.Errorf("another authority: %s, %s", e.Message, e.Detail)
	}
}
