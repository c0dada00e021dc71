package replicator

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/rewrite"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// open opens what a phase of the session writes and looks things up with, and stores the directory as it is now: the phases
// before may have taken long, and what changed meanwhile is not in the stream.
func (r *run) open(ctx context.Context) (*apply.Writer, *patient.Lookups, error) {
	w, err := r.NewWriter(ctx)
	if err != nil {
		return nil, nil, err
	}
	look, err := r.NewLookups(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := look.RefreshDirectory(ctx); err != nil {
		return nil, nil, err
	}
	return w, look, r.keep(ctx, w, r.Reg.Site.Load())
}

// keep stores the directory before anything is made with it, when it is our turn to write: processes that copy
// find all texts there that were made with another one.
func (r *run) keep(ctx context.Context, w *apply.Writer, d *patient.Directory) error {
	if d.Stored {
		return nil
	}
	tx, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer apply.Rollback(tx)
	batch := &pgx.Batch{}
	d.Queue(batch, r.Cfg.Source.Slot)
	if err = tx.SendBatch(ctx, batch).Close(); err == nil {
		err = tx.Commit(ctx)
	}
	return fault.New("store the state of the directory", connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// replicate makes the first copy, if it is not there, and follows the stream until
// stop is done.
func (r *run) replicate(ctx, stop context.Context) error {
	at, err := r.prepare(ctx, stop)
	if err != nil || stop.Err() != nil {
		return err
	}
	return r.follow(ctx, stop, at)
}

// follow streams from a position.
func (r *run) follow(ctx, stop context.Context, at *source.Progress) error {
	conn, err := connect.Replication(ctx, r.Cfg)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	w, look, err := r.open(ctx)
	if err != nil {
		return err
	}
	pass, err := rewrite.LoadPass(ctx, r.Control, r.Reg)
	if err != nil {
		return err
	}
	timeout, err := senderTimeout(ctx, r.Source)
	if err != nil {
		return err
	}
	if w.CopiedUntil, err = walEnd(ctx, r.Source); err != nil {
		return err
	}
	r.applied.Store(uint64(at.LSN))
	p, c := r.newPipeline(w)
	copies, err := r.coverages(ctx)
	if err != nil {
		return err
	}
	sink := &changes{decode: source.NewDecoder(r.Plan, r.Log, r.Metrics.Dropped.Inc), copies: copies, put: p.Put, trace: r.Opts.Trace}
	s := r.newStream(conn, sink, at.LSN)
	if err := s.Start(ctx, r.Cfg.Source.Slot, r.Cfg.Source.Publication); err != nil {
		return err
	}
	r.Log.Info("following the stream", "slot", r.Cfg.Source.Slot, "from", at.LSN)
	r.health.streaming(true)
	defer r.health.streaming(false)
	c.Pos = deid.Position{LSN: at.LSN} // what is rewritten before the stream brings anything is stored with it
	c.Announce = p.Announce
	c.Rewrites, c.Asks, c.Stale, c.Kept = make(chan *apply.Batch), make(chan struct{}, 1), &pass.Stale, r.Reg.Site.Load()
	lookAgain, err := r.NewLookups(ctx)
	if err != nil {
		return err
	}
	again := rewrite.New(r.NewResolver(lookAgain, true), p, c, pass)
	return r.stream(ctx, stop, s, p, r.NewResolver(look, false), c, again, timeout)
}

func (r *run) newStream(conn *pgconn.PgConn, sink source.Sink, from pglogrepl.LSN) *source.Stream {
	return source.NewStream(source.Options{
		Conn: conn, Sink: sink, From: from, IdleGap: min(r.Cfg.Source.Heartbeat, idleGap),
		Applied: &r.applied, Heard: &r.health.lastMessage,
	})
}

// idleGap is the shortest time between two positions that are stored for their
// own sake, without a row.
const idleGap = time.Second

// newPipeline returns a pipeline and the committer behind it, which writes with w.
func (r *run) newPipeline(w *apply.Writer) (*deid.Pipeline, *apply.Committer) {
	p := deid.NewPipeline(r.Deid, r.Workers(), r.Cfg.Limits.QueueBytes)
	return p, &apply.Committer{
		Writer: w, Items: p.Ordered, Written: p.Written, Slot: r.Cfg.Source.Slot, GroupRows: r.Cfg.Limits.GroupRows,
		Linger: r.Cfg.Limits.Linger, Applied: &r.applied,
	}
}

// stream runs the goroutines of a session until the reader ends, and then until
// everything that was read is committed and confirmed.
func (r *run) stream(ctx, stop context.Context, s *source.Stream, p *deid.Pipeline, res *deid.Resolver, c *apply.Committer, again *rewrite.Rewriter, timeout time.Duration) error {
	releaser, err := r.NewWriter(ctx)
	if err != nil {
		return err
	}
	var orderer *apply.Writer
	if len(r.busy) > 0 {
		if orderer, err = r.NewWriter(ctx); err != nil {
			return err
		}
	}
	g, group := errgroup.WithContext(ctx)
	side, endSide := context.WithCancel(group)
	defer endSide()
	ended := make(chan struct{})
	tick, silence := pace(timeout)
	g.Go(guard.Func(r.Log, "the receiver", func() error { return s.Receive(group, stop, ended, tick, silence) }))
	g.Go(guard.Func(r.Log, "the decoder", func() error {
		defer close(p.In)
		return s.Decode(group)
	}))
	g.Go(func() error { return p.Run(group, res) })
	g.Go(guard.Func(r.Log, "the rewriter", func() error { return again.Run(side) }))
	g.Go(guard.Func(r.Log, "the heartbeat", func() error { return r.heartbeat(side) }))
	g.Go(guard.Func(r.Log, "the releases", func() error { return r.releases(side, releaser) }))
	g.Go(guard.Func(r.Log, "the order of rows", func() error { return r.orderBusy(side, orderer) }))
	g.Go(guard.Func(r.Log, "the committer", func() error {
		err := c.Run(group)
		if err == nil {
			close(ended)
			endSide()
		}
		return err
	}))
	err = g.Wait()
	if stop.Err() != nil {
		s.SayGoodbye() // also of what was committed in a grace period that was too short
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
	return time.Duration(ms) * time.Millisecond, fault.New("read wal_sender_timeout of the source", connect.Lost(conn, err), "")
}

// walEnd returns the position that the source writes to next.
func walEnd(ctx context.Context, conn *pgx.Conn) (lsn pglogrepl.LSN, err error) {
	err = conn.QueryRow(ctx, "select pg_current_wal_insert_lsn()").Scan(&lsn)
	return lsn, fault.New("read the end of the source's WAL", connect.Lost(conn, err), "")
}
