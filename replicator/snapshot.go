package replicator

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
)

// The first copy.
//
// The slot's creation exports a snapshot of the source at the consistent point,
// and the stream will start exactly there. Tables are read in pages by primary
// key; each page's last key is stored (sealed) in the transaction of its rows.
//
// After a crash the snapshot is gone. The pages that are missing are then read
// with a new, later snapshot, and the stream still starts at the consistent
// point. There is no gap: a row is either on a page, as it was when that was read,
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

// copyState is a row of deid.snapshot.
type copyState struct {
	table *table
	after []string
	rows  int64
}

// missing returns the tables whose copy is not complete.
func (r *run) missing(ctx context.Context) ([]copyState, error) {
	const op = "read how far the first copy has come"
	rows, err := r.control.Query(ctx, `select table_name, last_key, rows from deid.snapshot where slot = $1 and not done order by table_name`,
		r.cfg.Source.Slot)
	if err != nil {
		return nil, fault.New(op, lost(r.control, err), "")
	}
	var list []copyState
	var name string
	var sealed []byte
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&name, &sealed, &n}, func() error {
		c := copyState{table: r.plan.byID[name], rows: n}
		if c.table == nil {
			return nil
		}
		if sealed != nil {
			if c.after, err = r.openKey("cursor "+name, sealed); err != nil {
				return err
			}
		}
		list = append(list, c)
		return nil
	})
	return list, fault.New(op, lost(r.control, err), "")
}

// copyAll copies what is missing, in the exported snapshot if there is one.
func (r *run) copyAll(ctx, stop context.Context, snapshot string) error {
	list, err := r.missing(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	r.health.copying()
	defer r.closeFrom(len(r.conns)) // the stream opens its own
	conn, err := r.openSource(ctx, mapping.Service)
	if err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fault.New("begin the first copy", lost(conn, err), "")
	}
	defer rollback(tx)
	if snapshot != "" {
		if _, err := tx.Exec(ctx, "set transaction snapshot "+literal(snapshot)); err != nil {
			return fault.New("use the slot's snapshot", err, "")
		}
	}
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
	if err := r.keep(ctx, r.site.Load()); err != nil {
		return err
	}
	for _, c := range list {
		if err := r.copyTable(ctx, stop, conn, c, w, look); err != nil || stop.Err() != nil {
			return err
		}
	}
	r.log.Info("first copy complete")
	return nil
}

// copyTable copies one table from where its copy stands.
func (r *run) copyTable(ctx, stop context.Context, conn *pgx.Conn, c copyState, w *writer, look *lookups) error {
	clean, err := r.startTable(ctx, conn, c, w, look)
	if err != nil {
		return err
	}
	p := newPipeline(r.shared, r.workers(), r.cfg.Limits.QueueBytes)
	com := r.newCommitter(w, p)
	estimate := r.estimate(ctx, c.table)
	com.notify = func(at position) {
		c.rows += at.cursor.rows
		if r.opts.Snapshot != nil {
			r.opts.Snapshot(SnapshotProgress{Table: c.table.id, Rows: c.rows, Estimate: estimate, Done: at.cursor.done})
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(p.in)
		return readPages(ctx, stop, conn, c, p.put)
	})
	g.Go(func() error { return p.run(ctx, &resolver{lookups: look, compare: !clean}) })
	g.Go(func() error { return com.run(ctx) })
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
		sql := fmt.Sprintf("select %s from %s t0 %s order by %s limit %d", t.columnList(), t.source(), where, t.keyList(), pageRows)
		n := int64(0)
		err := queryText(ctx, conn, sql, func(raw [][]byte) error {
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
		sealed = c.sealKey("cursor "+at.table.id, at.key)
	}
	_, err := tx.Exec(ctx, `update deid.snapshot set last_key = $3, rows = rows + $4, done = $5 where slot = $1 and table_name = $2`,
		c.slot, at.table.id, sealed, at.rows, at.done)
	return fault.New("store how far the first copy has come", lost(c.conn, err), "")
}

func (r *run) estimate(ctx context.Context, t *table) int64 {
	var n float64
	if err := r.source.QueryRow(ctx, "select reltuples from pg_class where oid = $1::regclass", t.source()).Scan(&n); err != nil || n < 0 {
		return 0
	}
	return int64(n)
}
