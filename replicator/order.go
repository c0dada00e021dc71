package replicator

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/fault"
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

// hide keeps analysts from a table that is about to be copied, if they read it as it is
// written.
func (r *run) hide(ctx context.Context, t *table) error {
	batch := &pgx.Batch{}
	if t.sql.release == nil {
		batch.Queue("select deid.set_readable($1, false)", t.id)
	}
	batch.Queue("delete from deid.row_order where place = $1::text::regclass::text", t.rows())
	err := r.control.SendBatch(ctx, batch).Close()
	return fault.New("hide table "+t.id+" while it is copied", lost(r.control, err), "run 'pgdeid migrate up'")
}

// orderCopied puts the tables in order that were copied since, and lets analysts read
// them. A session that finds some that an earlier one left behind does the same.
func (r *run) orderCopied(ctx, stop context.Context) error {
	var list []*table
	for _, t := range r.plan.tables {
		if len(t.publish) == 0 {
			continue
		}
		var ordered bool
		err := r.control.QueryRow(ctx, "select exists (select from deid.row_order where place = $1::text::regclass::text)",
			t.rows()).Scan(&ordered)
		if err != nil {
			return fault.New("look at the order of table "+t.id, lost(r.control, err), "run 'pgdeid migrate up'")
		}
		if !ordered {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	w, err := r.newWriter(ctx)
	if err != nil {
		return err
	}
	r.log.Info("putting the rows in the order of their published keys", "tables", len(list))
	for _, place := range orderedVault {
		if _, err := w.putInOrder(ctx, place, 0); err != nil || stop.Err() != nil {
			return err
		}
	}
	for _, t := range list {
		if _, err := w.putInOrder(ctx, t.rows(), 0); err != nil || stop.Err() != nil {
			return err
		}
		if _, err := w.conn.Exec(ctx, "select deid.set_readable($1, true)", t.id); err != nil {
			return fault.New("let analysts read table "+t.id, lost(w.conn, err), "")
		}
	}
	return nil
}

// putInOrder writes a table anew in the order of its key and returns how many rows it
// has. It waits for those who read the table for at most wait, or for ever.
func (w *writer) putInOrder(ctx context.Context, place string, wait time.Duration) (rows int64, err error) {
	tx, err := w.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer rollback(tx)
	if _, err = tx.Exec(ctx, fmt.Sprintf("set local lock_timeout = %d", wait.Milliseconds())); err == nil {
		err = tx.QueryRow(ctx, "select deid.put_in_order($1)", place).Scan(&rows)
	}
	if err == nil {
		err = tx.Commit(ctx)
	}
	return rows, fault.New("put table "+place+" in order", lost(w.conn, err),
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

func orderRows(ctx context.Context, _ *run, w *writer) ([]Maintained, error) {
	var all []Maintained
	var busy []error
	for title, place := range w.ordered() {
		share, err := w.outOfOrder(ctx, place)
		if err != nil {
			return all, err
		}
		if share <= mostOutOfOrder {
			continue
		}
		w.log.Info("putting a table in order", "table", title)
		rows, err := w.putInOrder(ctx, place, readersWait)
		switch {
		case fault.State(err) == "55P03": // a long query reads it
			busy = append(busy, err)
		case err != nil:
			return all, err
		default:
			all = append(all, Maintained{Task: "order", Place: title, Rows: rows})
		}
	}
	return all, fault.New("put tables in order", errors.Join(busy...), "run it when nobody reads these tables")
}

// ordered yields the tables that are kept in order, with the names that people know.
func (w *writer) ordered() iter.Seq2[string, string] {
	return func(yield func(title, place string) bool) {
		for _, place := range orderedVault {
			if !yield(place, place) {
				return
			}
		}
		for _, t := range w.plan.tables {
			if len(t.publish) > 0 && !yield(t.id, t.rows()) {
				return
			}
			if t.sql.release != nil && !yield(t.id+" as released", sql.ReleasedTable(t.Table)) {
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
	return share, fault.New("look at the order of table "+place, lost(w.conn, err), "")
}
