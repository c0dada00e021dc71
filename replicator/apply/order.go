package apply

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/sql/research"
)

// LockTime is how long a desk waits for another transaction. Who copies a large
// transaction of the source holds the turn to write until its end, which may be hours.
// It is shorter than PostgreSQL's deadlock_timeout (1 s): of two that wait for each
// other the desk is the one that gives way, never the stream.
const LockTime = 250 * time.Millisecond

// LockNotAvailable is the SQLSTATE of a lock_timeout.
const LockNotAvailable = "55P03"

// The order in which rows lie in a table says what their pseudonyms hide. The first
// copy reads the source in the order of its keys, and the stream comes in the order
// of events: next to a sorted list of the source's keys, the rows of either name
// their patients. So rows are written anew in the order of their published keys,
// which says no more than the keys themselves: after the first copy, before analysts
// may read, and then from time to time. The vault's tables are put in order as well,
// since who has the disk, a backup or a dump sees their order, too.

// orderedVault are the tables of the vault with pseudonyms of patients or rows.
var orderedVault = []string{"deid.surrogate", "deid.date_shift", "deid.note_provenance"}

// OrderedPlace is a table that is kept in order.
type OrderedPlace struct {
	Title, Name string
	// rows is the table that analysts may not read until these rows of it are in order.
	rows *schema.Table
}

// TablePlace returns the place of the rows of t.
func TablePlace(t *schema.Table) OrderedPlace {
	return OrderedPlace{Title: t.ID, Name: t.Rows(), rows: t}
}

// Hide keeps analysts from a table that is about to be copied, if they read it as it is
// written. It takes its turn, so that no process that puts tables in order meets half of it.
func (w *Writer) Hide(ctx context.Context, t *schema.Table) error {
	tx, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer Rollback(tx)
	batch := &pgx.Batch{}
	if t.SQL.Release == nil {
		batch.Queue("select deid.set_readable($1, false)", t.ID)
	}
	batch.Queue("delete from deid.row_order where place = $1::text::regclass::text", t.Rows())
	if err = tx.SendBatch(ctx, batch).Close(); err == nil {
		err = tx.Commit(ctx)
	}
	return fault.New("hide table "+t.ID+" while it is copied", connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// OrderPause is how long a session waits before it tries to order again what is being
// read, and orderTry how long the stream and new readers wait for each try.
const (
	OrderPause = 5 * time.Second
	OrderTry   = LockTime
)

// OrderAll puts places in order, lets analysts read them, and returns those that are left
// since they are being read.
func (w *Writer) OrderAll(ctx, stop context.Context, list []OrderedPlace, wait time.Duration) (busy []OrderedPlace, err error) {
	for ; len(list) > 0 && stop.Err() == nil; list = list[1:] {
		_, err := w.PutInOrder(ctx, list[0], wait, true)
		switch {
		case fault.State(err) == LockNotAvailable:
			busy = append(busy, list[0])
		case err != nil:
			return append(busy, list...), err
		}
	}
	return append(busy, list...), nil
}

// InOrder reports whether a table's rows were put in order since they were copied.
func InOrder(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, t *schema.Table,
) (ordered bool, err error) {
	err = db.QueryRow(ctx, "select exists (select from deid.row_order where place = $1::text::regclass::text)", t.Rows()).Scan(&ordered)
	return ordered, fault.New("look at the order of table "+t.ID, err, "run 'pgdeid migrate up'")
}

// PutInOrder writes a table anew in the order of its key and returns how many rows it
// has. It waits for those who read the table for at most wait. Only after a copy does it
// do so with rows that analysts don't read yet, and in the same transaction lets them.
func (w *Writer) PutInOrder(ctx context.Context, p OrderedPlace, wait time.Duration, copied bool) (rows int64, err error) {
	tx, err := w.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer Rollback(tx)
	if p.rows != nil && !copied {
		if ordered, err := InOrder(ctx, tx, p.rows); err != nil || !ordered {
			return 0, connect.Lost(w.Conn, err) // it is being copied: who does that puts it in order
		}
	}
	if _, err = tx.Exec(ctx, fmt.Sprintf("set local lock_timeout = %d", wait.Milliseconds())); err == nil {
		err = tx.QueryRow(ctx, "select deid.put_in_order($1)", p.Name).Scan(&rows)
	}
	if err == nil && p.rows != nil && copied {
		_, err = tx.Exec(ctx, "select deid.set_readable($1, true)", p.rows.ID)
	}
	if err == nil {
		err = tx.Commit(ctx)
	}
	return rows, fault.New("put table "+p.Title+" in order", connect.Lost(w.Conn, err),
		"'pgdeid migrate up' gives the role of replica.dsn its rights again")
}

// MostOutOfOrder is the share of rows in the order of their arrival from which on a
// table is put in order.
const MostOutOfOrder = 0.01

// ReadersWait bounds how long those who come to read a table queue behind a rewrite
// that itself waits for a long query.
const ReadersWait = 5 * time.Second

// VaultPlaces returns the vault's tables that are kept in order.
func VaultPlaces() []OrderedPlace {
	list := make([]OrderedPlace, len(orderedVault))
	for i, name := range orderedVault {
		list[i] = OrderedPlace{Title: name, Name: name}
	}
	return list
}

// Ordered yields the tables that are kept in order, with the names that people know.
func (w *Writer) Ordered() iter.Seq[OrderedPlace] {
	return func(yield func(OrderedPlace) bool) {
		for _, p := range VaultPlaces() {
			if !yield(p) {
				return
			}
		}
		for _, t := range w.plan.Tables {
			if len(t.Publish) > 0 && !yield(TablePlace(t)) {
				return
			}
			if t.SQL.Release != nil && !yield(OrderedPlace{Title: t.ID + " as released", Name: research.ReleasedTable(t.Table)}) {
				return
			}
		}
	}
}

// OutOfOrder returns the share of rows that were written after a table was last put in
// order.
func (w *Writer) OutOfOrder(ctx context.Context, place string) (share float64, err error) {
	err = w.Conn.QueryRow(ctx, fmt.Sprintf(`
		select coalesce(avg((t.xmin is distinct from o.written_by)::int), 0)::float8
		from %s t left join deid.row_order o on o.place = $1::text::regclass::text`, place), place).Scan(&share)
	return share, fault.New("look at the order of table "+place, connect.Lost(w.Conn, err), "")
}
