package itest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// shared is what all tests use: two servers and a folder that goes away at the end.
// It is set once, before the first test.
var shared struct {
	dir             string
	source, replica *sandbox.Server
}

func TestMain(m *testing.M) {
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
	if shared.source, shared.replica, err = startTwo(ctx, shared.dir); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, shared.source.Kill(), shared.replica.Kill()) }()
	return m.Run(), nil
}

// startTwo starts a source and a replica below dir.
func startTwo(ctx context.Context, dir string) (source, replica *sandbox.Server, err error) {
	settings := sandbox.FastSettings()
	source, err = sandbox.Start(ctx, filepath.Join(dir, "source"), sandbox.Options{Settings: settings})
	if err != nil {
		return nil, nil, err
	}
	replica, err = sandbox.Start(ctx, filepath.Join(dir, "replica"), sandbox.Options{Settings: settings})
	if err != nil {
		return nil, nil, errors.Join(err, source.Kill())
	}
	return source, replica, nil
}
