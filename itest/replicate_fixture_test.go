package itest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/surrogate"
)

// ward is a small EHR for tests of replication. Texts are stored out of line, so
// that updates which don't touch them leave them out of the stream.
const ward = `
create schema ehr;
create table ehr.patient (patient_id int primary key, given text, family text, mrn text, born date);
create table ehr.contact (contact_id int primary key, patient_id int not null, phone text);
create table ehr.staff (staff_id int primary key, name text);
create table ehr.visit (visit_id bigint primary key, patient_id int not null, started timestamptz);
create table ehr.note (note_id bigint primary key, patient_id int, written timestamp, status text, body text);
create table ehr.line (visit_id bigint, n int, body text, primary key (visit_id, n));
create table ehr.noise (id bigint generated always as identity, filler text);
alter table ehr.note alter body set storage external;
alter table ehr.line alter body set storage external;`

const wardTables = `
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      given: {tells: name.first, publish: surrogate}
      family: {tells: name.last, publish: surrogate}
      mrn: {tells: mrn}
      born: {tells: birth_date, publish: date_shift}
  ehr.contact:
    patient: patient_id
    columns: {phone: {tells: phone}}
  ehr.staff:
    patient: none
    columns: {name: {tells: provider.name}}
  ehr.visit:
    patient: patient_id
    columns: {visit_id: pseudonym, patient_id: pseudonym, started: date_shift}
  ehr.note:
    patient: patient_id
    columns: {note_id: pseudonym, patient_id: pseudonym, written: date_shift, status: keep, body: text}
  ehr.line:
    patient: {column: visit_id, table: ehr.visit}
    columns: {visit_id: pseudonym, n: keep, body: text}
`

// replication is a pair with the ward, migrated.
type replication struct {
	*pair
	cfg *config.Config
	key *surrogate.Key
	src *pgx.Conn
	dst *pgx.Conn

	slot string
}

func newReplication(t testing.TB, p *pair, more ...string) *replication {
	t.Helper()
	return newReplicationOf(t, p, ward, strings.Join(more, "")+wardTables)
}

