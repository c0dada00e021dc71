// Package serving runs servers until a command is stopped, and answers for their health.
package serving

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// reloading is a server that reads users and certificate again while it runs.
type reloading interface {
	Serve(ctx context.Context, l net.Listener) error
	Reload() error
}

// Until serves until ctx is done, and reads users and certificate again at SIGHUP.
func Until(ctx context.Context, server reloading, l net.Listener) error {
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	// A second signal terminates the process, as is the default.
	defer context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })()
	work, cancel := context.WithCancel(ctx)
	g := &errgroup.Group{}
	g.Go(func() error {
		defer cancel()
		return server.Serve(ctx, l)
	})
	g.Go(func() error {
		for {
			select {
			case <-work.Done():
				return nil
			case <-again:
				if err := server.Reload(); err != nil {
					slog.Error("users and certificate stay as they are", "error", err)
				} else {
					slog.Info("users and certificate were read again")
				}
			}
		}
	})
	return g.Wait()
}
