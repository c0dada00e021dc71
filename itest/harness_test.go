package itest

import (
	"slices"
	"strings"
	"testing"
)

// The harness has to find what is there before its silence means anything.
func TestMarksAreFound(t *testing.T) {
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

func TestPairsAreEmptyAndApart(t *testing.T) {
	one, two := newPair(t), newPair(t)
	do(t, one.onSource(t), "create table note (id int)")
	for _, conn := range []*pair{two, {source: one.replica, name: one.name}} {
		if got := texts(t, conn.onSource(t), "select count(*)::text from pg_class where relname = 'note'"); got[0] != "0" {
			t.Error("a table shows up in another database")
		}
	}
}

func TestOwnPairSurvivesRestart(t *testing.T) {
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
