package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// recordEnv names the variable that has TestRecord write what postgres_fdw sends; the server's version
// is that of PGDEID_PG_BIN:
//
//	PGDEID_RECORD=1 PGDEID_PG_BIN=/usr/lib/postgresql/17/bin go test -run TestRecord ./replicator/pgwire
const recordEnv = "PGDEID_RECORD"

// scenario is what a local session does with foreign tables, whose remote side is recorded.
type scenario struct {
	name string
	sql  []string
}

// scenarios are asked of a real server, whose tables have the rows that the engine would make.
var scenarios = []scenario{
	{"function", []string{"select deid.deidentify('7', 'note 7')", "select deid.deidentify(7, E'it''s \\\\ here')", "select deid.deidentify('8', 'note 8')"}},
	{"function_rows", []string{"select count(deid.deidentify(patient_id, body)) from ward.note where note_id < 4"}},
	{"preview", []string{"select * from deid.preview(7, 'note 7')"}},
	{"batch", []string{"select * from deid.deidentify_batch(array['7', '8'], array['note 7', null])"}},
	{"all", []string{"select count(deid_note) from deid.deidentify_all('ward.note', note_column => 'body', batch_size => 3)"}},
	{"into", []string{"call deid.deidentify_into('ward.note', 'ward.clean', note_column => 'body', batch_size => 4)"}},
	{"pull", []string{
		"select * from deid.pull(array['1', '2'])", "select * from deid.pull(array['1'], 'ehr.note')",
		"select * from deid.pull(array['1'], 'ehr.note', 'body')", "select * from deid.pull(array(select note_id::text from ward.note))",
		"select deid_note from deid.note_deid where note_id = any (array(select note_id::text from ward.note))",
		"select deid_note from deid.note_deid where note_id in ('1', '2') and source_table = 'ehr.note'",
	}},
	{"views", []string{
		"select * from deid.deidentify where patient_id = '7' and note = 'note 7'",
		"select deid_note from deid.deidentify where patient_id = '7' and note in ('note 7', 'note 14')",
		"select (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body) from (select patient_id::text pid, body from ward.note offset 0) n",
		"select d.deid_note from ward.note n join deid.deidentify_by_number d on d.patient_id = n.patient_id and d.note = n.body where n.note_id = 7",
		"select d.deid_note from (select patient_id::text pid, body from ward.note offset 0) n, lateral (select deid_note from deid.deidentify d where d.patient_id = n.pid and d.note = n.body limit 1) d",
		"select count(*) from deid.detect where patient_id = '7' and note = 'note 7'",
		"select phi_type, span_start from deid.detect where patient_id = '7' and note = 'note 7' order by span_start desc limit 3",
		"select * from deid.detect where patient_id = '7' and note = 'note 7' and phi_type <> 'DATE' and span_start >= 0 and detectors is not null limit 2",
		"select deid_note from deid.deidentify where patient_id = '7' and note = 'note 7' and reason is null",
		"select exists (select from deid.detect where patient_id = '7' and note = 'note 7' and phi_type in ('DATE', 'PATIENT'))",
		"select deid_notes from deid.deidentify_batch where patient_ids = '{7,8}' and notes = array['note 7', 'a \"b\" {c}, \\ d']",
	}},
	{"inbox", []string{
		"begin", "insert into deid.inbox (job, item, patient_id, note) select 'j', note_id, patient_id, body from ward.note",
		"insert into deid.inbox (job, item, patient_id, note) values ('j', 101, '7', 'one more')",
		"select item, deid_note, reason from deid.outbox where job = 'j'", "select count(*) from deid.outbox where job = 'j'",
		"savepoint a", "insert into deid.inbox (job, note) values ('j', 'x')", "rollback to a", "savepoint b",
		"insert into deid.inbox (job, note) values ('j', 'x')", "release b",
		"delete from deid.inbox where job = 'j'", "delete from deid.inbox", "commit",
	}},
	{"returning", []string{
		"insert into deid.inbox (patient_id, note) select patient_id, body from ward.note where note_id < 3 returning deid_note, reason",
		"insert into deid.inbox (patient_id, note) values ('7', null) returning *",
	}},
	{"cursor", []string{
		"begin", "declare c cursor for select span_start from deid.detect where patient_id = '7' and note = 'note 7'",
		"fetch 1 from c", "fetch all from c", "close c", "rollback",
	}},
	{"fetches", []string{
		"select note_id from few where note_id = any (array(select note_id::text from ward.note))",
		"select note_id from few where note_id in ('1', '2', '3') limit 2",
		"set enable_material = off; set enable_hashjoin = off; set enable_mergejoin = off",
		"select count(*) from (values (1), (2)) v (i) left join few f on f.note_id <> i::text and f.note_id in ('1', '2', '3', '4', '5')",
		"reset enable_material; reset enable_hashjoin; reset enable_mergejoin",
	}},
	{"analyze", []string{"analyze deid_engine.deidentify"}},
	{"isolation", []string{"begin isolation level serializable", "select deid.deidentify('7', 'note 7')", "commit", "begin read only", "select deid.deidentify('7', 'note 7')", "commit"}},
	{"failed", []string{"begin", "savepoint a", "select * from missing", "rollback to a", "select deid.deidentify('7', 'note 7')", "rollback"}},
	{"refused", []string{
		"select * from deid.deidentify where patient_id = '7' and note = 'note 7' order by reason",
		"select upper(deid_note) from deid.deidentify where patient_id = '7' and lower(note) = 'note 7'",
		"select count(*) from cheap a join cheap b using (patient_id)",
		"select * from cheap where note like 'n%' or patient_id = '7'",
		"import foreign schema deid limit to (detect) from server pgdeid_engine into imported",
	}},
}

