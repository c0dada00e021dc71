package itest

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// What an analyst meets who has just logged in: tables by their bare names, temporary tables, what each column is, what the
// data were made with, and whether the stream goes on.
func TestAnalystsFindTheirWay(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients+"insert into ehr.note values (1, 1, null, 'new', 'Quarkstein was here')")
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	conn := r.analystLogin(t)

	want(t, conn, "ok", "select case when exists (select from note) and exists (select from patient join visit using (patient_id)) then 'ok' end")
	do(t, conn, `create temporary table cohort as select patient_id from patient; create index on cohort (patient_id); analyze cohort;
		select from cohort join note using (patient_id); drop table cohort`)
	want(t, conn, "1 test 1", "select concat_ws(' ', number, version, key_epoch) from dataset")
	want(t, conn, r.deidentifiedWith(t), "select configuration from dataset")
	want(t, conn, "true", "select (cardinality(detectors) > 0 and since > now() - interval '1 hour')::text from dataset")
	if _, err := conn.Exec(t.Context(), "select * from deid.dataset"); err == nil {
		t.Error("an analyst reads the vault")
	}

	// A quiet source is heard, a stopped stream is not.
	want(t, conn, "true true", "select concat_ws(' ', complete::text, (heard_at = as_of)::text) from freshness")
	before := one(t, conn, "select heard_at::text from freshness")
	eventually(t, "the quiet source is heard", func() bool {
		return one(t, conn, "select (heard_at > $1::text::timestamptz)::text from freshness", before) == "true"
	})
	run.stop(t)
	heard := one(t, conn, "select heard_at::text from freshness")
	do(t, r.src, "insert into ehr.note values (700, 1, null, 'new', 'nothing')")
	want(t, conn, heard, "select heard_at::text from freshness")

	// Of another version there is another row, and of the same none.
	o, _ := r.options(t, exactDetector(t))
	for range 2 {
		o.Version = "test 2"
		again := r.runWith(t, o)
		r.caughtUp(t)
		again.stop(t)
	}
	want(t, conn, "test, test 2", "select string_agg(version, ', ' order by number) from dataset")

	// Where rows are released later, the time says no more than the hour, and what is set aside nothing.
	do(t, r.dst, "update deid.release set mode = 'batches'")
	want(t, conn, "true", "select (heard_at = date_trunc('hour', heard_at))::text from freshness")
	do(t, r.dst, "update deid.release set mode = 'live'")

	// What tools list: by information_schema what analysts may read, each with a comment and a type.
	if got := one(t, conn, "select string_agg(distinct table_schema, ', ') from information_schema.tables where table_schema !~ '^(pg_|information_schema)'"); got != "deid_info, ehr" {
		t.Errorf("tools show the tables of %s", got)
	}
	for _, name := range texts(t, conn, `
		select c.oid::regclass || coalesce('.' || a.attname, '') from pg_class c
		left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		where has_table_privilege(c.oid, 'select') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
			and (obj_description(c.oid, 'pg_class') is null or col_description(c.oid, a.attnum) is null)`) {
		t.Errorf("%s has no comment", name)
	}
	for _, name := range texts(t, conn, `
		select nspname::text from pg_namespace where nspname !~ '^(pg_|information_schema|public)'
			and not has_schema_privilege(oid, 'usage') and coalesce(obj_description(oid, 'pg_namespace'), '') !~ 'not for analysts'`) {
		t.Errorf("schema %s, which \\dn+ lists, does not say that it is not for analysts", name)
	}
}

// deidentifiedWith returns the hash of what the notes were made with.
func (r *replication) deidentifiedWith(t *testing.T) string {
	t.Helper()
	return one(t, r.dst, "select distinct config_hash from deid.note_provenance")
}

// A search path that somebody has set stays, and one that pgdeid has set goes with it.
func TestSearchPathOfOthersStays(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	conn := p.onReplica(t)
	const setting = "select coalesce(string_agg(c, ' '), '') from pg_db_role_setting s, unnest(s.setconfig) c where s.setdatabase = (select oid from pg_database where datname = current_database())"
	do(t, conn, "do $$ begin execute format('alter database %I set search_path = their, own', current_database()); end $$")
	theirs := one(t, conn, setting)
	migrateUp(t, cfg)
	want(t, conn, theirs, setting)
	do(t, conn, "do $$ begin execute format('alter database %I reset search_path', current_database()); end $$")
	migrateUp(t, cfg)
	if got := one(t, conn, setting); !strings.Contains(got, `"$user", ehr, deid_info`) {
		t.Errorf("setting %q", got)
	}
	if err := sqlDown(t, cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	want(t, conn, "", setting)
}
