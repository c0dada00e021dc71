package itest

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// vaultOf counts what the vault knows of all tables but one.
func vaultOf(t *testing.T, r *replication, but string) string {
	t.Helper()
	return one(t, r.dst, `select (select count(*) from deid.surrogate) || ' surrogates, ' ||
		(select count(*) from deid.note_provenance where table_name <> $1) || ' texts'`, but)
}

// Another primary key costs the rows of that table, which "run" copies again, and
// nothing else.
func TestAnotherPrimaryKeyRebuildsOneTable(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	const made = "select md5(string_agg(sealed::text, '' order by row_key)) from deid.note_provenance where table_name = 'ehr.note'"
	before, last := vaultOf(t, r, "ehr.visit"), one(t, r.dst, made)
	run := r.run(t, nil)
	r.streaming(t)
	do(t, r.src, `alter table ehr.visit drop constraint visit_pkey, add primary key (visit_id, patient_id), add unique (visit_id);
		insert into ehr.visit values (900, 1, now())`)
	if err := run.fails(t); !strings.Contains(err.Error(), "another primary key") {
		t.Fatalf("the run ended with %v", err)
	}
	err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{})
	if err == nil || !strings.Contains(err.Error(), `"ehr.visit" of the replica holds rows`) {
		t.Errorf("rows go without being asked for: %v", err)
	}
	migrateUpDropping(t, r)
	want(t, r.dst, "0", "select count(*)::text from ehr.visit")
	want(t, r.dst, "700", "select count(*)::text from ehr.note")
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.visit values (901, 2, now()); delete from ehr.visit where visit_id = 900")
	r.caughtUp(t)
	const visits = "select count(*)::text from ehr.visit"
	want(t, r.dst, one(t, r.src, visits), visits)
	want(t, r.dst, last, made)
	if after := vaultOf(t, r, "ehr.visit"); after != before {
		t.Errorf("the vault knew %s of the other tables, and now %s", before, after)
	}
}

// A key column with another policy likewise; as after any change of the mapping, the
// way on is a resync.
func TestAnotherPolicyOfAKeyRebuildsOneTable(t *testing.T) {
	t.Parallel()
	r := begun(t, newPair(t))
	do(t, r.src, "insert into ehr.line select 7, n, 'line ' || n from generate_series(1, 9) n")
	run := r.run(t, nil)
	r.caughtUp(t)
	before := vaultOf(t, r, "ehr.line")
	r.cfg = r.config(t, r.settingsAgain(t)+"http: \"\"\n"+strings.Replace(wardTables, "n: keep, body", "n: pseudonym, body", 1))
	err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{DropData: true})
	if err == nil || !strings.Contains(err.Error(), "a process copies or streams") {
		t.Fatalf("a process still writes by the old mapping: %v", err)
	}
	run.stop(t)
	migrateUpDropping(t, r)
	want(t, r.dst, "0", "select count(*)::text from ehr.line")
	r.resync(t)
	want(t, r.dst, "9 0", "select count(*) || ' ' || count(*) filter (where n between 1 and 9) from ehr.line")
	want(t, r.dst, "700", "select count(*)::text from ehr.note")
	if after := vaultOf(t, r, "ehr.line"); after != before {
		t.Errorf("the vault knew %s of the other tables, and now %s", before, after)
	}
}

func migrateUpDropping(t *testing.T, r *replication) {
	t.Helper()
	for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
		if err := sqlUp(t, r.cfg, target, sql.Options{DropData: true}); err != nil {
			t.Fatal(err)
		}
	}
}