// remoteTables are the engine's tables as real ones, large enough that a plan which names inputs wins.
const remoteTables = `
create role staging login superuser password 'staging';
create schema deid;
create table deid.deidentify (patient_id text, note text, deid_note text, reason text);
insert into deid.deidentify select i::text, 'note ' || i, 'NOTE ' || i from generate_series(1, 20000) i;
insert into deid.deidentify values ('7', E'it\'s \\\\ here');
create table deid.by_number as select patient_id::bigint, note, deid_note, reason from deid.deidentify;
create index on deid.by_number (patient_id, note);
create index on deid.deidentify (patient_id, note);
create table deid.deidentify_batch (patient_ids text[], notes text[], deid_notes text[], reasons text[]);
insert into deid.deidentify_batch values ('{7,8}', '{note 7,null}', '{NOTE 7,null}', '{null,null}');
insert into deid.deidentify_batch
    select array_agg(i::text order by i), array_agg('note ' || i order by i), array_agg('NOTE ' || i order by i), array_agg(null::text)
    from generate_series(1, 10) i, (values (3), (4)) size (n) group by n, (i - 1) / n;
create table deid.detect (patient_id text, note text, span_start integer, span_end integer, phi_type text, detectors text[]);
insert into deid.detect select (i / 4)::text, 'note ' || i / 4, i % 4, i % 4 + 1, 'DATE', '{dates}' from generate_series(1, 20000) i;
create index on deid.detect (patient_id, note);
create table deid.inbox (job text, item bigint, patient_id text, note text, deid_note text, reason text);
create view deid.outbox as select job, item, patient_id, upper(note) as deid_note, reason from deid.inbox;
create table deid.note_deid (note_id text, source_table text, source_column text, deid_note text, reason text);
insert into deid.note_deid select i::text, 'ehr.note', 'body', 'NOTE ' || i from generate_series(1, 20000) i;
create index on deid.note_deid (note_id);
analyze;`

// localTables are what "pgdeid migrate engine" does not make.
const localTables = `
create schema ward; create schema imported;
create table ward.note (note_id bigint primary key, patient_id bigint, body text);
insert into ward.note select i, i, 'note ' || i from generate_series(1, 10) i;
create table ward.clean (note_id bigint primary key, deid_note text, reason text);
create foreign table few (note_id text, deid_note text) server pgdeid_engine
    options (schema_name 'deid', table_name 'note_deid', fetch_size '2', use_remote_estimate 'false');
create foreign table cheap (patient_id text, note text) server pgdeid_engine
    options (schema_name 'deid', table_name 'deidentify', use_remote_estimate 'false');
create user mapping for postgres server pgdeid_engine options (user 'staging', password 'staging');
analyze ward.note;`

