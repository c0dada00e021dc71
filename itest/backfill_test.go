package itest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// backfillNotes is how many notes the copies have, and whether that is many: PGDEID_BACKFILL_NOTES of "make backfill".
func backfillNotes(t *testing.T) (notes int, many bool) {
	t.Helper()
	text := os.Getenv("PGDEID_BACKFILL_NOTES")
	if text == "" {
		return 3000, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 3000 {
		t.Fatalf("PGDEID_BACKFILL_NOTES=%q: want a number from 3000", text)
	}
	return n, true
}

// backfill is a hospital that is copied by one process, and at the same time, or after, by several.
type backfill struct {
	*replication

	twin    *replication // what one process alone copied
	notes   int
	plan    *daemon
	workers []*daemon
}

func newBackfill(t *testing.T, p *pair, notes int) *backfill {
	t.Helper()
	h, err := synth.NewHospital(15, synth.Options{Patients: notes / 50, Notes: notes})
	if err != nil {
		t.Fatal(err)
	}
	b := &backfill{replication: newHospitalReplicationOn(t, p, h, notes).exactly(t), notes: notes}
	b.twin = b.hospitalTwin(t)
	return b
}

// ends waits for the program to end, however many notes there are, and returns its exit code.
func (d *daemon) ends() int {
	<-d.gone
	return d.cmd.ProcessState.ExitCode()
}

// start starts the process that plans, and workers.
func (b *backfill) start(t *testing.T, workers int) {
	t.Helper()
	b.plan = startPgdeid(t, nil, "snapshot", "--workers", "--config", b.cfg.Path)
	for range workers {
		b.work(t)
	}
}

func (b *backfill) work(t *testing.T) {
	t.Helper()
	b.workers = append(b.workers, startPgdeid(t, nil, "work", "--http", "", "--config", b.cfg.Path))
}

func (b *backfill) copied(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(count(t, b.dst, `deid_rows."ehr.note"`))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// reachesNotes waits until the tables before the notes are copied, however long that takes.
func (b *backfill) reachesNotes(t *testing.T) {
	t.Helper()
	for count(t, b.dst, "deid.copy_chunk where table_name = 'ehr.note'") == "0" {
		if !b.plan.running() {
			t.Fatalf("the process that plans ended:\n%s", tail(b.plan.output(t), 20))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// busy waits until a worker copies notes, and returns it.
func (b *backfill) busy(t *testing.T) *daemon {
	t.Helper()
	var found *daemon
	eventually(t, "a worker has a part of the notes", func() bool {
		names := texts(t, b.dst, "select worker from deid.copy_chunk where worker is not null and not done and table_name = 'ehr.note' and rows > 0")
		for _, d := range b.workers {
			if d.running() && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, fmt.Sprint("/", d.cmd.Process.Pid)) }) {
				found = d
			}
		}
		return found != nil
	})
	return found
}

// control calls snapshot with what changes a copy.
func (b *backfill) control(t *testing.T, args ...string) string {
	t.Helper()
	got := runPgdeid(t, nil, append([]string{"snapshot", "--config", b.cfg.Path}, args...)...)
	if got.code != 0 {
		t.Fatalf("snapshot %v: %+v", args, got)
	}
	return got.stdout
}

// equal waits for the end of the copy and compares it with that of one process.
func (b *backfill) equal(t *testing.T) {
	t.Helper()
	if code := b.plan.ends(); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	for _, d := range b.workers {
		if !d.running() {
			continue
		}
		if code := d.terminate(t); code != 0 {
			t.Errorf("exit status %d of a worker", code)
		}
	}
	b.dst = b.onReplica(t)
	b.twin.dst = connect(t, b.replica, b.twin.slot)
	want(t, b.dst, fmt.Sprint(b.notes), `select ((select count(*) from deid_rows."ehr.note") + (select count(*) from deid.quarantine where table_name = 'ehr.note'))::text`)
	want(t, b.dst, "0", "select count(*)::text from deid.copy_chunk")
	compareTwins(t, b.wholeReplica(t), b.twin.wholeReplica(t))
}

// Copied by several processes, some of which are killed on the way, the replica has what one process alone
// writes: each row, each surrogate, and what each text was made from.
func TestBackfillByWorkersEqualsOneProcess(t *testing.T) {
	t.Parallel()
	notes, many := backfillNotes(t)
	workers, kills := 2, 1
	if many {
		workers, kills = 4, 2
	}
	b := newBackfill(t, newPair(t), notes)
	alone := startPgdeid(t, nil, "snapshot", "--config", b.twin.cfg.Path)
	b.start(t, workers)
	eventually(t, "parts are planned", func() bool { return count(t, b.dst, "deid.copy_plan") == "1" })
	if many {
		b.reachesNotes(t) // the rate would hold up the tables before them for longer than anything is waited for
	}
	b.control(t, "--rate", "200") // so that the kills find something to do
	for n := range kills {
		b.busy(t).kill()
		if b.copied(t) == notes {
			t.Errorf("kill %d came when all was copied", n+1)
		}
		b.work(t)
	}
	var s struct {
		Shared bool
		Rate   int
		Tables []struct{ Table string }
	}
	if err := json.Unmarshal([]byte(b.control(t, "--status", "--json", "--sample", "0s")), &s); err != nil || !s.Shared || s.Rate != 200 || len(s.Tables) != 10 {
		t.Errorf("status: %+v, %v", s, err)
	}
	eventually(t, "the death is noticed", func() bool {
		return one(t, b.dst, "select coalesce(sum(times), 0)::text from deid.copy_chunk") == fmt.Sprint(kills)
	})
	// The process that plans dies as well: the next one goes on, in another snapshot.
	b.plan.kill()
	b.plan = startPgdeid(t, nil, "snapshot", "--workers", "--config", b.cfg.Path)
	b.control(t, "--pause")
	if text := b.control(t, "--status", "--sample", "0s"); !strings.Contains(text, "paused") || !strings.Contains(text, "200 rows/s") {
		t.Errorf("status: %s", text)
	}
	b.control(t, "--resume", "--rate", "0")
	if code := alone.ends(); code != 0 {
		t.Fatalf("exit status %d of the one process", code)
	}
	b.equal(t)
}

// Where other tables lead rows to their patient, these may move while the process that plans is away, without a
// change of their own: no row is lost to that, and none keeps its former patient's surrogates.
func TestBackfillPlansAnewWhereJoinsLead(t *testing.T) {
	t.Parallel()
	b := &backfill{replication: newReplication(t, newPair(t)).exactly(t)}
	do(t, b.src, `insert into ehr.patient select n, 'Zebulon', 'Quark' || n, 'MR-' || n, '1950-02-03' from generate_series(1, 300) n;
		insert into ehr.visit select n, n, '2021-03-04 10:00+00' from generate_series(1, 300) n;
		insert into ehr.line select v, n, 'Mr. Quark' || v || ' ate on 3/4/2021.' from generate_series(1, 300) v, generate_series(1, 8) n;
		insert into ehr.line values (4711, 1, 'of no visit')`)
	b.plan = startPgdeid(t, nil, "snapshot", "--workers", "--config", b.cfg.Path)
	eventually(t, "parts are planned", func() bool { return count(t, b.dst, "deid.copy_chunk where table_name = 'ehr.line'") == "3" })
	b.control(t, "--rate", "500")
	b.work(t)
	eventually(t, "lines are copied", func() bool {
		return one(t, b.dst, "select (coalesce(sum(rows), 0) > 0)::text from deid.copy_chunk where table_name = 'ehr.line'") == "true"
	})
	file, err := os.ReadFile(b.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	other := startPgdeid(t, nil, "work", "--http", "", "--config", b.file(t, "other.yaml", strings.Replace(string(file), "models: none", "models: fast", 1)))
	eventually(t, "a worker with other models is refused", func() bool { return strings.Contains(other.output(t), "other models") })
	other.terminate(t)
	b.plan.kill()
	first := one(t, b.dst, "select max(chunk)::text from deid.copy_chunk")
	do(t, b.src, "update ehr.visit set patient_id = 301 - visit_id where visit_id % 2 = 0; delete from ehr.line where visit_id = 1 or visit_id = 299")
	b.plan = startPgdeid(t, nil, "snapshot", "--workers", "--config", b.cfg.Path)
	eventually(t, "parts are planned anew", func() bool {
		return one(t, b.dst, "select (coalesce(min(chunk), 0) > $1::text::bigint or not exists (select from deid.snapshot where not done))::text from deid.copy_chunk", first) == "true"
	})
	b.control(t, "--rate", "0")
	if code := b.plan.ends(); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	b.workers[0].terminate(t)
	b.run(t, exactDetector(t))
	b.caughtUp(t)
	want(t, b.dst, "2384", "select count(*)::text from ehr.line")
	want(t, b.dst, "1", "select count(*)::text from deid.quarantine")
	var moved []string
	for _, pair := range texts(t, b.src, "select visit_id || ' ' || patient_id from ehr.visit join (select distinct visit_id from ehr.line) l using (visit_id)") {
		var visit, patient int64
		if _, err := fmt.Sscan(pair, &visit, &patient); err != nil {
			t.Fatal(err)
		}
		moved = append(moved, fmt.Sprint(b.key.PseudonymInt("visit_id", visit), " ", b.patient(patient), " 8"))
	}
	got := texts(t, b.dst, `select visit_id || ' ' || pgdeid_patient || ' ' || count(*) from deid_rows."ehr.line" group by visit_id, pgdeid_patient`)
	if diff := differences(moved, got); diff != "" {
		t.Errorf("lines are others':\n%s", brief(diff, 10))
	}
	if text := one(t, b.dst, "select string_agg(body, ' ') from ehr.line"); strings.Contains(text, "Quark") {
		t.Error("a name is left")
	}
}

// The replica's server goes down while processes copy, and comes back.
func TestBackfillSurvivesRestartOfReplica(t *testing.T) {
	notes, many := backfillNotes(t)
	if !many {
		t.Skip("two servers of its own: make backfill")
	}
	b := newBackfill(t, newOwnPair(t), notes)
	if code := startPgdeid(t, nil, "snapshot", "--config", b.twin.cfg.Path).ends(); code != 0 {
		t.Fatalf("exit status %d of the one process", code)
	}
	b.start(t, 4)
	b.reachesNotes(t)
	for range 2 {
		b.busy(t)
		if err := b.replica.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := b.replica.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.dst = b.onReplica(t)
	}
	b.equal(t)
}

// hospitalTwin is twin for [newHospitalReplication], without models.
func (r *replication) hospitalTwin(t *testing.T) *replication {
	t.Helper()
	w := r.twinOf(t, demoTables(t))
	file, err := os.ReadFile(w.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	w.cfg = w.configFile(t, "twin.yaml", strings.Replace(string(file), "models: fast", "models: none", 1))
	return w
}

// wholeReplica returns a line for each row of each research table, and for what the vault has of patients and texts.
func (r *replication) wholeReplica(t *testing.T) []string {
	t.Helper()
	lines := r.opened(t, true)
	err := r.vault().Surrogates(t.Context(), vault.Filter{}, func(s vault.Surrogate) error {
		lines = append(lines, fmt.Sprint("surrogate ", s.Patient, " ", s.Kind, " ", s.Surrogate))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range texts(t, r.dst, "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'deid_rows'") {
		lines = append(lines, texts(t, r.dst, "select '"+table+" ' || md5(x::text) from "+table+" x")...)
	}
	lines = append(lines, texts(t, r.dst, `
		select 'provenance ' || concat_ws('|', table_name, column_name, row_key, patient, config_hash, text_hmac, published_hmac) from deid.note_provenance
		union all select 'word ' || concat_ws('|', patient, original_hmac) from deid.surrogate where kind = 'record'
		union all select 'table ' || concat_ws('|', table_name, rows, done) from deid.snapshot`)...)
	slices.Sort(lines)
	return lines
}
