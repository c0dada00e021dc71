package itest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/surrogate"
)

// withKeys writes the configuration anew with other key files.
func (r *replication) withKeys(t *testing.T, keys string) {
	t.Helper()
	file, err := os.ReadFile(r.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(string(file), "\n") {
		if !strings.Contains(line, "key_file: ") {
			lines = append(lines, line)
		}
	}
	r.cfg = r.pair.configFile(t, filepath.Base(r.cfg.Path), strings.Join(lines, "\n")+"\n"+keys)
	if r.key, err = surrogate.ReadKey(r.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	r.cfg.Source.Heartbeat = quickHeartbeat
}

// rotating returns options with both keys.
func (r *replication) rotating(t *testing.T) session.Options {
	t.Helper()
	o, _ := r.options(t, exactDetector(t))
	if r.cfg.OldKeyFile != "" {
		old, err := surrogate.ReadKey(r.cfg.OldKeyFile)
		if err != nil {
			t.Fatal(err)
		}
		o.OldKey = old
	}
	return o
}

// rotate takes the next step of a change of the key.
func (r *replication) rotate(t *testing.T) *admin.RotationReport {
	t.Helper()
	report, err := admin.Rotate(t.Context(), r.rotating(t), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// analystRows is what analysts read.
func analystRows(t *testing.T, r *replication) []string {
	t.Helper()
	return texts(t, r.dst, `select 'patient ' || x::text from ehr.patient x union all select 'visit ' || x::text from ehr.visit x
		union all select 'note ' || x::text from ehr.note x union all select 'line ' || x::text from ehr.line x order by 1`)
}

// never watches, until stop is called, that analysts never find rows of both keys, or a note without its patient.
func (r *replication) never(t *testing.T, old, next *surrogate.Key) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	conn := r.onReplica(t)
	do(t, conn, "set role pgdeid_analyst")
	pseudonyms := func(k *surrogate.Key) []int64 {
		return []int64{k.PseudonymInt("patient", 1), k.PseudonymInt("patient", 2)}
	}
	var g errgroup.Group
	looks := 0
	g.Go(func() error {
		for ctx.Err() == nil {
			var before, after bool
			var lost int
			err := conn.QueryRow(ctx, `
				select coalesce(bool_or(id = any($1)), false), coalesce(bool_or(id = any($2)), false), (select count(*) from ehr.note n left join ehr.patient p
					using (patient_id) where n.patient_id is not null and p.patient_id is null)
				from (select patient_id from ehr.patient union all select patient_id from ehr.note union all select patient_id from ehr.visit) x(id)`,
				pseudonyms(old), pseudonyms(next)).Scan(&before, &after, &lost)
			if err != nil && ctx.Err() == nil {
				return err
			}
			if ctx.Err() == nil && (before == after || lost > 0) {
				return fmt.Errorf("analysts read rows of before: %t, of the next key: %t, %d notes without patient", before, after, lost)
			}
			looks++
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	})
	return func() {
		cancel()
		if err := g.Wait(); err != nil || looks < 10 {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
}

// without leaves lines out that hold a text.
func without(lines []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.Contains(line, text) })
}

// The key is changed while the source goes on, killed three times. Analysts see the rows of one key alone at any moment;
// in the end the replica is what a first copy with the next key makes, and the key before is not needed.
func TestKeyRotation(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.patient values (3, 'Gone', 'Purgedname', 'MR-4713', null), (4, 'Ada', 'Oldmarkname', 'MR-4714', '1970-01-01');
		insert into ehr.note select n, 1 + n % 2, '2021-03-04', 'new', 'Quarkstein or Wampfler ' || n from generate_series(1, 600) n;
		insert into ehr.patient values (5, 'Ivo', 'Leaver', 'MR-4715', null);
		insert into ehr.note values (9001, 3, null, 'new', 'Purgedname was here'), (9002, 4, null, 'new', 'Oldmarkname was here'), (9003, 5, null, 'new', 'seen');
		insert into ehr.line select 7, n, 'line of Quarkstein ' || n from generate_series(1, 40) n`)
	first := r.run(t, exactDetector(t))
	r.caughtUp(t)
	do(t, r.src, "update ehr.patient set family = 'Newmarkname' where patient_id = 4")
	r.caughtUp(t)
	o, _ := r.options(t, exactDetector(t))
	if _, err := admin.Purge(t.Context(), o, []string{"3"}, false); err != nil {
		t.Fatal(err)
	}
	first.stop(t)
	old, before := r.key, analystRows(t, r)
	oldRow := one(t, r.dst, `select x::text from deid_rows."ehr.patient" x where patient_id = $1::text::int`, r.patient(1))

	next := filepath.Join(filepath.Dir(r.cfg.KeyFile), "key-2")
	if err := surrogate.NextKeyFile(next, old); err != nil {
		t.Fatal(err)
	}
	r.withKeys(t, "key_file: key-2\nold_key_file: key\n")
	stop := r.never(t, old, r.key)
	begin := startPgdeid(t, nil, "key", "rotate", "--config", r.cfg.Path)
	time.Sleep(300 * time.Millisecond)
	begin.kill() // before, in or behind its transaction
	if report := r.rotate(t); report.Phase != admin.RotationBegun && report.Phase != admin.RotationCopying {
		t.Fatalf("%+v", report)
	}
	compareTwins(t, analystRows(t, r), before)
	if err := sqlUp(t, r.cfg, migrations.Replica, sql.Options{}); err == nil || !strings.Contains(err.Error(), "key is being changed") {
		t.Errorf("migrate up meanwhile: %v", err)
	}

	copying := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	eventually(t, "rows are copied", func() bool { return count(t, r.dst, "deid.note_provenance") != "0" })
	copying.kill()
	run := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	do(t, r.src, `insert into ehr.note select n, 1 + n % 2, null, 'late', 'Wampfler ' || n from generate_series(1000, 1050) n;
		update ehr.note set body = 'Quarkstein again' where note_id < 20; delete from ehr.note where note_id between 590 and 599`)
	r.caughtUp(t)
	compareTwins(t, analystRows(t, r), before)

	// Who is purged meanwhile leaves what analysts read as well.
	if _, err := admin.Purge(t.Context(), r.rotating(t), []string{"5"}, false); err != nil {
		t.Fatal(err)
	}
	before = without(before, fmt.Sprint(old.PseudonymInt("patient", 5)))
	compareTwins(t, analystRows(t, r), before)
	alone := r.rotating(t)
	alone.OldKey = nil
	if _, err := admin.Purge(t.Context(), alone, []string{"5"}, false); err == nil || !strings.Contains(err.Error(), "old_key_file") {
		t.Errorf("without the key before: %v", err)
	}

	// What the key before made is found, wherever it is.
	plant := func(statement string, args ...any) {
		t.Helper()
		if _, err := r.dst.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	plant(`insert into deid_rows."ehr.patient" select ($1::text::deid_rows."ehr.patient").*`, oldRow)
	plant("insert into deid.date_shift values ('4711', $1)", old.Seal([]byte{4}, "date shift", "4711"))
	do(t, r.dst, "insert into deid.surrogate (patient, kind, original_hmac, surrogate_hmac) select patient, 'record', hash, hash from deid.rotation_word where kind = 'record' limit 1")
	plant(`update deid_rows."ehr.note" set body = 'a text of before' where note_id = $1::text::bigint`, r.note(30))
	report := r.rotate(t)
	found := map[string]int64{}
	for _, p := range report.Tables {
		found[p.Table] = p.Foreign
	}
	for _, p := range report.Vault {
		found[p.Table] = p.Foreign
	}
	if report.Phase != admin.RotationUnproven || report.Foreign() != 4 || found["ehr.note"] != 1 || found["ehr.patient"] != 1 || found["deid.date_shift"] != 1 ||
		found["deid.surrogate (words of records)"] != 1 {
		t.Errorf("planted rows: %+v", report)
	}
	compareTwins(t, analystRows(t, r), before)
	do(t, r.src, "update ehr.note set body = body || ' more' where note_id = 30")
	r.caughtUp(t)
	plant(`delete from deid_rows."ehr.patient" where patient_id = $1`, old.PseudonymInt("patient", 1))
	do(t, r.dst, "delete from deid.date_shift where patient = '4711'")
	do(t, r.dst, "delete from deid.surrogate s using deid.rotation_word w where s.kind = 'record' and s.original_hmac = w.hash and s.patient = w.patient")

	end := startPgdeid(t, nil, "key", "rotate", "--config", r.cfg.Path)
	time.Sleep(700 * time.Millisecond)
	end.kill()
	got := runPgdeid(t, nil, "key", "rotate", "--json", "--config", r.cfg.Path)
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	if report.Phase != admin.RotationDone && report.Phase != admin.RotationNone {
		t.Fatalf("%+v", report)
	}
	stop()
	want(t, r.dst, "0", "select (select count(*) from deid.rotation) + (select count(*) from deid.rotation_word) + "+
		"(select count(*) from pg_class where relnamespace = 'deid_before'::regnamespace)")
	want(t, r.dst, "2", "select epoch::text from deid.key_check")
	if text := r.body(t, 9002); strings.Contains(text, "Oldmarkname") {
		t.Errorf("a name that left the record is in %q", text)
	}
	want(t, r.dst, "0", "select count(*)::text from ehr.note where note_id = $1::text::bigint", r.note(9001))

	// The key before is not needed any more.
	run.terminate(t)
	r.withKeys(t, "key_file: key-2\n")
	if report := r.rotate(t); report.Phase != admin.RotationNone {
		t.Errorf("%+v", report)
	}
	migrateUp(t, r.cfg)
	again := r.run(t, exactDetector(t))
	do(t, r.src, "insert into ehr.note values (2000, 4, null, 'new', 'Oldmarkname once more')")
	r.caughtUp(t)
	if text := r.body(t, 2000); strings.Contains(text, "Oldmarkname") {
		t.Errorf("a name that left the record is in %q", text)
	}
	again.stop(t)

	twin := r.twin(t)
	twin.withKeys(t, "key_file: key-2\n")
	twin.exactly(t)
	twin.run(t, exactDetector(t))
	twin.caughtUp(t)
	special := func(lines []string) []string {
		for _, id := range []int64{3, 4, 5} {
			lines = without(lines, r.patient(id))
		}
		return lines
	}
	compareTwins(t, special(r.published(t)), special(twin.published(t)))
}

// Where rows are released in batches, the change waits for a release, and shows what that showed.
func TestKeyRotationWaitsForARelease(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t), inBatches).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1 + n % 2, null, 'new', 'Quarkstein ' || n from generate_series(1, 20) n`)
	first := r.run(t, exactDetector(t))
	r.caughtUp(t)
	r.releaseNow(t)
	first.stop(t)
	before, old := analystRows(t, r), r.key
	if err := surrogate.NextKeyFile(filepath.Join(filepath.Dir(r.cfg.KeyFile), "key-2"), old); err != nil {
		t.Fatal(err)
	}
	r.withKeys(t, "key_file: key-2\nold_key_file: key\n")
	if report := r.rotate(t); report.Phase != admin.RotationBegun {
		t.Fatalf("%+v", report)
	}
	o := r.rotating(t)
	if err := replicator.Snapshot(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	if report := r.rotate(t); report.Phase != admin.RotationUnreleased {
		t.Fatalf("%+v", report)
	}
	if _, err := admin.Release(t.Context(), o, true); err != nil {
		t.Fatal(err)
	}
	compareTwins(t, analystRows(t, r), before)
	if report := r.rotate(t); report.Phase != admin.RotationDone {
		t.Fatalf("%+v", report)
	}
	want(t, r.dst, "20", "select count(*)::text from ehr.note join ehr.patient using (patient_id) where patient_id = any($1)",
		[]int64{r.key.PseudonymInt("patient", 1), r.key.PseudonymInt("patient", 2)})
	r.allIsReleased(t)
}
