package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql"
)

// helloOf returns what this process compares with detection workers.
func helloOf(networks *onnx.Runtime) remote.Hello {
	return remote.Hello{Version: version, Runtime: networks.Version(), Networks: networks.Networks(), Cores: runtime.GOMAXPROCS(0)}
}

// newPool returns the workers of a configuration, for the networks of this process.
func newPool(w *config.Workers, networks *onnx.Runtime) *remote.Pool {
	return remote.NewPool(remote.Options{
		Addresses: w.Addresses, Hello: helloOf(networks), Sender: networks, Log: slog.Default(),
		Secured: func() (*tls.Config, error) {
			if err := config.CheckPassword(w.Certificate.KeyFile); err != nil {
				return nil, err
			}
			return w.Certificate.Client()
		},
	})
}

// withWorkers calls do while the configuration's detection workers run networks besides this process.
func withWorkers(ctx context.Context, set *models.Set, o session.Options, do func(session.Options) error) error {
	w, networks := &o.Config.Detect.Workers, set.Runtime()
	switch {
	case len(w.Addresses) == 0:
		return do(o)
	case networks == nil:
		slog.Warn("detect.workers has nothing to do: detect.models has no networks")
		return do(o)
	}
	pool := newPool(w, networks)
	o.Metrics.Add(pool.Metrics())
	work, cancel := context.WithCancel(context.WithoutCancel(ctx)) // what was read is finished with them
	var g errgroup.Group
	g.Go(func() error { pool.Run(work); return nil })
	err := do(o)
	cancel()
	_ = g.Wait() // it never fails
	return err
}

// workerFindings asks every detection worker once.
func workerFindings(ctx context.Context, w *config.Workers, set *models.Set) (fs sql.Findings) {
	if len(w.Addresses) == 0 {
		return nil
	}
	if set.Runtime() == nil {
		return sql.Findings{{
			Level: sql.Warning, Subject: "detect.workers", Text: "there is nothing to do for workers: detect.models has no networks",
			Remedy: "take workers out, or say models: default",
		}}
	}
	found := newPool(w, set.Runtime()).Check(ctx)
	for _, address := range slices.Sorted(slices.Values(w.Addresses)) {
		fs = append(fs, workerFinding(address, found[address]))
	}
	return fs
}

// workerFinding says whether a worker works. The stream goes on without it, but for one that must not work something is to be done.
func workerFinding(address string, err error) sql.Finding {
	f := sql.Finding{Level: sql.OK, Subject: "detection worker " + address, Text: "has the same version and networks, and finds the same"}
	if err == nil {
		return f
	}
	f.Level, f.Text, f.Remedy = sql.Warning, err.Error(), "start 'pgdeid work --detect' there, and see its log; without it this machine does its share"
	if hint := fault.Hint(err); hint != "" {
		f.Remedy = hint
	}
	var other *remote.Mismatch
	if errors.As(err, &other) {
		f.Level, f.Text, f.Remedy = sql.Problem, "is refused: "+err.Error(), other.Hint()
	}
	return f
}
