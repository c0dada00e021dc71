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
	"github.com/pgdeid/pgdeid/replicator/source"
)

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
func (r *run) follow(ctx, stop context.Context, at *progress) error {
	conn, err := connect.Replication(ctx, r.cfg)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	w, err := r.newWriter(ctx)
	if err != nil {
		return err
	}
	look, err := r.newLookups(ctx)
	if err != nil {
		return err
	}
	// The first copy may have taken long, and the stream brings nothing from before it.
	if err := look.refreshDirectory(ctx); err != nil {
		return err
	}
	if err := r.keep(ctx, r.reg.site.Load()); err != nil {
		return err
	}
	pass, err := loadPass(ctx, r.control, r.reg)
	if err != nil {
		return err
	}
	timeout, err := senderTimeout(ctx, r.source)
	if err != nil {
		return err
	}
	r.applied.Store(uint64(at.lsn))
	p := newPipeline(r.deid, r.workers(), r.cfg.Limits.QueueBytes)
	copies, err := r.coverages(ctx)
	if err != nil {
		return err
	}
	sink := &changes{decode: newDecoder(r.plan, r.log, r.metrics.dropped.Inc), copies: copies, put: p.put}
	s := r.newStream(conn, sink, at.lsn)
	if err := s.Start(ctx, r.cfg.Source.Slot, r.cfg.Source.Publication); err != nil {
		return err
	}
	r.log.Info("following the stream", "slot", r.cfg.Source.Slot, "from", at.lsn)
	r.health.streaming(true)
	defer r.health.streaming(false)
	c := r.newCommitter(w, p)
	c.pos = position{lsn: at.lsn} // what is rewritten before the stream brings anything is stored with it
	c.rewrites, c.asks, c.stale, c.kept = make(chan *rewrite), make(chan struct{}, 1), &pass.stale, r.reg.site.Load()
	lookAgain, err := r.newLookups(ctx)
	if err != nil {
		return err
	}
	again := newRewriter(r.newResolver(lookAgain, true), p, c, pass)
	return r.stream(ctx, stop, s, p, r.newResolver(look, false), c, again, timeout)
}

func (r *run) newStream(conn *pgconn.PgConn, sink source.Sink, from pglogrepl.LSN) *source.Stream {
	return source.NewStream(source.Options{
		Conn: conn, Sink: sink, From: from, IdleGap: min(r.cfg.Source.Heartbeat, idleGap),
		Applied: &r.applied, Heard: &r.health.lastMessage,
	})
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
func (r *run) stream(ctx, stop context.Context, s *source.Stream, p *pipeline, res *resolver, c *committer, again *rewriter, timeout time.Duration) error {
	releaser, err := r.newReleaser(ctx)
	if err != nil {
		return err
	}
	var orderer *writer
	if len(r.busy) > 0 {
		if orderer, err = r.newReleaser(ctx); err != nil {
			return err
		}
	}
	g, group := errgroup.WithContext(ctx)
	side, endSide := context.WithCancel(group)
	defer endSide()
	ended := make(chan struct{})
	tick, silence := pace(timeout)
	g.Go(guarded(r.log, "the receiver", func() error { return s.Receive(group, stop, ended, tick, silence) }))
	g.Go(guarded(r.log, "the decoder", func() error {
		defer close(p.in)
		return s.Decode(group)
	}))
	g.Go(func() error { return p.run(group, res) })
	g.Go(guarded(r.log, "the rewriter", func() error { return again.run(side) }))
	g.Go(guarded(r.log, "the heartbeat", func() error { return r.heartbeat(side) }))
	g.Go(guarded(r.log, "the releases", func() error { return r.releases(side, releaser) }))
	g.Go(guarded(r.log, "the order of rows", func() error { return r.orderBusy(side, orderer) }))
	g.Go(guarded(r.log, "the committer", func() error {
		err := c.run(group)
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
