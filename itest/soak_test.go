package itest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// soak is a ward that is changed all the time while servers, paths and processes fail.
type soak struct {
	*replication

	storm           storm
	rnd             *rand.Rand // of the faults: the storm's belongs to the writer
	file            string     // the configuration, through both paths
	addr            string     // of health and metrics
	source, replica *proxy
	start           time.Time
	changes, notes  int   // that were made, that came in
	extra           []int // notes that came in and are there

	mu      sync.Mutex
	running *daemon
	samples []soakSample
}

// soakTime returns how long a soak takes, from the environment.
func soakTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("PGDEID_SOAK")
	if text == "" {
		t.Skip("'make soak' runs it, for SOAK_TIME")
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Minute {
		t.Fatalf("PGDEID_SOAK is %q, want a time of a minute or more, such as 1h", text)
	}
	return d
}

// Under changes of all kinds, with servers that crash, paths that break or swallow everything and, in the first
// third of the time, processes that are killed, memory stays flat, the slot holds back no more and no more,
// and what the replica has in the end is what a fresh copy has.
func TestSoak(t *testing.T) {
	d := soakTime(t)
	const mapped = merges + excludeRefused + wardTables
	s := &soak{
		replication: newReplicationOf(t, newOwnPair(t), ward+optOuts+mergeTable, mapped).exactly(t), rnd: rand.New(rand.NewPCG(2, 9)),
		storm: storm{stormWard: oneNumber, rnd: rand.New(rand.NewPCG(11, 3)), patients: 400, notes: 10_000, visits: 1000},
	}
	s.storm.begin(t, s.src)
	s.throughPaths(t)
	s.launch(t)
	s.streaming(t)
	s.start = time.Now()
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	var g errgroup.Group
	g.Go(func() error { s.write(ctx); return nil })
	g.Go(func() error { s.watch(ctx); return nil })
	faults := s.fail(ctx, t, d)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	s.src, s.dst = s.onSource(t), s.onReplica(t)
	s.streaming(t)
	s.caughtUp(t)
	s.confirmed(t)
	if code := s.running.terminate(t); code != 0 {
		t.Errorf("exit status %d after SIGTERM", code)
	}
	f := figuresOf(s.samples)
	t.Logf("%s: %d changes, %d notes more; %v", d, s.changes, s.notes, faults)
	t.Log(f)
	for _, problem := range f.problems() {
		t.Error(problem)
	}
	s.compareWithCopy(t, mapped)
}

