package detector

import (
	"context"
	"crypto/tls"
	"log/slog"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// HelloOf returns what this process compares with detection workers.
func HelloOf(version string, networks *onnx.Runtime) remote.Hello {
	return remote.Hello{Version: version, Runtime: networks.Version(), Networks: networks.Networks(), Cores: runtime.GOMAXPROCS(0)}
}

// NewPool returns the workers of a configuration, for the networks of this process.
func NewPool(version string, w *config.Workers, networks *onnx.Runtime) *remote.Pool {
	return remote.NewPool(remote.Options{
		Addresses: w.Addresses, Hello: HelloOf(version, networks), Sender: networks, Log: slog.Default(),
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
	pool := NewPool(o.Version, w, networks)
	o.Metrics.Add(pool.Metrics())
	work, cancel := context.WithCancel(context.WithoutCancel(ctx)) // what was read is finished with them
	var g errgroup.Group
	g.Go(func() error { pool.Run(work); return nil })
	err := do(o)
	cancel()
	_ = g.Wait() // it never fails
	return err
}
