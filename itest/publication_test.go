package itest

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// failing returns the statements that the server refuses, each tried on its own and
// rolled back.
func failing(t *testing.T, conn *pgx.Conn, statements ...string) []string {
	t.Helper()
	var refused []string
	for _, s := range statements {
		do(t, conn, "begin")
		if _, err := conn.Exec(t.Context(), s, pgx.QueryExecModeSimpleProtocol); err != nil {
			refused = append(refused, s)
		}
		do(t, conn, "rollback")
	}
	return refused
}

// The vendor's upgrade touches mapped and other columns while the stream runs; no
// change of the window is lost.
func TestPausedPublicationLetsTheVendorUpgrade(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	if !hasLists(t, r.src) {
		if paused, err := publication.Pause(t.Context(), r.cfg); paused || err != nil {
			t.Errorf("nothing to pause: %v, %v", paused, err)
		}
		t.Skip("this server's publications have no lists of columns")
	}
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.visit values (1, 1, now()); insert into ehr.note values (1, 1, null, 'new', 'Zebulon Quarkstein');
		alter table ehr.note add column vendor int`)
	run := r.run(t, nil)
	r.streaming(t)
	upgrade := []string{
		"alter table ehr.visit drop column started",
		"alter table ehr.note alter column status type varchar(40)",
		"alter table ehr.line alter column n type bigint",
	}
	if got := failing(t, r.src, upgrade...); !slices.Equal(got, upgrade) {
		t.Fatalf("the lists of columns stop only %q, so this test shows nothing", got)
	}
	if got := runPgdeid(t, nil, "publication", "pause", "--config", r.cfg.Path); got.code != 0 || !strings.Contains(got.stdout, "paused") {
		t.Fatalf("pause: %+v", got)
	}
	if got := failing(t, r.src, upgrade...); len(got) > 0 {
		t.Errorf("paused, and still refused: %q", got)
	}
	if s := r.status(t); !s.Paused || len(s.Problems) != 1 {
		t.Errorf("status: %+v", s)
	}
	if !slices.ContainsFunc(findingsOf(t, r.cfg), func(f finding.Finding) bool {
		return f.Level == finding.Warning && strings.Contains(f.Text, "paused")
	}) {
		t.Error("check does not say that the publication is paused")
	}
	// Whole rows travel, and what is not mapped is dropped on the way.
	do(t, r.src, `alter table ehr.note add column extra text;
		insert into ehr.note values (2, 1, null, 'new', 'Quarkstein', 7, 'Wholerowmark')`)
	do(t, r.src, "alter table ehr.note drop column vendor, alter column extra type varchar(99)")
	do(t, r.src, "insert into ehr.note values (3, 1, null, 'new', 'Zebulon', 'Wholerowmark')")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	if found := marksInDatabase(t, r.dst, []string{"Wholerowmark"}); len(found) > 0 {
		t.Errorf("unmapped values in %v", found)
	}
	// A mapped column goes: the run ends, and the slot holds what comes after.
	do(t, r.src, upgrade[0]+`; insert into ehr.visit values (2, 1);
		insert into ehr.note values (4, 1, null, 'new', 'Zebulon', 'Wholerowmark')`)
	if err := run.fails(t); !strings.Contains(err.Error(), "started") {
		t.Errorf("the run ended with %v", err)
	}
	if err := sqlUp(t, r.cfg, migrations.Source, sql.Options{}); err == nil || !r.status(t).Paused {
		t.Errorf("the old mapping was taken: %v", err)
	}
	r.cfg = r.config(t, r.settingsAgain(t)+"http: \"\"\n"+strings.Replace(wardTables, ", started: date_shift", "", 1))
	if got := runPgdeid(t, nil, "publication", "resume", "--config", r.cfg.Path); got.code != 0 || r.status(t).Paused {
		t.Errorf("resume: %+v", got)
	}
	if got := failing(t, r.src, upgrade[1:]...); !slices.Equal(got, upgrade[1:]) {
		t.Errorf("resumed, and the lists of columns stop only %q", got)
	}
	if err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{DropData: true}); err != nil {
		t.Fatal(err)
	}
	r.resync(t)
	const rows = "select (select count(*) from ehr.note) || ' ' || (select count(*) from ehr.visit)"
	want(t, r.dst, one(t, r.src, rows), rows)
	if found := marksInDatabase(t, r.dst, []string{"Wholerowmark"}); len(found) > 0 {
		t.Errorf("unmapped values in %v", found)
	}
}