// throughPaths writes the configuration again, with both databases behind paths that can be cut, and with metrics.
func (s *soak) throughPaths(t *testing.T) {
	t.Helper()
	file, err := os.ReadFile(s.cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	lead := func(dsn string, server *sandbox.Server) *proxy {
		other, path := through(t, dsn, server)
		text = strings.Replace(text, " "+dsn+"\n", " "+other+"\n", 1)
		return path
	}
	s.addr = ownAddress(t)
	text = strings.Replace(text, "http: \"\"\n", "http: "+s.addr+"\n", 1)
	s.source, s.replica = lead(s.cfg.Source.DSN, s.pair.source), lead(s.cfg.Replica.DSN, s.pair.replica)
	s.file = s.pair.file(t, "soak.yaml", text)
}

func (s *soak) launch(t *testing.T) {
	t.Helper()
	d := startPgdeid(t, nil, "run", "--config", s.file)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = d
}

// write changes the source until ctx is done, some four changes a second. What a crash of the source
// leaves undone is not tried again.
func (s *soak) write(ctx context.Context) {
	var conn *pgx.Conn
	for ctx.Err() == nil {
		if conn == nil || conn.IsClosed() {
			conn, _ = s.pair.source.Conn(ctx, s.name) // fails while the server is down
		}
		if conn != nil {
			s.oneBatch(ctx, conn)
		}
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	if conn != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
	}
}

// mostExtra is how many notes are there at most besides those of the storm, so that the ward does not grow.
const mostExtra = 2000

// oneBatch makes a change of the storm, and lets notes come and go.
func (s *soak) oneBatch(ctx context.Context, conn *pgx.Conn) {
	s.notes++
	id := s.storm.notes + s.notes
	s.extra = append(s.extra, id)
	change := "begin;" + s.storm.change() + s.bound() +
		fmt.Sprintf("insert into ehr.note values (%d, %s, '2021-03-04', 'new', 'Quarkstein came on 3/7/2021, call 617-555-0142.');", id, s.storm.somebody())
	if len(s.extra) > mostExtra {
		change += fmt.Sprintf("delete from ehr.note where note_id = %d;", s.extra[0])
		s.extra = s.extra[1:]
	}
	if _, err := conn.Exec(ctx, change+"commit", pgx.QueryExecModeSimpleProtocol); err == nil {
		s.changes += 2
	}
}

// bound takes opt-outs and merges back once they are many: an hour of them would leave no patient.
func (s *soak) bound() (statements string) {
	most := s.storm.patients / 10
	if len(s.storm.consents) > most {
		statements += fmt.Sprintf("delete from ehr.consent where consent_id = %d;", s.storm.consents[0])
		s.storm.consents = s.storm.consents[1:]
	}
	if len(s.storm.identities) > most {
		statements += fmt.Sprintf("delete from ehr.identity where id = %d;", s.storm.identities[0])
		s.storm.identities = s.storm.identities[1:]
	}
	return statements
}

// watch takes samples until ctx is done.
func (s *soak) watch(ctx context.Context) {
	for ctx.Err() == nil {
		if sample, ok := s.look(ctx); ok {
			s.samples = append(s.samples, sample)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// look takes a sample; false while a server is down or the process is.
func (s *soak) look(ctx context.Context) (now soakSample, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s.mu.Lock()
	now = soakSample{at: time.Since(s.start), process: s.running.cmd.Process.Pid}
	s.mu.Unlock()
	resident, err := residentMemory(now.process)
	if err != nil {
		return now, false
	}
	now.resident = resident
	if now.heap, now.goroutines, err = ofGo(ctx, s.addr); err != nil {
		return now, false
	}
	var applied string
	if err := queryOnce(ctx, s.pair.replica, s.name, "select coalesce(min(lsn), '0/0')::text from deid.progress", nil, &applied); err != nil {
		return now, false
	}
	err = queryOnce(ctx, s.pair.source, s.name, `
		select (pg_current_wal_insert_lsn() - $1::text::pg_lsn)::float8, (pg_current_wal_insert_lsn() - restart_lsn)::float8
		from pg_replication_slots where slot_name = $2`, []any{applied, s.slot}, &now.lag, &now.retained)
	return now, err == nil
}

func queryOnce(ctx context.Context, server *sandbox.Server, database, query string, args []any, into ...any) error {
	conn, err := server.Conn(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return conn.QueryRow(ctx, query, args...).Scan(into...)
}

// ofGo returns the bytes on the heap of the process whose metrics are at addr, garbage included, and its goroutines.
func ofGo(ctx context.Context, addr string) (heap, goroutines float64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/metrics", nil)
	if err != nil {
		return 0, 0, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, 0, err
	}
	for name, into := range map[string]*float64{"\ngo_memstats_heap_alloc_bytes ": &heap, "\ngo_goroutines ": &goroutines} {
		_, text, _ := strings.Cut(string(body), name)
		if _, err := fmt.Sscan(text, into); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", strings.TrimSpace(name), err)
		}
	}
	return heap, goroutines, nil
}

// residentMemory returns the bytes of memory that a process has now.
func residentMemory(pid int) (float64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0, err
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0, err
	}
	return resident * float64(os.Getpagesize()), nil
}

// confirmed waits until the slot has what the replica has.
func (s *soak) confirmed(t *testing.T) {
	t.Helper()
	eventually(t, "the slot is confirmed", func() bool {
		return one(t, s.src, "select (pg_current_wal_insert_lsn() - confirmed_flush_lsn < 16777216)::text from pg_replication_slots where slot_name = $1", s.slot) == "true"
	})
}

// compareWithCopy compares the replica with one that is copied now.
func (s *soak) compareWithCopy(t *testing.T, mapped string) {
	t.Helper()
	fresh := s.twinOf(t, mapped).exactly(t)
	if got := startPgdeid(t, nil, "snapshot", "--config", fresh.cfg.Path).wait(t); got != 0 {
		t.Fatalf("the fresh copy ended with %d", got)
	}
	rows := s.rows(t)
	compareTwins(t, rows, fresh.rows(t))
	t.Logf("%d rows of the replica are those of a fresh copy", len(rows))
}
