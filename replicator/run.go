package replicator

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pglogrepl"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// run is a session that copies and streams.
type run struct {
	*session.Session
	health  *health
	applied atomic.Uint64
	named   map[string]bool          // columns that the log has named as new
	restart pglogrepl.LSN            // of the slot at the last heartbeat
	busy    []apply.OrderedPlace     // what is to be put in order when it is not being read
	members *publication.Publication // how the tables were published when they were last compared
}

// Run replicates until ctx is done: the first copy, if it is not complete, then
// the stream. When ctx is done, what was read is finished and confirmed within
// the grace period. After errors that may go away by themselves it connects
// again and goes on from the position that the replica holds; other errors end it,
// unless o.Stay is set: then it tries again until a person has acted.
func Run(ctx context.Context, o session.Options) error {
	o, err := o.WithDefaults()
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

// refusedPause is how long a run waits for the person who has to act.
const refusedPause = time.Minute

// repeat opens a session and calls do with it, again and again while the errors
// may go away by themselves. The first connection has to succeed: until then an
// error is more likely a wrong setting.
func repeat(ctx, stop context.Context, o *session.Options, h *health, do func(*run) error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 100*time.Millisecond, 15*time.Second
	connected := false
	for {
		start := time.Now()
		s, err := session.New(ctx, o)
		if err == nil {
			connected = true
			err = guard.Func(s.Log, "the session", func() error { return do(&run{Session: s, health: h, named: map[string]bool{}}) })()
			s.Close()
		}
		if err == nil || stop.Err() != nil && errors.Is(err, context.Canceled) {
			h.session(nil)
			return nil
		}
		h.session(err)
		if !o.Stay && (!connected || !session.Transient(err)) {
			return err
		}
		if time.Since(start) > time.Minute {
			wait.Reset()
		}
		pause := wait.NextBackOff()
		if session.Transient(err) {
			o.Metrics.Restarts.WithLabelValues(string(session.Cause(err))).Inc()
			o.Log.Warn("interrupted; trying again", "error", err, "hint", session.Advice(err), "in", pause.Round(time.Millisecond))
		} else {
			pause = refusedPause
			o.Log.Error("nothing is streamed until a person acts; trying again", "error", err, "hint", session.Advice(err), "in", pause)
		}
		select {
		case <-stop.Done():
			return nil
		case <-time.After(pause):
		}
	}
}
