package itest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/scram"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
	"github.com/pgdeid/pgdeid/replicator/tables"
	"github.com/pgdeid/pgdeid/sql/attach"
)

// capitals is an engine that answers in capitals, with the patient before the text. It
// refuses notes that say "refuse", and waits for notes that say "wait".
type capitals struct{}

func (capitals) Ask(ctx context.Context, asked []desk.Question) ([]desk.Answer, error) {
	out := make([]desk.Answer, len(asked))
	for i, q := range asked {
		switch {
		case strings.Contains(q.Text, "wait"):
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(10 * time.Second): // the cancellation came before the statement, and was for nobody
			}
		case q.Patient == "":
			out[i].Reason = "no_patient"
		case strings.Contains(q.Text, "refuse"):
			out[i].Reason = "leak"
		case q.SpansOnly:
			out[i].Spans = []desk.Found{{Start: 2, End: 6, Type: "PATIENT", By: []string{"record", "names"}}, {Start: 7, End: 9, Type: "DATE", By: []string{"dates"}}}
		default:
			out[i].Text = q.Patient + ":" + strings.ToUpper(q.Text)
		}
	}
	return out, nil
}

// Pseudonym implements [tables.Engine].
func (capitals) Pseudonym(patient string) string { return "p" + patient }

func (capitals) Pull(_ context.Context, from desk.NoteKeys) ([]desk.NoteAnswer, error) {
	var out []desk.NoteAnswer
	for _, k := range from.Keys {
		table, column := "ehr.note", "body"
		if from.Table != "" {
			table = from.Table
		}
		if from.Column != "" {
			column = from.Column
		}
		if k == "404" {
			continue
		}
		a := desk.NoteAnswer{Key: k, Table: table, Column: column}
		if a.Text = "NOTE " + k + " OF " + table + "." + column; k == "13" {
			a.Answer = desk.Answer{Reason: "leak"}
		}
		out = append(out, a)
	}
	return out, nil
}

// enginePassword has what has to be quoted in SQL.
const enginePassword = `a staging job's "pass\word"`

// engine is a server that answers SQL. It stops with its test at the latest.
type engine struct {
	addr string
	stop func()
}

func (e *engine) attachment(t testing.TB) attach.Engine {
	t.Helper()
	host, port, err := net.SplitHostPort(e.addr)
	if err != nil {
		t.Fatal(err)
	}
	return attach.Engine{Host: host, Port: port, User: "staging", Password: enginePassword}
}

// newEngine lets in staging, who may everything, viewer, who may all but what stewards may,
// and least, whose line names no rights. It serves on an address ("127.0.0.1:0" is any port).
func newEngine(t testing.TB, addr string, answers tables.Engine, change func(*pgwire.Options)) *engine {
	t.Helper()
	verifier, err := scram.Generate(enginePassword)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users")
	rights, err := login.Words(tables.Names(), tables.Names().Known, true)
	if err != nil {
		t.Fatal(err)
	}
	lines := fmt.Sprintf("staging:%[1]s %[2]s\nleast:%[1]s\nviewer:%[1]s tables=%[3]s\n", verifier, rights, strings.Join(tables.Names().Known, ","))
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := login.Load(path, make([]byte, 32), tables.Names().Parse)
	if err != nil {
		t.Fatal(err)
	}
	asked := tables.New(answers, 4)
	o := pgwire.Options{
		Desk: asked, Users: users, RefusalTime: time.Millisecond, Grace: time.Second, Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	server, err := pgwire.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l, err := server.Listen(ctx, addr)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	g := &errgroup.Group{}
	work, end := context.WithCancel(context.Background())
	g.Go(func() error { return asked.Run(work) })
	g.Go(func() error {
		defer end()
		return server.Serve(ctx, l)
	})
	stop := sync.OnceFunc(func() {
		cancel()
		if err := g.Wait(); err != nil {
			t.Errorf("engine: %v", err)
		}
	})
	t.Cleanup(stop)
	return &engine{l.Addr().String(), stop}
}

// labTables are 250 notes of seven patients, with what has to be quoted in them.
const labTables = `
create schema ward;
create table ward.note (note_id bigint primary key, patient_id bigint, body text);
insert into ward.note select i, i % 7, 'note ' || i || ' it''s "x" \ {a,b} Ä 😀' || chr(10) || E'\t$1 %s' from generate_series(1, 250) i;`

// newLab makes a database that asks the engine, and returns it with a connection as
// superuser. Role job may ask, nurse may do nothing.
func newLab(t testing.TB, a attach.Engine) (p *pair, admin *pgx.Conn) {
	t.Helper()
	p = newPair(t)
	conf, err := p.source.Config(p.name)
	if err != nil {
		t.Fatal(err)
	}
	attachEngine(t, conf, a)
	admin = p.onSource(t)
	do(t, admin, labTables)
	migrating.Lock()
	defer migrating.Unlock()
	for role, group := range map[string]string{"job": "pgdeid_ask", "steward": "pgdeid_preview", "analyst": "pgdeid_pull", "nurse": ""} {
		do(t, admin, fmt.Sprintf("do $$begin if not exists (select from pg_roles where rolname = '%s') then create role %[1]s; end if; end$$", role))
		if group != "" {
			do(t, admin, fmt.Sprintf("grant %s to %s", group, role))
		}
		do(t, admin, fmt.Sprintf("grant usage on schema ward to %s; grant select on ward.note to %[1]s", role))
	}
	return p, admin
}

// refused makes sure that a statement fails with a SQLSTATE, and that the error says
// nothing of the notes.
func refused(t *testing.T, conn *pgx.Conn, state, statement string, args ...any) *pgconn.PgError {
	t.Helper()
	_, err := conn.Exec(t.Context(), statement, args...)
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		t.Errorf("%.100s: %v, want SQLSTATE %s", statement, err, state)
		return &pgconn.PgError{}
	}
	if e.Code != state {
		t.Errorf("%.100s: SQLSTATE %s, want %s: %s", statement, e.Code, state, e.Message)
	}
	if text := fmt.Sprintf("%+v", *e); strings.Contains(text, secretName) {
		t.Errorf("%.100s: the error quotes the note: %s", statement, text)
	}
	return e
}

// secretName is in notes that fail.
const secretName = "Brackenmark"
