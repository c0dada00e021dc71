package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/sql"
)

// The first copy.
//
// The slot's creation exports a snapshot of the source at the consistent point,
// and the stream will start exactly there. Tables are read in pages by primary
// key; each page's last key is stored (sealed) in the transaction of its rows.
//
// After a crash the snapshot is gone. The pages that are missing are then read
// with a new, later snapshot, and the stream still starts at the consistent
// point. (Tables that are copied from the beginning with a later snapshot remember
// which transactions it sees: covered.go.) There is no gap: a row is either on a page, as it was when that was read,
// or was changed after the consistent point and is in the stream. And there is no
// overlap that matters: what the stream says of the time before a page was read
// writes an older version over the newer one, and then every later change in
// order, the last of which is what the page had. Writes by key can be repeated.

// cursor is a position within the copy of a table.
type cursor struct {
	table *table
	key   []string // of the last row; nil if there was none
	rows  int64    // since the cursor before
	done  bool
}

// SnapshotProgress tells how the first copy advances.
type SnapshotProgress struct {
	Table    string
	Rows     int64 // copied so far
	Estimate int64 // of all rows, from the source's statistics; 0 if unknown
	Done     bool
}

// Snapshot makes the first copy, or what is missing of it, and returns. With
// resync it starts over: a new slot, a copy of everything, and rows that the
// source does not have any more are deleted.
func Snapshot(ctx context.Context, o Options, resync bool) error {
	o, err := o.withDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	first := resync
	err = repeat(ctx, ctx, &o, newHealth(&o), func(r *run) error {
		if first {
			if err := r.startOver(ctx); err != nil {
				return err
			}
			first = false
		}
		_, err := r.prepare(ctx, ctx)
		return err
	})
	if err == nil {
		err = fault.New("copy", ctx.Err(), "run 'pgdeid snapshot' again: it goes on where it stopped")
	}
	return err
}

// CopyAgain copies tables again ("schema.name") that are complete, as they are at the
// source now: rows that are missing or differ are written, and those that the source
// does not have are deleted. Slot and position stay. Where another process follows
// the stream, that one does it, beginning with its next heartbeat.
func CopyAgain(ctx context.Context, o Options, tables []string) error {
	o, err := o.withDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	asked := false
	return repeat(ctx, ctx, &o, newHealth(&o), func(r *run) error {
		if !asked {
			if err := r.markForCopy(ctx, tables); err != nil {
				return err
			}
			asked = true
		}
		_, err := r.prepare(ctx, ctx)
		if errors.Is(err, errNotAlone) {
			o.Log.Info("the process that follows the stream copies the tables", "tables", tables)
			return nil
		}
		return err
	})
}

// markForCopy asks for copies, durably.
func (r *run) markForCopy(ctx context.Context, tables []string) error {
	const op = "copy tables again"
	at, err := loadProgress(ctx, r.control, r.cfg.Source.Slot)
	if err != nil {
		return err
	}
	if at == nil {
		return fault.New(op, errors.New("nothing was copied yet"), "run 'pgdeid snapshot'")
	}
	for _, name := range tables {
		if t := r.plan.byID[name]; t == nil || len(t.publish) == 0 {
			return fault.New(op, fmt.Errorf("table %q is not published by the mapping", name), "write schema.table, as in the mapping")
		}
	}
	batch := &pgx.Batch{}
	sql.QueueCopyAgain(batch, r.cfg.Source.Slot, tables, "somebody asked for it")
	return fault.New(op, connect.Lost(r.control, r.control.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'")
}

// copyState is a row of deid.snapshot.
type copyState struct {
	table *table
	after []string
	rows  int64
	again string // why it is copied again, or ""
}

// missing returns the tables whose copy is not complete.
func (r *run) missing(ctx context.Context) ([]copyState, error) {
	const op = "read how far the first copy has come"
	rows, err := r.control.Query(ctx, `
		select table_name, last_key, rows, coalesce(again, '') from deid.snapshot where slot = $1 and not done order by table_name`,
		r.cfg.Source.Slot)
	if err != nil {
		return nil, fault.New(op, connect.Lost(r.control, err), "")
	}
	var list []copyState
	var name, again string
	var sealed []byte
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&name, &sealed, &n, &again}, func() error {
		c := copyState{table: r.plan.byID[name], rows: n, again: again}
		if c.table == nil {
			return nil
		}
		if sealed != nil {
			if c.after, err = r.seals.OpenKey("cursor", sealed, name); err != nil {
				return err
			}
		}
		list = append(list, c)
		return nil
	})
	return list, fault.New(op, connect.Lost(r.control, err), "")
}

