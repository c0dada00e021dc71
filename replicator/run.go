package replicator

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pglogrepl"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Options are what a run needs. Config, Key and Detector are required.
type Options struct {
	Config   *config.Config
	Key      *surrogate.Key
	Detector Detector
	Version  string           // of the program, stored with each text
	Models   string           // identifies the neural members: notes made by others are out of date
	Grace    time.Duration    // how long what was read may take after the context is done; default 20 s
	Log      *slog.Logger     // default: slog.Default()
	Metrics  *Metrics         // default: new ones
	Now      func() time.Time // the clock; default time.Now
	// Snapshot is told how the first copy advances, if not nil.
	Snapshot func(SnapshotProgress)
}

// settings returns what de-identification needs of o.
func (o *Options) settings() *settings {
	return &settings{
		Config: o.Config, Key: o.Key, Detector: o.Detector, Version: o.Version, Models: o.Models, Now: o.Now, Log: o.Log, Metrics: o.Metrics,
	}
}

func (o Options) withDefaults() (Options, error) {
	if o.Config == nil || o.Key == nil || o.Detector == nil {
		return o, errors.New("config, key and detector are required")
	}
	if o.Grace == 0 {
		o.Grace = 20 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return o, nil
}

// run is a session that copies and streams.
type run struct {
	*session
	health  *health
	applied atomic.Uint64
	named   map[string]bool  // columns that the log has named as new
	restart pglogrepl.LSN    // of the slot at the last heartbeat
	busy    []orderedPlace   // what is to be put in order once nobody reads it
	members *sql.Publication // how the tables were published when they were last compared
}

// Run replicates until ctx is done: the first copy, if it is not complete, then
// the stream. When ctx is done, what was read is finished and confirmed within
// the grace period. After errors that may go away by themselves it connects
// again and goes on from the position that the replica holds; other errors end it.
func Run(ctx context.Context, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	h := newHealth(&o)
	work, cancel := graceful(ctx, o.Grace)
	defer cancel()
	g, work := errgroup.WithContext(work)
	if o.Config.HTTP != "" {
		g.Go(func() error { return h.serve(ctx, work) })
	}
	g.Go(func() error {
		defer cancel()
		return repeat(work, ctx, &o, h, func(r *run) error { return r.replicate(work, ctx) })
	})
	return g.Wait()
}

// graceful returns a context that is done a while after ctx.
func graceful(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, cancel)
		context.AfterFunc(work, func() { timer.Stop() })
	})
	return work, func() { stop(); cancel() }
}

// repeat opens a session and calls do with it, again and again while the errors
// may go away by themselves. The first connection has to succeed: until then an
// error is more likely a wrong setting.
func repeat(ctx, stop context.Context, o *Options, h *health, do func(*run) error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 100*time.Millisecond, 15*time.Second
	connected := false
	for {
		start := time.Now()
		s, err := newSession(ctx, o)
		if err == nil {
			connected = true
			err = guarded(s.log, "the session", func() error { return do(&run{session: s, health: h, named: map[string]bool{}}) })()
			s.close()
		}
		h.session(err)
		if err == nil || stop.Err() != nil && errors.Is(err, context.Canceled) {
			return nil
		}
		if !transient(err) || !connected {
			return err
		}
		if time.Since(start) > time.Minute {
			wait.Reset()
		}
		o.Metrics.restarts.Inc()
		pause := wait.NextBackOff()
		o.Log.Warn("interrupted; trying again", "error", err, "hint", advice(err), "in", pause.Round(time.Millisecond))
		select {
		case <-stop.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// advice says what a person can do about an error that may go away by itself.
func advice(err error) string {
	switch fault.State(err) {
	case "53100":
		return "the disk of that server is full: make room, and it goes on by itself"
	case "53200":
		return "that server is out of memory"
	case "53300":
		return "raise max_connections of that server, or the role's connection limit"
	case "55006":
		return "another process streams from the slot, or one that died is not noticed yet"
	}
	return fault.Hint(err)
}
