package itest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// patience is how long a test waits for what must come. It bounds a hanging test and
// measures nothing.
const patience = 3 * time.Minute

// pair is an empty database on the source's server and one on the replica's, of the
// same name, for one test.
type pair struct {
	source, replica *sandbox.Server
	name            string // of both databases
	dir             string // for configuration, secrets and logs of this test
}

// pairs counts databases, since their names must differ on a shared server.
var pairs atomic.Int64

// newPair makes two empty databases on the shared servers; they go away with the
// test. Roles belong to a server: tests on shared servers see each other's.
func newPair(t testing.TB) *pair {
	t.Helper()
	return newPairOn(t, shared.source, shared.replica)
}

// newOwnPair is newPair on two servers of the test's own, which it may stop, kill and
// restart.
func newOwnPair(t testing.TB) *pair {
	t.Helper()
	dir, err := sandbox.MkdirTemp("pgdeid-itest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	source, replica, err := startTwo(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = source.Kill() })
	t.Cleanup(func() { _ = replica.Kill() })
	return newPairOn(t, source, replica)
}

func newPairOn(t testing.TB, source, replica *sandbox.Server) *pair {
	t.Helper()
	p := &pair{source: source, replica: replica, name: fmt.Sprintf("itest_%d", pairs.Add(1)), dir: t.TempDir()}
	for _, s := range []*sandbox.Server{source, replica} {
		if err := s.CreateDatabase(t.Context(), p.name); err != nil {
			t.Fatal(err)
		}
		if s == shared.source || s == shared.replica {
			t.Cleanup(func() { dropLater(t, s, p.name) })
		}
	}
	return p
}

func dropLater(t testing.TB, s *sandbox.Server, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.DropDatabase(ctx, name); err != nil {
		t.Errorf("clean up: %v", err)
	}
}

// onSource connects the superuser to the source; the connection ends with the test.
func (p *pair) onSource(t testing.TB) *pgx.Conn {
	t.Helper()
	return connect(t, p.source, p.name)
}

// onReplica connects the superuser to the replica; the connection ends with the test.
func (p *pair) onReplica(t testing.TB) *pgx.Conn {
	t.Helper()
	return connect(t, p.replica, p.name)
}

func connect(t testing.TB, s *sandbox.Server, database string) *pgx.Conn {
	t.Helper()
	conn, err := s.Conn(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// file writes a file of the test, readable by its owner only, and returns its path.
func (p *pair) file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// secret writes a server's superuser password into a file and returns its path.
func (p *pair) secret(t testing.TB, s *sandbox.Server) string {
	t.Helper()
	return p.file(t, fmt.Sprintf("password-%d", s.Port()), s.Password()+"\n")
}

// do runs statements (several, divided by semicolons) that must work.
func do(t testing.TB, conn *pgx.Conn, statements string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statements, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
}

// texts returns the one column of a query's rows, as text.
func texts(t testing.TB, conn *pgx.Conn, query string, args ...any) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// eventually asks until the answer is yes, less and less often: asking costs the time of
// those who are waited for.
func eventually(t testing.TB, what string, ask func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for pause := 10 * time.Millisecond; !ask(); pause = min(pause*5/4, 100*time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for: %s", patience, what)
		}
		time.Sleep(pause)
	}
}
