package replicator

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// writer writes groups to the replica. It belongs to one goroutine.
type writer struct {
	*store
	deid    *deidentifier
	conn    *pgx.Conn // for transactions
	look    *resolver // for what must be read between them
	workers int
	// beside is true where the stream is another process's: nobody tells this one what
	// changes, so that nothing it has read is good for longer than its turn to write.
	beside bool
	asked  bool // something was queued to be read again
}

// writeLock is the advisory lock that whoever writes the research tables holds
// until its transaction ends, "pgdeid" in ASCII. Whoever reads a row again from
// the source takes it first: so what is read is not older than what has been
// applied, and a change that comes later in the stream is applied later.
const writeLock = 0x706764656964

// begin opens a transaction that nobody else's is beside.
func (w *writer) begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := w.conn.Begin(ctx)
	if err != nil {
		return nil, fault.New("begin a transaction in the replica", connect.Lost(w.conn, err), "")
	}
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(writeLock)); err != nil {
		rollback(tx)
		return nil, fault.New("wait for the turn to write to the replica", connect.Lost(w.conn, err), "")
	}
	return tx, nil
}

// rollbackTime bounds how long a rollback may keep the program from ending.
const rollbackTime = 2 * time.Second

// rollback ends a transaction whatever became of the caller's context.
func rollback(tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTime)
	defer cancel()
	_ = tx.Rollback(ctx) // the server does it by itself when the connection is gone
}

// flush writes a group's rows into tx.
func (w *writer) flush(ctx context.Context, tx pgx.Tx, g *group) error {
	if err := w.storeEntries(ctx, tx, g); err != nil { // settle looks at them
		return err
	}
	if err := w.settle(ctx, g); err != nil {
		return err
	}
	asked, err := w.storeRequeue(ctx, tx, g)
	if err != nil {
		return err
	}
	if err := w.write(ctx, tx, g); err != nil {
		return err
	}
	w.asked = w.asked || asked
	for _, v := range g.order {
		w.metrics.rows.WithLabelValues(v.what()).Inc()
		w.sayWithheld(v)
		if v.aside != nil {
			w.metrics.quarantined.WithLabelValues(string(v.aside.reason)).Inc()
		}
	}
	return nil
}

func (v *version) what() string {
	switch {
	case v.aside != nil:
		return opAside
	case v.remove:
		return opDelete
	case v.only:
		return opRewrite
	default:
		return opWrite
	}
}

// What became of a row, in metrics.
const (
	opAside    = "quarantine"
	opDelete   = "delete"
	opRewrite  = "rewrite"
	opWrite    = "write"
	opTruncate = "truncate"
)

var operations = []string{opAside, opDelete, opRewrite, opWrite, opTruncate}

