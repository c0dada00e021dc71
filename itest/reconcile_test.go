package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator"
)

// counted writes what a comparison found, without what did not differ.
func counted(res *replicator.Reconciliation) string {
	var list []string
	for _, d := range res.Tables {
		if d.Any() {
			list = append(list, fmt.Sprintf("%s +%d ~%d -%d", d.Table, d.Added, d.Changed, d.Removed))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// behind is a replication that was stopped, lost its slot and missed changes of all kinds; its vault as it was
// before is in public.before.
func behind(t *testing.T) *replication {
	t.Helper()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note select n, 1, '2021-03-04', 'new', 'Quarkstein ' || n from generate_series(1, 1200) n;
		insert into ehr.note select n, 2, '2021-03-04', 'new', 'Wampfler, or Vortrennik ' || n from generate_series(1201, 1205) n;
		insert into ehr.line select 7, n, 'line ' || n from generate_series(1, 9) n`)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	run.stop(t)
	eventually(t, "the source lets go of the slot", func() bool {
		return count(t, r.src, "pg_replication_slots where active and slot_name = '"+r.name+"'") == "0"
	})
	do(t, r.src, "select pg_drop_replication_slot('"+r.name+"')")
	do(t, r.src, `delete from ehr.note where note_id <= 100; update ehr.note set body = 'Quarkstein changed' where note_id between 700 and 1099;
		update ehr.note set status = 'read' where note_id = 600; update ehr.note set written = null where note_id = 601;
		update ehr.note set body = null where note_id = 602; update ehr.note set note_id = 1600 where note_id = 603;
		update ehr.patient set family = 'Vortrennik' where patient_id = 2; delete from ehr.visit where visit_id = 8;
		insert into ehr.note values (1701, 2, null, 'new', 'Wampfler new'); delete from ehr.line where n > 6; insert into ehr.line values (7, 12, 'a line')`)
	do(t, r.dst, "create table public.before as select * from deid.note_provenance")
	do(t, r.dst, "update ehr.note set status = 'by hand' where note_id = "+r.note(650)+"; update ehr.note set body = 'by hand' where note_id = "+r.note(651)+
		"; insert into ehr.note (note_id, body) values (1, 'nobody''s')")
	return r
}

const found = "ehr.line +1 ~0 -3, ehr.note +2 ~410 -102, ehr.patient +0 ~1 -0, ehr.visit +0 ~0 -1"

// What differs, for whatever reason, is counted, then written, and everything else stays as it was made. Analysts
// read all the while, and the stream goes on.
func TestReconcileWritesWhatDiffers(t *testing.T) {
	t.Parallel()
	r := behind(t)
	o, log := r.options(t, exactDetector(t))
	o.Version = "another" // which is no difference
	before := r.published(t)
	dry, err := replicator.CountDifferences(t.Context(), o)
	if err != nil || counted(dry) != found || !dry.Differ() {
		t.Errorf("the dry run finds %s: %v", counted(dry), err)
	}
	compareTwins(t, r.published(t), before)
	want(t, r.src, "0", "select count(*)::text from pg_replication_slots where slot_name = '"+r.name+"'")
	res, err := replicator.Reconcile(t.Context(), o)
	if err != nil || counted(res) != found {
		t.Fatalf("found %s: %v", counted(res), err)
	}
	want(t, r.dst, "409", "select count(*)::text from deid.note_provenance where sealed not in (select sealed from public.before)")
	if text := r.body(t, 1201); strings.Contains(text, "Vortrennik") {
		t.Errorf("a name that the record has had since the gap: %s", text)
	}
	for _, name := range []string{"Quarkstein", "Vortrennik", "Wampfler"} {
		if strings.Contains(log.String(), name) {
			t.Errorf("the log has %s", name)
		}
	}
	again, err := replicator.CountDifferences(t.Context(), o)
	if err != nil || again.Differ() {
		t.Errorf("afterwards there is %s: %v", counted(again), err)
	}
	mended := r.facts(t)
	r.run(t, exactDetector(t))
	do(t, r.src, "insert into ehr.note values (1702, 2, null, 'new', 'and on')")
	r.caughtUp(t)
	want(t, r.dst, one(t, r.src, "select count(*)::text from ehr.note"), "select count(*)::text from ehr.note")
	do(t, r.src, "delete from ehr.note where note_id = 1702")
	// Where the stream goes on, the process that follows it compares, and keeps the slot.
	do(t, r.dst, "delete from ehr.note where note_id = "+r.note(500))
	if _, err = replicator.Reconcile(t.Context(), o); err != nil { // that process, or this one between two sessions of it
		t.Error(err)
	}
	eventually(t, "the running process compares", func() bool {
		return one(t, r.dst, "select (count(*) filter (where not done) = 0 and sum(added) = 1)::text from deid.snapshot where compare") == "true"
	})
	r.caughtUp(t)
	compareTwins(t, r.facts(t), mended)
}

// Killed three times and finished, the replica is as after a fresh copy.
func TestReconcileKilledEqualsAFreshCopy(t *testing.T) {
	t.Parallel()
	r := behind(t)
	at := func() string {
		return one(t, r.dst, `select coalesce((select restored from (select string_agg(table_name || encode(coalesce(last_key, ''), 'hex') || done, ' '
			order by table_name) restored from deid.snapshot where compare) s), '') || exists (select from deid.progress)`)
	}
	for range 3 {
		before := at()
		d := startPgdeid(t, nil, "reconcile", "--config", r.cfg.Path)
		eventually(t, "the comparison goes on", func() bool { return at() != before })
		d.kill()
	}
	if got := runPgdeid(t, nil, "reconcile", "--config", r.cfg.Path); got.code != 0 || !strings.Contains(got.stdout, "ehr.note") {
		t.Fatalf("exit status %d: %s%s", got.code, got.stdout, got.stderr)
	}
	mended := r.facts(t)
	want(t, r.dst, "true", "select bool_and(done)::text from deid.snapshot")
	o, _ := r.options(t, exactDetector(t))
	if err := replicator.Snapshot(t.Context(), o, true); err != nil {
		t.Fatal(err)
	}
	compareTwins(t, mended, r.facts(t))
}

func TestReconcileRefuses(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	o, _ := r.options(t, exactDetector(t))
	if _, err := replicator.Reconcile(t.Context(), o); err == nil || !strings.Contains(err.Error(), "nothing was copied yet") {
		t.Errorf("before the first copy: %v", err)
	}
	if err := replicator.Snapshot(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	do(t, r.dst, "update deid.progress set mapping_hash = 'another'")
	for _, do := range []func() error{
		func() error { _, err := replicator.Reconcile(t.Context(), o); return err },
		func() error { _, err := replicator.CountDifferences(t.Context(), o); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "changed since the replica was written") {
			t.Errorf("another mapping: %v", err)
		}
	}
}