// exactly writes the configuration anew without models: the program starts and searches faster where
// a test is not about what is found.
func (r *replication) exactly(t testing.TB) *replication {
	t.Helper()
	file, err := os.ReadFile(r.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	r.cfg = r.config(t, strings.Replace(string(file), "models: fast", "models: none", 1))
	r.cfg.Source.Heartbeat = quickHeartbeat
	return r
}

// quickHeartbeat is for replicators in this process. Files can't name one below a second.
const quickHeartbeat = 500 * time.Millisecond

// newReplicationOf is newReplication with tables of the test's own.
func newReplicationOf(t testing.TB, p *pair, tables, mapped string) *replication {
	t.Helper()
	r := &replication{pair: p, slot: p.name, src: p.onSource(t), dst: p.onReplica(t)}
	do(t, r.src, tables)
	r.cfg = p.config(t, p.settings(t)+"http: \"\"\n"+mapped)
	r.cfg.Source.Heartbeat = quickHeartbeat
	migrateUp(t, r.cfg)
	key, err := surrogate.ReadKey(r.cfg.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	r.key = key
	return r
}

// running is a replicator in this process.
type running struct {
	cancel context.CancelFunc
	group  errgroup.Group
	done   chan struct{}
	err    error
	log    *lockedBuffer
}

func (r *replication) options(t testing.TB, d deid.Detector) (session.Options, *lockedBuffer) {
	t.Helper()
	if d == nil {
		d = realDetector(t)
	}
	log := &lockedBuffer{}
	return session.Options{
		Config: r.cfg, Key: r.key, Detector: d, Version: "test",
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, log
}

// realDetectorOnce opens the members that run without native code.
var realDetectorOnce = sync.OnceValues(func() (*ensemble.Ensemble, error) {
	detector, _, err := models.Fast() // the set is open until the tests end
	return detector, err
})

func realDetector(t testing.TB) deid.Detector {
	t.Helper()
	d, err := realDetectorOnce()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// exactDetector is exact rules and the record alone, which find no name that no record has.
func exactDetector(t testing.TB) deid.Detector {
	t.Helper()
	d, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run starts a replicator; it is stopped at the end of the test.
func (r *replication) run(t testing.TB, d deid.Detector) *running {
	t.Helper()
	o, _ := r.options(t, d)
	return r.runWith(t, o)
}

// runWith is run with options of the test's own.
func (r *replication) runWith(t testing.TB, o session.Options) *running {
	t.Helper()
	log := &lockedBuffer{}
	o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	run := &running{cancel: cancel, done: make(chan struct{}), log: log}
	run.group.Go(func() error {
		defer close(run.done)
		run.err = replicator.Run(ctx, o)
		return nil
	})
	t.Cleanup(func() {
		run.stop(t)
		if t.Failed() {
			t.Logf("log of the replicator:\n%s", tail(log.String(), 60))
		}
	})
	return run
}

// stop ends the replicator in order.
func (r *running) stop(t testing.TB) {
	t.Helper()
	r.cancel()
	select {
	case <-r.done:
	case <-time.After(patience):
		t.Fatal("the replicator did not end")
	}
	if r.err != nil {
		t.Errorf("the replicator ended with: %v", r.err)
		r.err = nil
	}
}

// fails waits for the replicator to end with an error and returns it.
func (r *running) fails(t *testing.T) error {
	t.Helper()
	select {
	case <-r.done:
	case <-time.After(patience):
		t.Fatal("the replicator did not end")
	}
	err := r.err
	r.err = nil
	if err == nil {
		t.Fatal("the replicator ended without an error")
	}
	return err
}

// caughtUp waits until the replica has applied everything that the source has
// written so far.
func (r *replication) caughtUp(t testing.TB) {
	t.Helper()
	var lsn string
	if err := r.src.QueryRow(t.Context(), "select pg_current_wal_insert_lsn()::text").Scan(&lsn); err != nil {
		t.Fatal(err)
	}
	// A transaction comes after it, whose end is stored as soon as the stream has passed it.
	do(t, r.src, "select pg_logical_emit_message(true, 'test', 'go on')")
	eventually(t, "the replica catches up", func() bool {
		return one(t, r.dst, `select (coalesce((select bool_and(lsn >= $1::text::pg_lsn) from deid.progress), false)
			and not exists (select from deid.snapshot
				where not done or to_regclass(format('%I.%I', 'deid_rows', table_name)) is not null and format('%I.%I', 'deid_rows', table_name) not in (select place from deid.row_order))
			and not exists (select from deid.requeue) and not exists (select from deid.requeue_path))::text`, lsn) == "true"
	})
}

// streaming waits until somebody streams from the slot.
func (r *replication) streaming(t testing.TB) {
	t.Helper()
	eventually(t, "the stream begins", func() bool {
		return count(t, r.src, "pg_replication_slots s join pg_stat_replication r on r.pid = s.active_pid "+
			"where r.state = 'streaming' and s.slot_name = '"+r.slot+"'") == "1"
	})
}

func count(t testing.TB, conn *pgx.Conn, from string) string {
	t.Helper()
	return texts(t, conn, "select count(*)::text from "+from)[0]
}

// one returns the only value of a query.
func one(t testing.TB, conn *pgx.Conn, query string, args ...any) string {
	t.Helper()
	got := texts(t, conn, query, args...)
	if len(got) != 1 {
		t.Fatalf("%d rows from %s", len(got), query)
	}
	return got[0]
}

// want checks the only value of a query.
func want(t *testing.T, conn *pgx.Conn, expected, query string, args ...any) {
	t.Helper()
	if got := one(t, conn, query, args...); got != expected {
		t.Errorf("%s:\n got %q\nwant %q", query, got, expected)
	}
}

func (r *replication) patient(id int64) string {
	return fmt.Sprint(r.key.PseudonymInt("patient", id))
}

// shift returns the number of days by which the dates of a patient move.
func (r *replication) shift(t testing.TB, id int64) int {
	t.Helper()
	maker, err := surrogate.New(r.key, r.cfg.Surrogates)
	if err != nil {
		t.Fatal(err)
	}
	return maker.Shift(r.patient(id))
}
func (r *replication) note(id int64) string { return fmt.Sprint(r.key.PseudonymInt("note_id", id)) }

// body returns the published text of a note.
func (r *replication) body(t testing.TB, id int64) string {
	t.Helper()
	return one(t, r.dst, "select body from ehr.note where note_id = $1::text::bigint", r.note(id))
}

// detectorFunc makes a detector of a function.
type detectorFunc func(context.Context, *ensemble.Note) ([]phi.Span, error)

func (f detectorFunc) Detect(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
	return f(ctx, n)
}

// moody behaves as the texts tell it, and otherwise as the real one.
func moody(t *testing.T) deid.Detector {
	t.Helper()
	inner := realDetector(t)
	return detectorFunc(func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		switch {
		case strings.Contains(n.Text, "FAIL"):
			return nil, errors.New("no mood")
		case strings.Contains(n.Text, "PANIC"):
			panic("mood: " + n.Text)
		case strings.Contains(n.Text, "HANG"):
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return inner.Detect(ctx, n)
	})
}

// lockedBuffer is a log that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// sleepy is a detector that takes its time for texts with SLOW in them.
func sleepy(inner deid.Detector, d time.Duration) detectorFunc {
	return func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		if strings.Contains(n.Text, "SLOW") {
			select {
			case <-time.After(d):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return inner.Detect(ctx, n)
	}
}

// alsoFinds is a detector that takes one word for a patient's name, besides.
func alsoFinds(inner deid.Detector, word string) detectorFunc {
	return func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		spans, err := inner.Detect(ctx, n)
		if at := strings.Index(n.Text, word); err == nil && at >= 0 {
			spans = append(spans, phi.Span{Start: at, End: at + len(word), Type: phi.Patient})
		}
		return spans, err
	}
}
