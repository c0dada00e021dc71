package replicator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Options are what a run needs. Config, Key and Detector are required.
type Options struct {
	Config   *mapping.Config
	Key      *surrogate.Key
	Detector Detector
	Version  string        // of the program, stored with each text
	Grace    time.Duration // how long what was read may take after the context is done; default 20 s
	Log      *slog.Logger  // default: slog.Default()
	Metrics  *Metrics      // default: new ones
	// Snapshot is told how the first copy advances, if not nil.
	Snapshot func(SnapshotProgress)
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
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return o, nil
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
		return repeat(ctx, work, &o, h, func(r *run) error { return r.replicate(ctx) })
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
func repeat(ctx, work context.Context, o *Options, h *health, do func(*run) error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 100*time.Millisecond, 15*time.Second
	connected := false
	for {
		start := time.Now()
		r, err := newRun(work, o, h)
		if err == nil {
			connected = true
			err = do(r)
			r.close()
		}
		h.session(err)
		if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
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
		case <-ctx.Done():
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

// run is one session: connections, and what was read through them. After an error
// it is thrown away with all its caches.
type run struct {
	*shared
	work    context.Context //nolint:containedctx // the session's own lifetime, not a caller's
	cfg     *mapping.Config
	opts    *Options
	log     *slog.Logger
	health  *health
	source  *pgx.Conn // for looking things up, one goroutine at a time
	control *pgx.Conn // to the replica, likewise
	conns   []interface{ Close(context.Context) error }
	applied atomic.Uint64
}

func newRun(ctx context.Context, o *Options, h *health) (_ *run, err error) {
	r := &run{work: ctx, cfg: o.Config, opts: o, log: o.Log, health: h}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if r.source, err = r.openSource(ctx, mapping.Service); err != nil {
		return nil, err
	}
	if r.control, err = r.openReplica(ctx); err != nil {
		return nil, err
	}
	if err = sql.CheckReplica(ctx, r.control); err != nil {
		return nil, err
	}
	if err = sql.KeyCheck(ctx, r.control, o.Key.Check()); err != nil {
		return nil, err
	}
	maker, err := surrogate.New(o.Key, o.Config.Surrogates)
	if err != nil {
		return nil, fault.New("make surrogates", err, "correct the configuration's surrogates")
	}
	p, err := newPlan(ctx, o.Config, r.source, r.control)
	if err != nil {
		return nil, err
	}
	if r.shared, err = newShared(p, o, maker); err != nil {
		return nil, err
	}
	r.anyAside.Store(true)
	return r, r.storeDetectors(ctx)
}

// storeDetectors names the detectors behind the bits of deid.note_provenance.
func (r *run) storeDetectors(ctx context.Context) error {
	named, ok := r.detector.(interface {
		Names(v ensemble.Votes) []string
	})
	if !ok {
		return nil
	}
	var bits []int16
	var names []string
	for bit := range int16(32) {
		for _, name := range named.Names(1 << bit) {
			bits, names = append(bits, bit), append(names, name)
		}
	}
	_, err := r.control.Exec(ctx, `
		insert into deid.detector (config_hash, bit, name) select $1, * from unnest($2::smallint[], $3::text[])
		on conflict (config_hash, bit) do update set name = excluded.name`, r.plan.hash, bits, names)
	return fault.New("store the names of the detectors", lost(r.control, err), "")
}

func (r *run) openSource(ctx context.Context, login mapping.Login) (*pgx.Conn, error) {
	conn, err := openSource(ctx, r.cfg, login)
	if err == nil {
		r.conns = append(r.conns, conn)
	}
	return conn, err
}

func (r *run) openReplica(ctx context.Context) (*pgx.Conn, error) {
	conn, err := openReplica(ctx, r.cfg)
	if err == nil {
		r.conns = append(r.conns, conn)
	}
	return conn, err
}

func (r *run) close() {
	for _, conn := range r.conns {
		closeConn(conn)
	}
	r.conns = nil
}

// newLookups opens the connections of one goroutine's lookups.
func (r *run) newLookups(ctx context.Context) (l *lookups, err error) {
	l = &lookups{shared: r.shared}
	if l.source, err = r.openSource(ctx, mapping.Service); err != nil {
		return nil, err
	}
	if l.replica, err = r.openReplica(ctx); err != nil {
		return nil, err
	}
	l.tables = l.replica
	if r.cfg.Gazetteers == "direct" {
		l.tables, err = r.openSource(ctx, mapping.Reader)
	}
	return l, err
}

func (r *run) newWriter(ctx context.Context) (*writer, error) {
	look, err := r.newLookups(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := r.openReplica(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{shared: r.shared, conn: conn, look: &resolver{lookups: look, compare: true}, workers: r.workers()}, nil
}

// replicate makes the first copy, if it is not there, and follows the stream until
// stop is done.
func (r *run) replicate(stop context.Context) error {
	at, err := r.prepare(stop)
	if err != nil || stop.Err() != nil {
		return err
	}
	return r.follow(stop, at)
}

// follow streams from a position.
func (r *run) follow(stop context.Context, at *progress) error {
	conn, err := openReplication(r.work, r.cfg)
	if err != nil {
		return err
	}
	defer closeConn(conn)
	w, err := r.newWriter(r.work)
	if err != nil {
		return err
	}
	if err := w.finishLeftOver(r.work); err != nil {
		return err
	}
	look, err := r.newLookups(r.work)
	if err != nil {
		return err
	}
	if err := look.loadSite(r.work); err != nil {
		return err
	}
	timeout, err := senderTimeout(r.work, r.source)
	if err != nil {
		return err
	}
	r.applied.Store(uint64(at.lsn))
	p := newPipeline(r.shared, r.workers(), r.cfg.Limits.QueueBytes)
	s := r.newStream(conn, p, at.lsn)
	if err := s.start(r.work, r.cfg.Source.Slot, r.cfg.Source.Publication); err != nil {
		return err
	}
	r.log.Info("following the stream", "slot", r.cfg.Source.Slot, "from", at.lsn)
	r.health.streaming(true)
	defer r.health.streaming(false)
	return r.stream(stop, s, p, &resolver{lookups: look}, r.newCommitter(w, p), timeout)
}

func (r *run) newStream(conn *pgconn.PgConn, p *pipeline, from pglogrepl.LSN) *stream {
	return &stream{
		conn: conn, decode: newDecoder(r.plan, r.log, r.metrics.dropped.Inc), put: p.put, from: from,
		idleGap: min(r.cfg.Source.Heartbeat, idleGap), applied: &r.applied, lastSeen: &r.health.lastMessage,
		poke: make(chan struct{}, 1),
	}
}

// idleGap is the shortest time between two positions that are stored for their
// own sake, without a row.
const idleGap = time.Second

func (r *run) newCommitter(w *writer, p *pipeline) *committer {
	return &committer{
		writer: w, items: p.ordered, written: p.written, slot: r.cfg.Source.Slot, groupRows: r.cfg.Limits.GroupRows,
		linger: r.cfg.Limits.Linger, applied: &r.applied,
	}
}

// stream runs the goroutines of a session until the reader ends, and then until
// everything that was read is committed and confirmed.
func (r *run) stream(stop context.Context, s *stream, p *pipeline, res *resolver, c *committer, timeout time.Duration) error {
	g, ctx := errgroup.WithContext(r.work)
	side, endSide := context.WithCancel(ctx)
	tick, silence := pace(timeout)
	g.Go(func() error {
		defer close(p.in)
		return s.read(ctx, stop)
	})
	g.Go(func() error { return p.run(ctx, res) })
	g.Go(func() error { return s.report(side, tick, silence) })
	g.Go(func() error { return r.heartbeat(side) })
	g.Go(func() error {
		defer endSide()
		return c.run(ctx)
	})
	err := g.Wait()
	if err == nil {
		err = s.sendStatus(r.work)
	}
	return err
}

// pace returns how often the position is reported, and after how long without an
// answer the source counts as dead.
func pace(timeout time.Duration) (tick, silence time.Duration) {
	if timeout == 0 { // the server never gives up
		return 10 * time.Second, 2 * time.Minute
	}
	tick = min(timeout/3, 10*time.Second)
	return tick, max(2*timeout, 10*time.Second)
}

func senderTimeout(ctx context.Context, conn *pgx.Conn) (time.Duration, error) {
	var ms int64
	err := conn.QueryRow(ctx, `select setting::bigint from pg_settings where name = 'wal_sender_timeout'`).Scan(&ms)
	return time.Duration(ms) * time.Millisecond, fault.New("read wal_sender_timeout of the source", lost(conn, err), "")
}

// heartbeat writes small messages into the source's WAL, so that the position
// moves on a server where nothing else happens, and looks at the slot for the
// health page. It uses the session's own connection to the source.
func (r *run) heartbeat(ctx context.Context) error {
	if r.cfg.Source.Heartbeat <= 0 {
		return nil
	}
	ticker := time.NewTicker(r.cfg.Source.Heartbeat)
	defer ticker.Stop()
	for {
		if err := r.beat(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func (r *run) beat(ctx context.Context) error {
	_, err := r.source.Exec(ctx, `select pg_logical_emit_message(false, 'pgdeid', '')`)
	if err != nil {
		return fault.New("write a heartbeat to the source", lost(r.source, err), "allow the role of source.dsn pg_logical_emit_message")
	}
	slot, err := readSlot(ctx, r.source, r.cfg.Source.Slot)
	if err != nil {
		return err
	}
	if slot == nil {
		return fault.New("look at slot "+r.cfg.Source.Slot, fmt.Errorf("%w: the slot is gone", errConnGone), "")
	}
	r.health.slot(slot)
	return r.measureLag(ctx)
}

func (r *run) measureLag(ctx context.Context) error {
	var end string
	if err := r.source.QueryRow(ctx, `select pg_current_wal_lsn()::text`).Scan(&end); err != nil {
		return fault.New("read the end of the source's WAL", lost(r.source, err), "")
	}
	lsn, err := pglogrepl.ParseLSN(end)
	if err != nil {
		return fault.New("read the end of the source's WAL", err, "")
	}
	lag := int64(lsn) - int64(r.applied.Load()) //nolint:gosec // positions are far from 2^63
	r.metrics.lagBytes.Set(float64(max(lag, 0)))
	r.health.lag(max(lag, 0))
	return nil
}

// workers returns how many goroutines detect.
func (r *run) workers() int {
	if n := r.cfg.Limits.Workers; n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
