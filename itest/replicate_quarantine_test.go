package itest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/deid"
)

func TestFailingNotesAreSetAside(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.cfg.Limits.NoteTimeout = 300 * time.Millisecond
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'PANIC Zebulon'), (2, 1, null, 'new', 'Zebulon ate.'), (3, null, null, 'new', 'whose?')")
	run := r.run(t, moody(t))
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	do(t, r.src, `insert into ehr.note values (4, 1, null, 'new', 'FAIL Zebulon'), (5, 2, null, 'new', 'HANG Ottilie'), (6, 2, null, 'new', 'Ottilie sang.')`)
	do(t, r.src, "update ehr.note set body = 'FAIL once more' where note_id = 2")
	r.caughtUp(t)
	// A published row whose new version fails goes: neither version may stand.
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	want(t, r.dst, "detector_error,detector_error,detector_panic,detector_timeout,no_patient", "select string_agg(reason, ',' order by reason) from deid.quarantine")
	if found := marksInDatabase(t, r.dst, []string{"Zebulon", "FAIL once"}); len(found) > 0 {
		t.Errorf("texts are in %v", found)
	}
	if log := run.log.String(); len(marksInText(log, []string{"Zebulon", "Ottilie"})) > 0 {
		t.Errorf("log: %s", log)
	}
	// The patient's other notes are rewritten; what is set aside stays set aside.
	do(t, r.src, "insert into ehr.contact values (1, 1, '617-555-0101')")
	r.caughtUp(t)
	want(t, r.dst, "5", "select count(*)::text from deid.quarantine")

	retry := func(d deid.Detector, which admin.Choice) admin.RetryResult {
		o, _ := r.options(t, d)
		res, err := admin.Retry(t.Context(), o, which, nil)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if got := retry(moody(t), admin.Choice{Reasons: []string{"detector_error"}}); got != (admin.RetryResult{Kept: 2}) {
		t.Errorf("retry that can't help: %+v", got)
	}
	want(t, r.dst, "2", "select count(*)::text from deid.quarantine where attempts = 2")
	do(t, r.src, "delete from ehr.note where note_id = 5; update ehr.note set patient_id = 2 where note_id = 3")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from deid.quarantine")
	if got := retry(nil, admin.Choice{}); got != (admin.RetryResult{Released: 3}) {
		t.Errorf("retry with a detector that works: %+v", got)
	}
	want(t, r.dst, "5", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	if text := r.body(t, 2); text != "FAIL once more" {
		t.Errorf("note 2: %q", text)
	}
	// The stream's own detector still fails for them.
	do(t, r.src, "update ehr.note set status = 'x'")
	r.caughtUp(t)
	want(t, r.dst, "2", "select count(*)::text from ehr.note where status = 'x'")
	want(t, r.dst, "3", "select count(*)::text from deid.quarantine")
}

// A value that the replica's table refuses costs its row, not the stream.
func TestRefusedValuesAreSetAside(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.dst, `alter table deid_rows."ehr.note" add check (status <> 'bad')`)
	do(t, r.src, `insert into ehr.note select n, 1, null, case when n % 10 = 3 then 'bad' else 'good' end, 'Note ' || n from generate_series(1, 30) n`)
	do(t, r.src, "insert into ehr.visit values (9, 2, '0044-03-15 00:00:00+00 BC')")
	r.caughtUp(t)
	want(t, r.dst, "27", "select count(*)::text from ehr.note")
	want(t, r.dst, "refused_by_replica,refused_by_replica,refused_by_replica", "select string_agg(reason, ',' order by reason) from deid.quarantine")
	want(t, r.dst, "true", "select (count(*) = 1 and bool_and(started is null))::text from ehr.visit where visit_id = $1::text::bigint", fmt.Sprint(r.key.PseudonymInt("visit_id", 9)))
}

// Detection may take as long as it likes: the source hears from us all the same.
func TestSlowDetectorKeepsTheStream(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "alter role pgdeid_replication in database "+r.name+" set wal_sender_timeout = '1s'")
	slow := sleepy(realDetector(t), 2500*time.Millisecond)
	run := r.run(t, slow)
	do(t, r.src, "insert into ehr.note values (3, 1, null, 'new', 'quick')")
	r.streaming(t)
	pid := one(t, r.src, "select active_pid::text from pg_replication_slots where slot_name = $1", r.name)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'SLOW one'), (2, 1, null, 'new', 'SLOW two')")
	r.caughtUp(t)
	want(t, r.dst, "3", "select count(*)::text from ehr.note")
	want(t, r.src, pid, "select active_pid::text from pg_replication_slots where slot_name = $1", r.name)
	if log := run.log.String(); strings.Contains(log, "interrupted") {
		t.Errorf("log: %s", log)
	}
}

func TestQuietTablesMoveTheSlot(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.run(t, nil)
	r.caughtUp(t)
	do(t, r.src, "insert into ehr.noise (filler) select repeat('x', 500) from generate_series(1, 20000)")
	end := one(t, r.src, "select pg_current_wal_lsn()::text")
	eventually(t, "the slot passes what is of no interest", func() bool {
		return one(t, r.src, "select (confirmed_flush_lsn >= $2::text::pg_lsn)::text from pg_replication_slots where slot_name = $1", r.name, end) == "true"
	})
	want(t, r.dst, "true", "select (lsn >= $1::text::pg_lsn)::text from deid.progress", end)
}
