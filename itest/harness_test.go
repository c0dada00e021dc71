package itest

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The harness has to find what is there before its silence means anything.
func TestMarksAreFound(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	conn := p.onReplica(t)
	do(t, conn, `
		create schema "odd Schema";
		create table "odd Schema"."odd Table" (id int, doc jsonb);
		insert into "odd Schema"."odd Table" values (1, '{"who": ["Zebulonmark"]}'), (2, '{}');
		create table binary_one (raw bytea);
		insert into binary_one values ('Zebulonmark'::bytea);
		create table commented (id int);
		comment on table commented is 'for ZEBULONMARK';
		create table clean (note text);
		insert into clean values ('Zebulon mark')`)
	got := marksInDatabase(t, conn, []string{"zebulonmark", "Zebulonmark"})
	want := []string{`"odd Schema"."odd Table" (1 rows)`, "pg_catalog.pg_description (1 rows)", "public.binary_one (1 rows)"}
	if !slices.Equal(got, want) {
		t.Errorf("found in %v, want %v", got, want)
	}
	if got := marksInFiles(t, []string{"MARK", "none"}, p.file(t, "a", "a mark"), p.file(t, "b", "")); len(got) != 1 {
		t.Errorf("in files: %v", got)
	}
	if got := marksInDatabase(t, conn, []string{"a%b"}); len(got) != 0 {
		t.Errorf("a percent sign stood for anything: %v", got)
	}
}

// What was rolled back is in the WAL all the same, and the search finds it there.
func TestMarksAreFoundInRolledBackRows(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	do(t, p.onReplica(t), `
		create table note (body text);
		begin; insert into note values ('Rolledbackmark'); rollback;
		checkpoint`)
	got := marksInFolder(t, []string{"Rolledbackmark", "Neverwrittenmark"}, filepath.Dir(p.replica.Log()))
	if !slices.Equal(got, []string{"Rolledbackmark"}) {
		t.Errorf("found %v", got)
	}
}

func TestContents(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	conn := p.onReplica(t)
	do(t, conn, `
		create schema a; create schema b;
		create table a.note (id int, body text, at timestamptz);
		insert into a.note values (2, 'x', now()), (1, null, now());
		create table b.other (id int)`)
	got := contents(t, conn, []string{"a", "b"}, "at", "absent")
	sameContents(t, got, map[string][]string{
		"a.note": {`{"id": 1, "body": null}`, `{"id": 2, "body": "x"}`}, "b.other": {},
	})
}

func TestPathBreaks(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	path := pathTo(t, p.source)
	cfg, err := p.source.Config(p.name)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Port = uint16(path.Port())
	conn, err := pgx.ConnectConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	path.Cut()
	if _, err := conn.Exec(t.Context(), "select 1"); err == nil {
		t.Error("a statement crossed the cut")
	}
}

func TestPairsAreEmptyAndApart(t *testing.T) {
	t.Parallel()
	one, two := newPair(t), newPair(t)
	do(t, one.onSource(t), "create table note (id int)")
	for _, conn := range []*pair{two, {source: one.replica, name: one.name}} {
		if got := texts(t, conn.onSource(t), "select count(*)::text from pg_class where relname = 'note'"); got[0] != "0" {
			t.Error("a table shows up in another database")
		}
	}
}

func TestOwnPairSurvivesRestart(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	do(t, p.onSource(t), "create table note as select 1 as id")
	if err := p.source.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := p.source.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, p.onSource(t), "select count(*)::text from note"); got[0] != "1" {
		t.Errorf("%s rows after the crash", got[0])
	}
}

func TestProgramRuns(t *testing.T) {
	t.Parallel()
	got := runPgdeid(t, nil, "version")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "pgdeid ") || got.stderr != "" {
		t.Errorf("version: %+v", got)
	}
	if got := runPgdeid(t, []string{"PGDEID_LOG_LEVEL=loud"}, "version"); got.code != 2 || !strings.Contains(got.stderr, "loud") {
		t.Errorf("bad log level: %+v", got)
	}
	d := startPgdeid(t, nil, "version")
	if code := d.wait(t); code != 0 || d.running() || !strings.HasPrefix(d.output(t), "pgdeid ") {
		t.Errorf("exit %d, output %q", code, d.output(t))
	}
}
