package replicator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/backfill"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Work copies parts of tables that another process has planned, one at a time, until ctx is done;
// what was read then is written within the grace period. There may be any number of such processes.
// Each part is copied in a session of its own, which knows nothing but what the databases hold.
func Work(ctx context.Context, o session.Options) error {
	o, err := o.WithDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	first, err := session.New(ctx, &o) // what can't be worked with is an error at once
	if err != nil {
		return err
	}
	first.Close()
	h := newHealth(&o)
	h.waits()
	work, cancel := graceful(ctx, o.Grace)
	defer cancel()
	pool, err := connect.ReplicaPool(work, o.Config, poolConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	g, work := errgroup.WithContext(work)
	if o.Config.HTTP != "" {
		g.Go(func() error { return h.serve(ctx, work) })
	}
	name := workerName()
	g.Go(func() error {
		defer cancel()
		o.Log.Info("waiting for parts of tables to copy", "worker", name)
		return backfill.Serve(work, ctx, pool, o.Config.Source.Slot, o.Log, func(job context.Context, task backfill.Task) error {
			return doTask(job, ctx, &o, h, name, task)
		})
	})
	return g.Wait()
}

// poolConns is how many connections bring jobs to a process.
const poolConns = 3

func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// How long a process rests before it gives back a part for a reason that goes away by itself, and where the process is
// away that keeps the snapshot.
const (
	laterPause = time.Second
	awayPause  = 5 * time.Second
)

// doTask copies a part, and says whether that is to be tried again.
func doTask(ctx, stop context.Context, o *session.Options, h *health, name string, task backfill.Task) error {
	s, err := session.New(ctx, o)
	if err == nil {
		defer s.Close()
		r := &run{Session: s, health: h, named: map[string]bool{}}
		err = guard.Func(s.Log, "the session", func() error { return r.copyChunk(ctx, stop, task, name) })()
	}
	switch {
	case err == nil && stop.Err() != nil:
		return backfill.ErrLater // there may be more of it
	case err == nil:
		h.waits()
		return nil
	case ctx.Err() != nil:
		return backfill.ErrLater
	}
	h.session(err)
	if !session.Transient(err) && !errors.Is(err, backfill.ErrNoSnapshot) {
		o.Log.Error("a part of a table can't be copied until a person acts; it is tried again", "table", task.Table, "part", task.N,
			"error", err, "hint", session.Advice(err))
		return err
	}
	o.Log.Warn("interrupted; a part of a table is copied later", "table", task.Table, "part", task.N,
		"error", err, "hint", session.Advice(err))
	pause := laterPause
	if errors.Is(err, backfill.ErrNoSnapshot) {
		pause = awayPause
	}
	select {
	case <-time.After(pause):
	case <-stop.Done():
	}
	return backfill.ErrLater
}

// copyChunk copies a part of a table from where its copy has come to, unless another process does.
func (r *run) copyChunk(ctx, stop context.Context, task backfill.Task, name string) error {
	w, look, err := r.open(ctx)
	if err != nil {
		return err
	}
	c, err := backfill.Take(ctx, w.Conn, r.Seals, task, name)
	if err != nil || c == nil {
		return err
	}
	err = r.copyTaken(ctx, stop, w, look, c)
	if !w.Conn.IsClosed() {
		err = errors.Join(err, c.Release(context.WithoutCancel(ctx), w.Conn))
	}
	return err
}

func (r *run) copyTaken(ctx, stop context.Context, w *apply.Writer, look *patient.Lookups, c *backfill.Chunk) error {
	t := r.Plan.ByID[c.Table]
	if t == nil {
		return nil // another mapping's
	}
	r.health.works()
	tx, err := r.borrow(ctx)
	if err != nil {
		return err
	}
	defer apply.Rollback(tx)
	p, com := r.newPipeline(w)
	com.GroupRows = max(com.GroupRows, PageRows)
	com.Hold = min(holdBytes, r.Cfg.Limits.QueueBytes/4)
	read := &pages{
		conn: r.Source, table: t, among: t.Within(c.Part), chunk: c.N, after: c.After, bytes: com.Hold, put: p.Put,
		turn: func(ctx context.Context, rows int64) error { return backfill.Turn(ctx, stop, r.Control, c.Slot, rows) },
	}
	if err := backfill.Turn(ctx, stop, r.Control, c.Slot, 0); err != nil { // it may be a pause
		return err
	}
	err = r.pass(ctx, stop, read, p, com, r.NewResolver(look, c.Compare))
	if err == nil {
		r.Log.Debug("a part of a table is copied", "table", c.Table, "part", c.N)
	}
	return err
}

// holdBytes is how much of a page waits for its end before it is written.
const holdBytes = 4 << 20

// borrow begins a transaction that reads in the snapshot which the process that has the slot keeps.
func (r *run) borrow(ctx context.Context) (pgx.Tx, error) {
	snapshot, err := backfill.Snapshot(ctx, r.Control, r.Cfg.Source.Slot, r.Deid.Made)
	if err != nil {
		return nil, err
	}
	tx, err := r.Source.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fault.New("begin the copy", connect.Lost(r.Source, err), "")
	}
	if _, err = tx.Exec(ctx, "set transaction snapshot "+source.Literal(snapshot)); err == nil {
		return tx, nil
	}
	apply.Rollback(tx)
	if fault.State(err) != "" { // the source does not have it any more
		err = errors.Join(backfill.ErrNoSnapshot, err)
	}
	return nil, fault.New("use the snapshot that is copied", connect.Lost(r.Source, err), "it is tried again")
}

// works and waits say what a process does that copies parts of tables.
func (h *health) works() {
	h.update(func(r *Health) { r.State, r.Why, r.Remedy = metrics.Working, "", "" })
}

func (h *health) waits() {
	h.update(func(r *Health) { r.State, r.Why, r.Remedy = metrics.Waiting, "", "" })
}