// settle makes sure that texts which are to stay are there: under the same key,
// of the same patient. Where they are not, the row is read again from the source. A row
// that was another patient's is searched again, with what that one's record knows.
func (w *writer) settle(ctx context.Context, g *group) error {
	var again []*item
	for _, t := range w.look.plan.tables {
		var list []*version
		for _, v := range g.order {
			if v.table == t && !v.only && (v.keeps() || v.mayMove()) {
				list = append(list, v)
			}
		}
		if len(list) == 0 {
			continue
		}
		there, err := w.published(ctx, t, list)
		if err != nil {
			return err
		}
		for _, v := range list {
			was := v.takenFrom(there)
			if v.reread || !v.allThere(there) || was != "" {
				it := v.again()
				it.was = was
				again = append(again, it)
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	return w.redo(ctx, again, g)
}

// published returns the patients of the texts that the replica has of these rows,
// by row key and column. It looks with the transaction's own eyes.
func (w *writer) published(ctx context.Context, t *table, list []*version) (map[[2]string]string, error) {
	var keys []string
	for _, v := range list {
		keys = append(keys, v.rowKey)
		if v.item.out.oldRow != "" {
			keys = append(keys, v.item.out.oldRow)
		}
	}
	rows, err := w.conn.Query(ctx, `
		select row_key, column_name, patient from deid.note_provenance where table_name = $1 and row_key = any($2)`, t.id, keys)
	if err != nil {
		return nil, fault.New("read what is published", connect.Lost(w.conn, err), "")
	}
	there := map[[2]string]string{}
	var row, column, patient string
	_, err = pgx.ForEachRow(rows, []any{&row, &column, &patient}, func() error {
		there[[2]string{row, column}] = patient
		return nil
	})
	return there, fault.New("read what is published", connect.Lost(w.conn, err), "")
}

// mayMove reports whether v's row may have been another patient's before.
func (v *version) mayMove() bool {
	return !v.remove && v.patient != "" && v.table.isNote() && v.item.change.op == updateOp
}

// takenFrom returns the patient whose row v's was, or "" if that is none or the same.
func (v *version) takenFrom(there map[[2]string]string) string {
	if v.was != "" || v.patient == "" {
		return v.was
	}
	for _, row := range []string{v.rowKey, v.item.out.oldRow} {
		for _, c := range v.table.texts {
			if was := there[[2]string{row, v.table.columns[c].Name}]; was != "" && was != v.patient {
				return was
			}
		}
	}
	return ""
}

func (v *version) allThere(there map[[2]string]string) bool {
	for n, keep := range v.keep {
		column := v.table.columns[v.table.texts[n]].Name
		if keep && there[[2]string{v.rowKey, column}] != v.patient {
			return false
		}
	}
	return true
}

// again returns an item that reads v's row from the source.
func (v *version) again() *item {
	c := *v.item.change
	c.op, c.old, c.read = insertOp, nil, true // of an insert, nothing is there to keep
	return &item{change: &c, only: v.only, fresh: true, done: make(chan struct{})}
}

// redo puts items through resolve and detection at once, and adds them to g.
func (w *writer) redo(ctx context.Context, items []*item, g *group) error {
	if err := w.look.resolveEach(ctx, items); err != nil {
		return err
	}
	defer func() {
		for _, it := range items {
			it.release(w.deid.reg)
		}
	}()
	// A row that the replica does not have yet comes in the stream, and its surrogates are
	// chosen in the stream's order.
	there := slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return it.absent })
	if err := w.deidentifyAll(ctx, there); err != nil {
		return err
	}
	for _, it := range there {
		w.addTo(g, it)
	}
	return nil
}

// deidentifyAll works on items in parallel, those of one patient in order.
func (w *writer) deidentifyAll(ctx context.Context, items []*item) error {
	byPatient := map[*patient][]*item{}
	var order []*patient
	for _, it := range items {
		if byPatient[it.patient] == nil {
			order = append(order, it.patient)
		}
		byPatient[it.patient] = append(byPatient[it.patient], it)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(w.workers)
	for _, p := range order {
		g.Go(func() error {
			for _, it := range byPatient[p] {
				w.deid.deidentify(ctx, it)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// redoAll reads, de-identifies and writes rows in a transaction of their own;
// after, if not nil, adds to it. read runs when it is our turn to write.
func (w *writer) redoAll(ctx context.Context, read func(context.Context) ([]*item, error),
	after func(context.Context, pgx.Tx) error,
) error {
	tx, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer rollback(tx)
	if w.beside {
		w.look.forgetAll()
		if err := w.look.refreshDirectory(ctx); err != nil {
			return err
		}
	}
	items, err := read(ctx)
	if err != nil {
		return err
	}
	g := newGroup()
	if err := w.redo(ctx, items, g); err != nil {
		return err
	}
	if err := w.flush(ctx, tx, g); err != nil {
		return err
	}
	if after != nil {
		if err := after(ctx, tx); err != nil {
			return err
		}
	}
	return fault.New("commit to the replica", connect.Lost(w.conn, tx.Commit(ctx)), "")
}
