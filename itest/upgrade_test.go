package itest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// firstSealed is the oldest version of the replica that can be brought up with its rows: those before have a vault in
// plain, which "migrate up" refuses.
const firstSealed = 6

// Versions of the replica in which the tables of rows looked otherwise than the mapping's tables do now.
const (
	rowsBehindViews = 7  // before, analysts read the tables themselves
	rowsHaveOwners  = 15 // before, rows did not say whose they are
)

// backTo takes the replica back to an older version, with its rows and its vault as that version had them.
func (r *replication) backTo(t *testing.T, version int) {
	t.Helper()
	downs, err := filepath.Glob("../sql/migrations/replica/*.down.sql")
	if err != nil || len(downs) == 0 {
		t.Fatalf("%d migrations: %v", len(downs), err)
	}
	slices.Sort(downs)
	if version < rowsHaveOwners {
		eachTable(t, r.dst, "alter table deid_rows.%[1]s drop column if exists pgdeid_patient")
	}
	for _, path := range slices.Backward(downs) {
		number, _, _ := strings.Cut(filepath.Base(path), "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if n <= version {
			break
		}
		if n == rowsBehindViews {
			eachTable(t, r.dst, `drop view %[2]s; alter table deid_rows.%[1]s set schema ehr; alter table ehr.%[1]s rename to %[3]s;
				grant select on %[2]s to pgdeid_analyst`)
		}
		down, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		do(t, r.dst, string(down))
	}
	do(t, r.dst, fmt.Sprintf("update deid.schema_migrations set version = %d", version))
}

// eachTable runs statements for each research table: %[1]s is the table of its rows, in deid_rows, %[2]s what
// analysts read, and %[3]s its bare name.
func eachTable(t *testing.T, conn *pgx.Conn, statements string) {
	t.Helper()
	for _, name := range texts(t, conn, "select name from deid.generated where kind = 'table'") {
		_, bare, _ := strings.Cut(name, ".")
		do(t, conn, fmt.Sprintf(statements, pgx.Identifier{name}.Sanitize(), name, bare))
	}
}

// A replica that an older version wrote is brought up with all that it holds: rows, surrogates and shifts stay, what
// the source did meanwhile arrives, and the stream goes on through the same slot.
func TestUpgradeOfAReplicaWithRows(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1 + n % 2, '2021-03-04', 'new', 'Quarkstein or Wampfler, 3/5/2021, ' || n from generate_series(1, 40) n;
		insert into ehr.line select 7, n, 'line ' || n from generate_series(1, 5) n; insert into ehr.line values (99, 1, 'of no visit yet')`)
	next := 100
	for _, version := range []int{21, 12, 9, firstSealed} { // behind the first two there are gaps in the numbers
		run := r.run(t, exactDetector(t))
		r.caughtUp(t)
		run.stop(t)
		r.unused(t)
		before, slot := r.shown(t), one(t, r.src, "select confirmed_flush_lsn::text from pg_replication_slots where slot_name = '"+r.slot+"'")
		r.backTo(t, version)
		if _, err := r.differences(t); err == nil {
			t.Errorf("a program of today works with version %d", version)
		}
		migrateUp(t, r.cfg)
		if diff := differences(before, r.shown(t)); diff != "" {
			t.Errorf("from version %d:\n%s", version, brief(diff, 20))
		}
		want(t, r.src, slot, "select confirmed_flush_lsn::text from pg_replication_slots where slot_name = '"+r.slot+"'")
		do(t, r.src, fmt.Sprintf(`insert into ehr.note values (%d, 1, '2021-03-09', 'new', 'Quarkstein again');
			update ehr.note set status = 'of %[2]d' where note_id = 3; update ehr.note set body = 'Wampfler, of %[2]d' where note_id = 5;
			delete from ehr.note where note_id = %[3]d`, next, version, version+10))
		next++
	}
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	// Rows of the oldest lay in the order of their arrival: analysts read them again once they are in order.
	want(t, r.dst, "true", "select has_table_privilege('pgdeid_analyst', 'ehr.note', 'select')::text")
	want(t, r.dst, one(t, r.src, "select count(*)::text from ehr.note"), "select count(*)::text from ehr.note")
	want(t, r.dst, "of 6", "select status from ehr.note where note_id = $1::text::bigint", r.note(3))
	want(t, r.dst, "1", "select count(*)::text from deid.quarantine")
	do(t, r.src, "insert into ehr.visit values (99, 2, '2021-03-04')")
	r.caughtUp(t)
	o, _ := r.options(t, exactDetector(t))
	if _, err := admin.Retry(t.Context(), o, admin.Choice{}, nil); err != nil {
		t.Error(err)
	}
	want(t, r.dst, "6", "select count(*)::text from ehr.line")
	// What is left of older versions differs from what a copy writes today in nothing.
	streamed := r.facts(t)
	if res, err := replicator.CountDifferences(t.Context(), o); err != nil || res.Differ() {
		t.Errorf("differs: %s, %v", counted(res), err)
	}
	if err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Error(err)
	}
	compareTwins(t, r.facts(t), streamed)
}

// shown returns what analysts read, and what the vault knows of it.
func (r *replication) shown(t *testing.T) []string {
	t.Helper()
	return texts(t, r.dst, `
		select 'patient ' || x::text from ehr.patient x
		union all select 'visit ' || x::text from ehr.visit x
		union all select 'note ' || x::text from ehr.note x
		union all select 'line ' || x::text from ehr.line x
		union all select 'text ' || concat_ws('|', table_name, column_name, row_key, patient, text_hmac, sealed) from deid.note_provenance
		union all select 'surrogate ' || concat_ws('|', patient, kind, original_hmac, sealed) from deid.surrogate
		union all select 'shift ' || concat_ws('|', patient, sealed) from deid.date_shift
		union all select 'aside ' || concat_ws('|', table_name, key_hmac, sealed) from deid.quarantine
		union all select 'position ' || concat_ws('|', slot, lsn) from deid.progress
		order by 1`)
}

// unused waits until the source lets go of the slot.
func (r *replication) unused(t *testing.T) {
	t.Helper()
	eventually(t, "the source lets go of the slot", func() bool {
		return count(t, r.src, "pg_replication_slots where active and slot_name = '"+r.slot+"'") == "0"
	})
}

// differences counts how the replica differs from the source.
func (r *replication) differences(t *testing.T) (*replicator.Reconciliation, error) {
	t.Helper()
	o, _ := r.options(t, exactDetector(t))
	return replicator.CountDifferences(t.Context(), o)
}