// copyAll copies what is missing, in the exported snapshot if there is one.
func (r *run) copyAll(ctx, stop context.Context, snapshot string) error {
	list, err := r.missing(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	r.health.copying(stale(list))
	defer r.closeFrom(len(r.conns)) // the stream opens its own
	conn, err := r.openSource(ctx, config.Service)
	if err != nil {
		return err
	}
	tx, err := r.beginCopy(ctx, conn, snapshot)
	if err != nil {
		return err
	}
	defer rollback(tx)
	w, err := r.newWriter(ctx)
	if err != nil {
		return err
	}
	look, err := r.newLookups(ctx)
	if err != nil {
		return err
	}
	// What changed between the start of the session and the slot's consistent point is
	// not in the stream.
	if err := look.refreshDirectory(ctx); err != nil {
		return err
	}
	if err := r.keep(ctx, r.reg.site.Load()); err != nil {
		return err
	}
	for _, c := range list {
		if err := r.copyTable(ctx, stop, conn, c, w, look); err != nil || stop.Err() != nil {
			return err
		}
	}
	r.log.Info("copy complete", "tables", len(list))
	return nil
}

// stale reports whether tables of list were complete before.
func stale(list []copyState) bool {
	return slices.ContainsFunc(list, func(c copyState) bool { return c.again != "" })
}

// beginCopy opens the transaction that tables are read in: in the slot's snapshot
// if it is there, else in a new one that has whatever was being written.
func (r *run) beginCopy(ctx context.Context, conn *pgx.Conn, snapshot string) (pgx.Tx, error) {
	if snapshot == "" {
		if err := r.quiesce(ctx, conn); err != nil {
			return nil, err
		}
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fault.New("begin the copy", connect.Lost(conn, err), "")
	}
	if snapshot == "" {
		err = r.storeCoverage(ctx, tx)
	} else {
		_, err = tx.Exec(ctx, "set transaction snapshot "+source.Literal(snapshot))
		err = fault.New("use the slot's snapshot", err, "")
	}
	if err != nil {
		rollback(tx)
	}
	return tx, err
}

// copyTable copies one table from where its copy stands.
func (r *run) copyTable(ctx, stop context.Context, conn *pgx.Conn, c copyState, w *writer, look *lookups) error {
	clean, err := r.startTable(ctx, conn, c, w, look)
	if err != nil {
		return err
	}
	p := newPipeline(r.deid, r.workers(), r.cfg.Limits.QueueBytes)
	com := r.newCommitter(w, p)
	estimate := r.estimate(ctx, c.table)
	com.notify = func(at position) {
		c.rows += at.cursor.rows
		if r.opts.Snapshot != nil {
			r.opts.Snapshot(SnapshotProgress{Table: c.table.id, Rows: c.rows, Estimate: estimate, Done: at.cursor.done})
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(guarded(r.log, "the reader", func() error {
		defer close(p.in)
		return readPages(ctx, stop, conn, c, p.put)
	}))
	g.Go(func() error { return p.run(ctx, r.newResolver(look, !clean)) })
	g.Go(guarded(r.log, "the committer", func() error { return com.run(ctx) }))
	return g.Wait()
}

// pageRows is how many rows are read with one query, and end with a cursor.
const pageRows = 500

// readPages reads c's table in pages and puts the rows into the pipeline.
func readPages(ctx, stop context.Context, conn *pgx.Conn, c copyState, put func(context.Context, *item) error) error {
	t := c.table
	for after := c.after; stop.Err() == nil; {
		where, args := "", []any(nil)
		if after != nil {
			where = "where " + t.afterKey(1)
			for _, v := range after {
				args = append(args, v)
			}
		}
		query := fmt.Sprintf("select %s from %s t0 %s order by %s limit %d", t.columnList(), t.source(), where, t.keyList(), pageRows)
		n := int64(0)
		err := queryText(ctx, conn, query, func(raw [][]byte) error {
			row := t.rowOf(raw)
			after, _ = t.keyTexts(row)
			n++
			return put(ctx, rowItem(&change{op: insertOp, table: t, row: row, read: true}))
		}, args...)
		if err != nil {
			return fault.New("copy table "+t.id, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
		}
		done := n < pageRows
		if err := put(ctx, markItem(position{cursor: &cursor{table: t, key: after, rows: n, done: done}})); err != nil || done {
			return err
		}
	}
	return nil
}

// storeCursor stores how far the copy of a table has come, in tx.
func (c *committer) storeCursor(ctx context.Context, tx pgx.Tx, at *cursor) error {
	var sealed []byte
	if at.key != nil {
		sealed = c.seals.SealKey("cursor", at.key, at.table.id)
	}
	_, err := tx.Exec(ctx, `update deid.snapshot set last_key = $3, rows = rows + $4, done = $5,
		again = case when not $5 then again end where slot = $1 and table_name = $2`,
		c.slot, at.table.id, sealed, at.rows, at.done)
	return fault.New("store how far the first copy has come", connect.Lost(c.conn, err), "")
}

func (r *session) estimate(ctx context.Context, t *table) int64 {
	var n float64
	if err := r.source.QueryRow(ctx, "select reltuples from pg_class where oid = $1::regclass", t.source()).Scan(&n); err != nil || n < 0 {
		return 0
	}
	return int64(n)
}