// TestRecord writes testdata/fdw-VERSION.txt.
func TestRecord(t *testing.T) {
	if os.Getenv(recordEnv) == "" {
		t.Skip("writes test data; set " + recordEnv)
	}
	bin, err := sandbox.FindBinDir()
	if err != nil {
		t.Skip("no PostgreSQL server to record: ", err)
	}
	dir, err := sandbox.MkdirTemp("pgdeid-record-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	pg, err := sandbox.Start(ctx, filepath.Join(dir, "pg"), sandbox.Options{BinDir: bin, Settings: sandbox.FastSettings()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Kill() })
	admin, err := pg.Conn(ctx, "postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(context.Background()) }()
	var version string
	if err := admin.QueryRow(ctx, "select split_part(current_setting('server_version'), '.', 1)").Scan(&version); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"engine", "lab"} {
		do(t, admin, "create database "+name)
	}
	recordInto(ctx, t, pg, version)
}

func recordInto(ctx context.Context, t *testing.T, pg *sandbox.Server, version string) {
	t.Helper()
	engine, err := pg.Conn(ctx, "engine")
	if err != nil {
		t.Fatal(err)
	}
	do(t, engine, remoteTables)
	_ = engine.Close(ctx)
	p := newRecorder(t, fmt.Sprintf("127.0.0.1:%d", pg.Port()))
	var lab *pgx.Conn
	if lab, err = pg.Conn(ctx, "lab"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lab.Close(context.Background()) }()
	do(t, lab, "create schema deid")
	files, err := filepath.Glob("../../sql/migrations/engine/*.up.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		do(t, lab, string(b))
	}
	host, port, _ := net.SplitHostPort(p.addr)
	do(t, lab, fmt.Sprintf("alter server pgdeid_engine options (add host '%s', add port '%s', set dbname 'engine', add sslmode 'disable', add gssencmode 'disable')", host, port))
	do(t, lab, "create user mapping for pgdeid_engine server pgdeid_engine options (user 'staging', password 'staging')")
	do(t, lab, localTables)
	do(t, lab, "alter foreign table deid_engine.deidentify_by_number options (set table_name 'by_number')") // no text equals a number there
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What postgres_fdw of PostgreSQL %s sends for statements on the engine's tables, recorded by TestRecord in front of a real\n", version)
	fmt.Fprintf(&out, "# server. A line a message of the protocol: Q query, P parse (name, statement), B bind (statement, values), D describe,\n# E execute, S sync, X terminate. \"==\" begins a scenario, \"--\" is what the local session said.\n")
	for _, s := range scenarios {
		fmt.Fprintf(&out, "\n== %s\n", s.name)
		for _, sql := range s.sql {
			fmt.Fprintf(&out, "-- %s\n", sql)
			_, err := lab.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
			time.Sleep(20 * time.Millisecond) // the last messages may be under way
			out.WriteString(p.take())
			if err != nil {
				t.Logf("%s: %s: %v", s.name, sql, err)
			}
		}
		do(t, lab, "rollback")
		out.WriteString(p.take())
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "fdw-"+version+".txt"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// recorder passes connections on to a server and notes what clients say.
type recorder struct {
	addr string

	mu  sync.Mutex
	out strings.Builder
}

func newRecorder(t *testing.T, server string) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r := &recorder{addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			remote, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(client, remote); _ = client.Close() }()
			go func() { r.note(io.TeeReader(client, remote)); _ = remote.Close() }()
		}
	}()
	return r
}

// take returns what was noted since the last time.
func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.out.String()
	r.out.Reset()
	return strings.ReplaceAll(s, "deid.by_number", "deid.deidentify")
}

// note reads messages until the connection ends. Those that log in are left out.
func (r *recorder) note(in io.Reader) {
	if _, err := readFrame(in, false); err != nil {
		return
	}
	for {
		f, err := readFrame(in, true)
		if err != nil {
			return
		}
		if line := writeFrame(f); line != "" {
			r.mu.Lock()
			r.out.WriteString(line + "\n")
			r.mu.Unlock()
		}
	}
}

// readFrame reads a message, with its kind as its first byte.
func readFrame(in io.Reader, kind bool) ([]byte, error) {
	head := make([]byte, 5)
	if !kind {
		head = head[:4]
	}
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[len(head)-4:])
	if n < 4 || n > 1<<24 {
		return nil, errors.New("no message")
	}
	body := make([]byte, n-4)
	_, err := io.ReadFull(in, body)
	return append(head[:1:1], body...), err
}

// writeFrame writes a message as a line of a recording.
func writeFrame(f []byte) string {
	kind, body := f[0], f[1:]
	text := func() string {
		s, rest, _ := bytes.Cut(body, []byte{0})
		body = rest
		return string(s)
	}
	number := func(size int) int {
		var n int
		for range size {
			n, body = n<<8|int(body[0]), body[1:]
		}
		return n
	}
	switch kind {
	case 'Q':
		return fmt.Sprintf("Q %q", text())
	case 'P':
		return fmt.Sprintf("P %q %q", text(), text())
	case 'B':
		portal, statement := text(), text()
		line := fmt.Sprintf("B %q", statement)
		formats := number(2)
		for range formats {
			if number(2) != 0 {
				line += " BINARY"
			}
		}
		for range number(2) {
			n := number(4)
			if n == 0xffffffff {
				line += " NULL"
				continue
			}
			line += fmt.Sprintf(" %q", body[:n])
			body = body[n:]
		}
		if portal != "" || number(2) > 1 || len(body) == 2 && number(2) != 0 {
			line += " OTHER"
		}
		return line
	case 'D', 'C':
		return fmt.Sprintf("%c %q", kind, string(body[:1])+string(bytes.TrimRight(body[1:], "\x00")))
	case 'E':
		text()
		if n := number(4); n != 0 {
			return fmt.Sprintf("E %d", n)
		}
		return "E"
	case 'S', 'H', 'X':
		return string(kind)
	}
	return "" // logging in
}
