//go:build clients

package itest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// clientsDir is where "make test-clients" installs the clients, as seen from this package.
const clientsDir = "../build/clients"

// client is a program of folder clients and what it has to report.
type client struct {
	name    string
	needs   []string // parts of clients/install that make it run
	command []string // of the program, from this package's folder
	more    []string // features beyond those of all clients
	pooled  bool     // it connects through pgbouncer
}

// everyClient is what all clients have to do.
var everyClient = []string{"one", "batch", "error", "cancel"}

// clientMatrix returns the clients in the order of the table.
func clientMatrix() []client {
	run := func(name, needs, program, script string, more ...string) client {
		c := client{name: name, needs: []string{needs}, command: []string{program}, more: more}
		if script != "" {
			c.command = append(c.command, script)
		}
		return c
	}
	python := func(name, script string, more ...string) client {
		return run(name, "python", clientsDir+"/python/bin/python", "clients/python/"+script, more...)
	}
	node := func(name, script string, more ...string) client {
		return run(name, "node", "node", clientsDir+"/node/"+script, more...)
	}
	pooled := func(c client) client {
		c.name, c.needs, c.pooled = c.name+", pgbouncer", append(slices.Clone(c.needs), "debian"), true
		return c
	}
	psql := run("psql", "psql", "clients/psql/psql", "", "catalogue", "copy", "cursor", "inbox")
	psycopg3 := python("psycopg 3", "with_psycopg3.py", "pipeline", "cursor", "copy", "inbox")
	pgx := run("pgx", "go", clientsDir+"/go/pgx", "", "pipeline", "copy", "inbox")
	jdbc := run("pgjdbc", "java", "java", "clients/java/Client.java", "metadata", "cursor", "copy", "call", "inbox")
	jdbc.command = slices.Insert(jdbc.command, 1, "-classpath", clientsDir+"/java/*")
	odbc := python("ODBC", "with_odbc.py", "catalogue", "inbox")
	odbc.needs = append(odbc.needs, "debian")
	return []client{
		psql,
		python("psycopg 2", "with_psycopg2.py", "cursor", "copy", "inbox"),
		psycopg3,
		python("asyncpg", "with_asyncpg.py", "prepared", "cursor", "copy", "inbox"),
		python("SQLAlchemy", "with_sqlalchemy.py", "reflection", "view", "inbox", "cursor"),
		python("pandas", "with_pandas.py", "chunks", "frame"),
		python("polars", "with_polars.py", "table", "frame"),
		node("node-postgres", "with_pg.js", "prepared", "cursor", "inbox"),
		node("postgres.js", "with_postgres.js", "pipeline", "cursor", "copy", "inbox"),
		node("knex", "with_knex.js", "view", "inbox"),
		jdbc,
		pgx,
		run("lib/pq", "go", clientsDir+"/go/libpq", "", "prepared", "inbox"),
		run("tokio-postgres", "rust", clientsDir+"/rust/debug/pgdeid-clients", "", "pipeline", "cursor", "copy", "inbox"),
		odbc,
		pooled(psql), pooled(psycopg3), pooled(pgx),
	}
}

// TestClients drives real clients through a database that asks a live "pgdeid serve", and
// prints which of them can do what.
func TestClients(t *testing.T) {
	place := newClientPlace(t)
	table := newClientTable()
	for _, c := range clientMatrix() {
		t.Run(c.name, func(t *testing.T) { table.add(place.run(t, c)) })
	}
	place.check(t)
	table.print(os.Stdout)
}

// clientRows are patients and notes of the database that asks, in the ward's own words, with
// what has to be quoted in programs, SQL and CSV.
const (
	clientPatients = `insert into ehr.patient select i, (array['Zebulon', 'Ottilie', 'Ägidius'])[1 + i % 3],
		(array['Quarkstein', 'Wampfler', 'Brüttisellen', 'O''Malleyson'])[1 + i % 4], 'MR-' || 4700 + i, date '1950-02-03' + i * 37
		from generate_series(1, 50) i`
	clientNotes = `create schema ward;
		create table ward.note (note_id bigint primary key, patient_id bigint, note text);
		insert into ward.note select i, 1 + i % 50, format(E'Mr. Quarkstein, %s Wampfler and Dr. O''Malleyson met on 3/%s/2021. '
			'It''s "x", \\ {a,b} \\N Ä 😀;\n\t$1 %%s :x ? for note %s.',
			case when i % 2 = 0 then 'Ottilie' else 'Ägidius' end, 1 + i % 28, i) from generate_series(1, 1000) i`
	clientRole = `drop role if exists client; create role client login password 'a client''s password';
		alter role client set statement_timeout = '3min'; -- a cancellation that goes astray ends in another error
		grant pgdeid_ask, pgdeid_preview to client; grant usage, create on schema ward to client; grant select on ward.note to client`
)

// clientSlow takes many minutes: the engine is asked for a thousand notes a thousand times.
const clientSlow = `select count(d.deid_notes) from generate_series(1, 1000) again,
	lateral (select array_agg(patient_id::text) p, array_agg(note || again) n from ward.note) l, deid.deidentify_batch(l.p, l.n) d`

