package replicator

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql"
)

// The order in which rows lie in a table says what their pseudonyms hide. The first
// copy reads the source in the order of its keys, and the stream comes in the order
// of events: next to a sorted list of the source's keys, the rows of either name
// their patients. So rows are written anew in the order of their published keys,
// which says no more than the keys themselves: after the first copy, before analysts
// may read, and then from time to time. The vault's tables are put in order as well,
// since who has the disk, a backup or a dump sees their order, too.

// orderedVault are the tables of the vault with pseudonyms of patients or rows.
var orderedVault = []string{"deid.surrogate", "deid.date_shift", "deid.note_provenance"}

// orderedPlace is a table that is kept in order.
type orderedPlace struct {
	title, name string
	// rows is the table that analysts may not read until these rows of it are in order.
	rows *table
}

// hide keeps analysts from a table that is about to be copied, if they read it as it is
// written. It takes its turn, so that nobody who puts tables in order meets half of it.
func (w *writer) hide(ctx context.Context, t *table) error {
	tx, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer rollback(tx)
	batch := &pgx.Batch{}
	if t.sql.release == nil {
		batch.Queue("select deid.set_readable($1, false)", t.id)
	}
	batch.Queue("delete from deid.row_order where place = $1::text::regclass::text", t.rows())
	if err = tx.SendBatch(ctx, batch).Close(); err == nil {
		err = tx.Commit(ctx)
	}
	return fault.New("hide table "+t.id+" while it is copied", connect.Lost(w.conn, err), "run 'pgdeid migrate up'")
}

// orderCopied puts the tables in order that were copied since, and lets analysts read
// them. A session that finds some that an earlier one left behind does the same. What
// somebody reads right now is left for later: the stream does not wait for readers.
func (r *run) orderCopied(ctx, stop context.Context) error {
	var list []orderedPlace
	for _, t := range r.plan.tables {
		if len(t.publish) == 0 {
			continue
		}
		ordered, err := inOrder(ctx, r.control, t)
		if err != nil {
			return connect.Lost(r.control, err)
		}
		if !ordered {
			list = append(list, orderedPlace{t.id, t.rows(), t})
		}
	}
	if len(list) == 0 {
		return nil
	}
	w, err := r.newReleaser(ctx)
	if err != nil {
		return err
	}
	r.log.Info("putting the rows in the order of their published keys", "tables", len(list))
	r.busy, err = w.orderAll(ctx, stop, append(vaultPlaces(), list...), readersWait)
	if err != nil || stop.Err() != nil {
		return err
	}
	for _, p := range r.busy {
		r.log.Warn("a table is read by others: it is put in order later", "table", p.title,
			"hint", "if it was copied, analysts can read it from then on")
	}
	return nil
}

// orderPause is how long a session waits before it tries to order again what somebody
// reads, and orderTry how long the stream and new readers wait for each try.
const (
	orderPause = 5 * time.Second
	orderTry   = lockTime
)

