package itest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// shared is what all tests use: two servers, their templates and a folder that goes away at
// the end. It is set once, before the first test.
var shared struct {
	dir             string
	source, replica *sandbox.Server
	templates       [2]*sandbox.Template // two, since system identifiers differ
}

// parallel is how many tests run at a time where the command line doesn't say: they wait for
// servers half of their time. More would take from each other what their patience counts on.
const parallel = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", parallel); err != nil {
			panic(err)
		}
	}
	code, err := runWithServers(m)
	if err != nil {
		fmt.Fprintf(os.Stderr, "itest: %v\nhint: %s\n", err, fault.Hint(err))
		os.Exit(1)
	}
	os.Exit(code)
}

func runWithServers(m *testing.M) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if shared.dir, err = sandbox.MkdirTemp("pgdeid-itest-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(shared.dir)) }()
	settings := sandbox.FastSettings()
	maps.Copy(settings, map[string]string{"max_connections": "300", "max_replication_slots": "50", "max_wal_senders": "50"})
	for i := range shared.templates {
		dir := filepath.Join(shared.dir, fmt.Sprint("template-", i))
		if shared.templates[i], err = sandbox.NewTemplate(ctx, dir, sandbox.Options{Settings: settings}); err != nil {
			return 1, err
		}
	}
	if shared.source, shared.replica, err = startTwo(ctx, shared.dir); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, shared.source.Kill(), shared.replica.Kill()) }()
	for _, s := range []*sandbox.Server{shared.source, shared.replica} {
		if err := makeRoles(ctx, s); err != nil {
			return 1, err
		}
	}
	return m.Run(), nil
}

// makeRoles makes pgdeid's roles on a shared server, without a limit on connections, and has something
// depend on them, so that no test's "migrate down" drops what the others use.
func makeRoles(ctx context.Context, s *sandbox.Server) error {
	conn, err := s.Conn(ctx, "postgres")
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `
		create role pgdeid_replication login noinherit replication; create role pgdeid_reader login noinherit;
		create role pgdeid_service login noinherit; create role pgdeid_analyst;
		create role pgdeid_engine; create role pgdeid_pull; create role pgdeid_ask; create role pgdeid_preview;
		create schema in_use;
		grant usage on schema in_use to pgdeid_replication, pgdeid_reader, pgdeid_service, pgdeid_analyst,
			pgdeid_engine, pgdeid_pull, pgdeid_ask, pgdeid_preview`, pgx.QueryExecModeSimpleProtocol)
	return errors.Join(err, conn.Close(ctx))
}

// startTwo starts a source and a replica below dir.
func startTwo(ctx context.Context, dir string) (source, replica *sandbox.Server, err error) {
	source, err = shared.templates[0].Start(ctx, filepath.Join(dir, "source"))
	if err != nil {
		return nil, nil, err
	}
	replica, err = shared.templates[1].Start(ctx, filepath.Join(dir, "replica"))
	if err != nil {
		return nil, nil, errors.Join(err, source.Kill())
	}
	return source, replica, nil
}