const clientNote = `Mr. Zebulon Quarkstein (MR-4701) was seen on 3/4/2021: "it's fine" \ Ä 😀.`

// clientPlace is a database that asks the engine, and how its clients reach it.
type clientPlace struct {
	engine *daemon
	env    []string // for all clients
	pooled []string // in place of the port, for those that connect through pgbouncer
}

func newClientPlace(t *testing.T) *clientPlace {
	t.Helper()
	r := newReplication(t, newPair(t))
	do(t, r.src, clientPatients)
	const password = "a first word or two"
	users := filepath.Join(t.TempDir(), "users")
	line := passwd(t, "staging", password, "--tables", "deidentify,deidentify_batch,inbox,outbox,detect", "--steward",
		"--limits", "patients=0,notes=0")
	if err := os.WriteFile(users, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := freeAddr(t)
	place := &clientPlace{engine: startPgdeid(t, nil, "serve", "--config", r.cfg.Path, "--users", users, "--listen", addr, "--http", "")}
	lab := newPair(t)
	attach := runPgdeid(t, []string{"PGDEID_ENGINE_ADMIN_PASSWORD=" + lab.source.Password(), "PGDEID_ENGINE_PASSWORD=" + password},
		"migrate", "engine", "up", "--dsn", lab.source.DSN(lab.source.Superuser(), lab.name), "--engine", addr, "--user", "staging")
	if attach.code != 0 {
		t.Fatalf("attach: %s", attach.stderr)
	}
	conn := lab.onSource(t)
	do(t, conn, clientNotes)
	do(t, conn, clientRole)
	var text string
	eventually(t, "the engine answers", func() bool {
		return conn.QueryRow(t.Context(), "select deid.deidentify('1', $1)", clientNote).Scan(&text) == nil
	})
	all := texts(t, conn, "select deid_note from deid.deidentify_all('ward.note') order by key::bigint")
	joined := strings.Join(all, "\n") + "\n"
	if strings.Contains(text+joined, "Quarkstein") || strings.Contains(text, "3/4/2021") || len(all) != 1000 {
		t.Fatalf("the engine does not de-identify: %q", text)
	}
	digest := sha256.Sum256([]byte(joined))
	place.env = []string{
		"PGHOST=127.0.0.1", fmt.Sprintf("PGPORT=%d", lab.source.Port()), "PGUSER=client", "PGPASSWORD=a client's password",
		"PGDATABASE=" + lab.name, "PGSSLMODE=disable", "CLIENTS_SLOW=" + clientSlow,
		"CLIENTS_NOTE=" + clientNote, "CLIENTS_WANT=" + text, "CLIENTS_DIGEST=" + hex.EncodeToString(digest[:]),
	}
	place.pool(t, lab)
	return place
}

// run runs a client and returns its row of the table.
func (p *clientPlace) run(t *testing.T, c client) clientRow {
	t.Helper()
	row := clientRow{client: c, results: map[string]string{}}
	if row.skipped = c.missing(); row.skipped != "" {
		t.Log("skipped:", row.skipped)
		return row
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.command[0], c.command[1:]...) // #nosec G204 -- the clients of this folder
	cmd.Env = slices.Concat(os.Environ(), p.env, c.env(t, p.pooled))
	cmd.WaitDelay = time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	row.read(string(out))
	for _, feature := range append(slices.Clone(everyClient), c.more...) {
		if got := row.results[feature]; got == "" {
			row.results[feature] = "not reported"
		}
		if got := row.results[feature]; got != "pass" {
			t.Errorf("%s: %s", feature, got)
		}
	}
	if err != nil {
		t.Errorf("the program ended with: %v", err)
	}
	if t.Failed() {
		t.Logf("it said:\n%s", tail(stderr.String(), 20))
	}
	return row
}

// env returns the variables that only some clients have; pooled are those that lead to pgbouncer.
func (c *client) env(t *testing.T, pooled []string) []string {
	t.Helper()
	switch {
	case c.pooled:
		return pooled
	case c.name == "ODBC":
		path, libraries := debianFile(t, "usr/lib/*/odbc/psqlodbcw.so")
		return []string{"CLIENTS_ODBC=" + path, libraries}
	}
	return nil
}

// missing returns why a client can't run here, as clients/install found, or "".
func (c *client) missing() string {
	for _, part := range c.needs {
		if why, err := os.ReadFile(filepath.Join(clientsDir, part+".skipped")); err == nil {
			return strings.TrimSpace(string(why))
		}
	}
	return ""
}

// check makes sure that the engine is whole after all clients, and that its log quotes none.
func (p *clientPlace) check(t *testing.T) {
	t.Helper()
	if code := p.engine.terminate(t); code != 0 {
		t.Errorf("the engine ended with status %d", code)
	}
	for _, word := range []string{"Quarkstein", "Wampfler", secretName, "panic"} {
		if strings.Contains(p.engine.output(t), word) {
			t.Errorf("the engine's log says %q", word)
		}
	}
}