// orderBusy puts in order what was read by others before the stream began.
func (r *run) orderBusy(ctx context.Context, w *writer) error {
	tick := time.NewTicker(orderPause)
	defer tick.Stop()
	for len(r.busy) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		var err error
		if r.busy, err = w.orderAll(ctx, ctx, r.busy, orderTry); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// orderAll puts places in order, lets analysts read them, and returns those that are left
// since somebody reads them.
func (w *writer) orderAll(ctx, stop context.Context, list []orderedPlace, wait time.Duration) (busy []orderedPlace, err error) {
	for ; len(list) > 0 && stop.Err() == nil; list = list[1:] {
		_, err := w.putInOrder(ctx, list[0], wait, true)
		switch {
		case fault.State(err) == lockNotAvailable:
			busy = append(busy, list[0])
		case err != nil:
			return append(busy, list...), err
		}
	}
	return append(busy, list...), nil
}

// inOrder reports whether a table's rows were put in order since they were copied.
func inOrder(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, t *table,
) (ordered bool, err error) {
	err = db.QueryRow(ctx, "select exists (select from deid.row_order where place = $1::text::regclass::text)", t.rows()).Scan(&ordered)
	return ordered, fault.New("look at the order of table "+t.id, err, "run 'pgdeid migrate up'")
}

// putInOrder writes a table anew in the order of its key and returns how many rows it
// has. It waits for those who read the table for at most wait. Only after a copy does it
// do so with rows that analysts don't read yet, and in the same transaction lets them.
func (w *writer) putInOrder(ctx context.Context, p orderedPlace, wait time.Duration, copied bool) (rows int64, err error) {
	tx, err := w.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer rollback(tx)
	if p.rows != nil && !copied {
		if ordered, err := inOrder(ctx, tx, p.rows); err != nil || !ordered {
			return 0, connect.Lost(w.conn, err) // it is being copied: who does that puts it in order
		}
	}
	if _, err = tx.Exec(ctx, fmt.Sprintf("set local lock_timeout = %d", wait.Milliseconds())); err == nil {
		err = tx.QueryRow(ctx, "select deid.put_in_order($1)", p.name).Scan(&rows)
	}
	if err == nil && p.rows != nil && copied {
		_, err = tx.Exec(ctx, "select deid.set_readable($1, true)", p.rows.id)
	}
	if err == nil {
		err = tx.Commit(ctx)
	}
	return rows, fault.New("put table "+p.title+" in order", connect.Lost(w.conn, err),
		"'pgdeid migrate up' gives the role of replica.dsn its rights again")
}

// mostOutOfOrder is the share of rows in the order of their arrival from which on a
// table is put in order.
const mostOutOfOrder = 0.01

// readersWait bounds how long those who come to read a table queue behind a rewrite
// that itself waits for a long query.
const readersWait = 5 * time.Second

// orderTask puts tables in order that the stream has added to.
func orderTask() maintenance {
	return maintenance{
		name: "order", what: "rows in the order of their arrival",
		due: func(last, now time.Time) bool { return now.Sub(last) > 8*24*time.Hour },
		run: orderRows,
	}
}

func orderRows(ctx context.Context, _ *session, w *writer) ([]Maintained, error) {
	var all []Maintained
	var busy []error
	for p := range w.ordered() {
		share, err := w.outOfOrder(ctx, p.name)
		if err != nil {
			return all, err
		}
		if share <= mostOutOfOrder {
			continue
		}
		w.log.Info("putting a table in order", "table", p.title)
		rows, err := w.putInOrder(ctx, p, readersWait, false)
		switch {
		case fault.State(err) == lockNotAvailable: // a long query reads it
			busy = append(busy, err)
		case err != nil:
			return all, err
		case rows > 0:
			all = append(all, Maintained{Task: "order", Place: p.title, Rows: rows})
		}
	}
	return all, fault.New("put tables in order", errors.Join(busy...), "run it when nobody reads these tables")
}

// vaultPlaces returns the vault's tables that are kept in order.
func vaultPlaces() []orderedPlace {
	list := make([]orderedPlace, len(orderedVault))
	for i, name := range orderedVault {
		list[i] = orderedPlace{title: name, name: name}
	}
	return list
}

// ordered yields the tables that are kept in order, with the names that people know.
func (w *writer) ordered() iter.Seq[orderedPlace] {
	return func(yield func(orderedPlace) bool) {
		for _, p := range vaultPlaces() {
			if !yield(p) {
				return
			}
		}
		for _, t := range w.plan.tables {
			if len(t.publish) > 0 && !yield(orderedPlace{t.id, t.rows(), t}) {
				return
			}
			if t.sql.release != nil && !yield(orderedPlace{title: t.id + " as released", name: sql.ReleasedTable(t.Table)}) {
				return
			}
		}
	}
}

// outOfOrder returns the share of rows that were written after a table was last put in
// order.
func (w *writer) outOfOrder(ctx context.Context, place string) (share float64, err error) {
	err = w.conn.QueryRow(ctx, fmt.Sprintf(`
		select coalesce(avg((t.xmin is distinct from o.written_by)::int), 0)::float8
		from %s t left join deid.row_order o on o.place = $1::text::regclass::text`, place), place).Scan(&share)
	return share, fault.New("look at the order of table "+place, connect.Lost(w.conn, err), "")
}
