package replicator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/backfill"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/sql/publication"
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

// Snapshot makes the first copy, or what is missing of it, and returns. With
// resync it starts over: a new slot, a copy of everything, and rows that the
// source does not have any more are deleted.
func Snapshot(ctx context.Context, o session.Options, resync bool) error {
	o, err := o.WithDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	first := resync
	err = repeat(ctx, ctx, &o, newHealth(&o), func(r *run) error {
		if first {
			if err := r.startOver(ctx, forgetCopies); err != nil {
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
func CopyAgain(ctx context.Context, o session.Options, tables []string) error {
	o, err := o.WithDefaults()
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
		if errors.Is(err, session.ErrNotAlone) {
			o.Log.Info("the process that follows the stream copies the tables", "tables", tables)
			return nil
		}
		return err
	})
}

// markForCopy asks for copies, durably.
func (r *run) markForCopy(ctx context.Context, tables []string) error {
	const op = "copy tables again"
	at, err := source.LoadProgress(ctx, r.Control, r.Cfg.Source.Slot)
	if err != nil {
		return err
	}
	if at == nil {
		return fault.New(op, errors.New("nothing was copied yet"), "run 'pgdeid snapshot'")
	}
	for _, name := range tables {
		if t := r.Plan.ByID[name]; t == nil || !t.IsCopied() {
			return fault.New(op, fmt.Errorf("table %q is not published by the mapping", name), "write schema.table, as in the mapping")
		}
	}
	batch := &pgx.Batch{}
	publication.QueueCopyAgain(batch, r.Cfg.Source.Slot, tables, "somebody asked for it")
	return fault.New(op, connect.Lost(r.Control, r.Control.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'")
}

// copyState is a row of deid.snapshot.
type copyState struct {
	phi.Redacted

	table *schema.Table
	after []string
	rows  int64
	again string // why it is copied again, or ""
	// compare says that only rows are written that the replica does not have as they are.
	compare bool
}

// asked says how the copy treats texts.
func (c *copyState) asked() deid.Request {
	if c.compare {
		return deid.Request{Compared: deid.ForRepair}
	}
	return deid.Request{}
}

// missing returns the tables whose copy is not complete.
func (r *run) missing(ctx context.Context) ([]copyState, error) {
	const op = "read how far the first copy has come"
	rows, _ := r.Control.Query(ctx, `
		select table_name, last_key, rows, coalesce(again, ''), compare from deid.snapshot where slot = $1 and not done order by table_name`,
		r.Cfg.Source.Slot)
	var list []copyState
	var name, again string
	var sealed []byte
	var n int64
	var compare bool
	_, err := pgx.ForEachRow(rows, []any{&name, &sealed, &n, &again, &compare}, func() error {
		c := copyState{table: r.Plan.ByID[name], rows: n, again: again, compare: compare}
		if c.table == nil {
			return nil
		}
		if sealed != nil {
			after, err := r.Seals.OpenKey("cursor", sealed, name)
			if err != nil {
				return err
			}
			c.after = after
		}
		list = append(list, c)
		return nil
	})
	return list, fault.New(op, connect.Lost(r.Control, err), "")
}

// recordsOnly returns the tables that tell of patients and are not published, except those that
// are copied as it is. Their rows
// are read for their words, each time that something is copied: notes of the snapshot may
// have a name that was replaced before the patient's record was read.
func (r *run) recordsOnly(copied []copyState) []copyState {
	var list []copyState
	for _, t := range r.Plan.Tables {
		also := slices.ContainsFunc(copied, func(c copyState) bool { return c.table == t })
		if t.TellsPatient() && len(t.Publish) == 0 && !also {
			list = append(list, copyState{table: t})
		}
	}
	return list
}

// inOrder adds the records to the tables that are to be copied, and orders them. Records come before
// notes: a name that only the copy's snapshot has is known before these are copied.
func (r *run) inOrder(list []copyState) []copyState {
	list = append(r.recordsOnly(list), list...)
	slices.SortStableFunc(list, func(a, b copyState) int { return cmp.Compare(rank(a.table), rank(b.table)) })
	return list
}

// rank orders tables for the copy: those that decide who is published come first, then those
// that tell of patients.
func rank(t *schema.Table) int {
	switch {
	case len(t.Filters) > 0 && len(t.Publish) == 0:
		return 0
	case len(t.Filters) > 0:
		return 1
	case t.TellsPatient() && !t.IsNote():
		return 2
	}
	return 3
}

// untouched reports whether no row was copied yet of a table that is published.
func (r *run) untouched(ctx context.Context) (untouched bool, err error) {
	var names []string
	for _, t := range r.Plan.Tables {
		if len(t.Publish) > 0 {
			names = append(names, t.ID)
		}
	}
	err = r.Control.QueryRow(ctx, `select not exists (
		select from deid.snapshot s where slot = $1 and table_name = any($2) and (done or last_key is not null
			or exists (select from deid.copy_chunk c where c.slot = s.slot and c.table_name = s.table_name)))`,
		r.Cfg.Source.Slot, names).Scan(&untouched)
	return untouched, fault.New("read how far the first copy has come", connect.Lost(r.Control, err), "")
}

// copyAll copies what is missing, in the exported snapshot if there is one.
func (r *run) copyAll(ctx, stop context.Context, snapshot string) error {
	list, err := r.missing(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	r.health.copying(stale(list))
	defer r.CloseFrom(len(r.Conns)) // the stream opens its own
	conn, err := r.OpenSource(ctx, config.Service)
	if err != nil {
		return err
	}
	tx, err := r.beginCopy(ctx, conn, snapshot)
	if err != nil {
		return err
	}
	defer apply.Rollback(tx)
	w, look, err := r.open(ctx)
	if err != nil {
		return err
	}
	if err := r.storePlanned(ctx, list); err != nil {
		return err
	}
	if r.Opts.ByWorkers {
		if err := r.lend(ctx, tx); err != nil {
			return err
		}
	}
	for _, c := range r.inOrder(list) {
		if r.shared(c) {
			err = r.shareTable(ctx, stop, conn, tx, c, w, look)
		} else {
			err = r.copyTable(ctx, stop, conn, c, w, look)
		}
		if err != nil || stop.Err() != nil {
			return err
		}
	}
	if err := backfill.Close(ctx, r.Control, r.Cfg.Source.Slot); err != nil {
		return err
	}
	r.Log.Info("copy complete", "tables", len(list))
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
		apply.Rollback(tx)
	}
	return tx, err
}

// copyTable copies one table from where its copy has come to.
func (r *run) copyTable(ctx, stop context.Context, conn *pgx.Conn, c copyState, w *apply.Writer, look *patient.Lookups) error {
	if err := backfill.Drop(ctx, r.Control, r.Cfg.Source.Slot, c.table.ID); err != nil {
		return err
	}
	clean, err := r.startTable(ctx, conn, c, w, look)
	if err != nil {
		return err
	}
	return r.copyRows(ctx, stop, conn, c, clean, w, look)
}

// copyRows copies the rows of a table; clean says that the replica has none.
func (r *run) copyRows(ctx, stop context.Context, conn *pgx.Conn, c copyState, clean bool, w *apply.Writer, look *patient.Lookups) (err error) {
	if w.Untouched, err = r.untouched(ctx); err != nil {
		return err
	}
	w.Compared = nil
	if c.compare {
		w.Compared = &apply.Differences{}
	}
	p, com := r.newPipeline(w)
	estimate := r.Estimate(ctx, c.table)
	com.Notify = func(at deid.Position) {
		c.rows += at.Cursor.Rows
		if r.Opts.Snapshot != nil {
			r.Opts.Snapshot(session.SnapshotProgress{Table: c.table.ID, Rows: c.rows, Estimate: estimate, Done: at.Cursor.Done})
		}
	}
	read := &pages{conn: conn, table: c.table, after: c.after, asked: c.asked(), put: p.Put}
	return r.pass(ctx, stop, read, p, com, r.NewResolver(look, !clean))
}

// pass passes what is read through a pipeline, until all of it is written.
func (r *run) pass(ctx, stop context.Context, read *pages, p *deid.Pipeline, com *apply.Committer, res *deid.Resolver) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(guard.Func(r.Log, "the reader", func() error {
		defer close(p.In)
		return read.read(ctx, stop)
	}))
	g.Go(func() error { return p.Run(ctx, res) })
	g.Go(guard.Func(r.Log, "the committer", func() error { return com.Run(ctx) }))
	return g.Wait()
}
