package apply

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Writer writes groups to the replica. It belongs to one goroutine.
type Writer struct {
	*Store
	Deid    *deid.Deidentifier
	Conn    *pgx.Conn      // for transactions
	Look    *deid.Resolver // for what must be read between them
	Workers int
	// Beside is true where the stream is another process's: nobody tells this one what
	// changes, so that nothing it has read is good for longer than its turn to write.
	Beside bool
	asked  bool // something was queued to be read again
	// Untouched says that no row was copied yet which a patient who comes back could lack.
	Untouched bool
	// gone has the patients, by source key, who were taken away in the transaction that is open.
	gone map[string]string
	// Compared counts what differs where only that is written; nil: all rows are.
	Compared *Differences
	// CopiedUntil is a position of the source after which no copy has read.
	CopiedUntil pglogrepl.LSN
}

// WriteLock is the advisory lock that whoever writes the research tables holds
// until its transaction ends, "pgdeid" in ASCII. Whoever reads a row again from
// the source takes it first: so what is read is not older than what has been
// applied, and a change that comes later in the stream is applied later.
const WriteLock = 0x706764656964

// Begin opens a transaction that nobody else's is beside.
func (w *Writer) Begin(ctx context.Context) (pgx.Tx, error) {
	w.gone = nil
	tx, err := w.Conn.Begin(ctx)
	if err != nil {
		return nil, fault.New("begin a transaction in the replica", connect.Lost(w.Conn, err), "")
	}
	var changes int64
	batch := &pgx.Batch{}
	batch.Queue("select pg_advisory_xact_lock($1)", int64(WriteLock))
	patient.QueuePurgeChanges(batch, &changes) // with a snapshot of its own, as of our turn
	err = tx.SendBatch(ctx, batch).Close()
	if err == nil && changes != w.PurgeChanges {
		err = ErrPurged
	}
	if err != nil {
		Rollback(tx)
		return nil, fault.New("wait for the turn to write to the replica", connect.Lost(w.Conn, err), purgedHint(err))
	}
	return tx, nil
}

// ErrPurged means that a patient was purged, or came back, since the session began: it knows
// things of the patient that the vault does not have any more.
var ErrPurged = errors.New("a patient was purged, or came back")

func purgedHint(err error) string {
	if errors.Is(err, ErrPurged) {
		return "try again"
	}
	return ""
}

// rollbackTime bounds how long a rollback may keep the program from ending.
const rollbackTime = 2 * time.Second

// Rollback ends a transaction whatever became of the caller's context.
func Rollback(tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTime)
	defer cancel()
	_ = tx.Rollback(ctx) // the server does it by itself when the connection is gone
}

// flush writes a group's rows into tx.
func (w *Writer) flush(ctx context.Context, tx pgx.Tx, g *Group) error {
	if err := w.merge(ctx, tx, g); err != nil {
		return err
	}
	if err := w.filter(ctx, tx, g); err != nil {
		return err
	}
	if err := w.leaveOut(ctx, tx, g); err != nil {
		return err
	}
	if err := w.storeEntries(ctx, tx, g); err != nil { // settle looks at them
		return err
	}
	if err := w.endNotes(ctx, g); err != nil {
		return err
	}
	if err := w.settle(ctx, g); err != nil {
		return err
	}
	if err := w.leaveOut(ctx, tx, g); err != nil { // of what settle read again
		return err
	}
	asked, err := w.storeRequeue(ctx, tx, g)
	if err != nil {
		return err
	}
	if err := w.passOver(ctx, tx, g); err != nil {
		return err
	}
	if err := w.write(ctx, tx, g); err != nil {
		return err
	}
	w.asked = w.asked || asked
	for _, v := range g.Order {
		w.Metrics.Rows.WithLabelValues(v.what()).Inc()
		w.sayWithheld(v)
		if v.aside != nil {
			w.Metrics.Quarantined.WithLabelValues(string(v.aside.reason)).Inc()
		}
	}
	return nil
}

func (v *Version) what() string {
	switch {
	case v.aside != nil:
		return metrics.OpAside
	case v.Remove:
		return metrics.OpDelete
	case v.only:
		return metrics.OpRewrite
	default:
		return metrics.OpWrite
	}
}

// settle makes sure that texts which are to stay are there: under the same key,
// of the same patient. Where they are not, the row is read again from the source. A row
// that was another patient's is searched again, with what that one's record knows.
func (w *Writer) settle(ctx context.Context, g *Group) error {
	var again remaking
	for _, t := range w.Look.Plan.Tables {
		var list []*Version
		for _, v := range g.Order {
			if v.Table == t && !v.only && (v.reread || v.keeps() || v.mayMove(w.CopiedUntil)) {
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
		aside, err := w.aside(ctx, t, list)
		if err != nil {
			return err
		}
		for _, v := range list {
			was := v.takenFrom(there)
			if was == "" {
				was = owners{patient: aside[schema.KeyString(v.Source)]}.otherThan(v.patient)
			}
			if v.reread || !v.allThere(there) || was != "" {
				again.add(v, was)
			}
		}
	}
	if len(again.list) == 0 {
		return nil
	}
	return w.Redo(ctx, again.items(g), g)
}

// aside returns whose rows are that are set aside, by their keys in the source.
func (w *Writer) aside(ctx context.Context, t *schema.Table, list []*Version) (map[string]string, error) {
	if !w.AnyAside.Load() {
		return nil, nil
	}
	var keys [][]string
	for _, v := range list {
		keys = append(keys, v.Source)
	}
	return w.Look.AsideBefore(ctx, t, keys)
}

// published returns the patients of the texts that the replica has of these rows,
// by row key and column. It looks with the transaction's own eyes.
func (w *Writer) published(ctx context.Context, t *schema.Table, list []*Version) (map[[2]string]string, error) {
	var keys []string
	for _, v := range list {
		keys = append(keys, v.RowKey)
		if v.Item.Out.OldRow != "" {
			keys = append(keys, v.Item.Out.OldRow)
		}
	}
	rows, err := w.Conn.Query(ctx, "select row_key, column_name, patient"+vault.OfRows, t.ID, t.TextNames(), keys)
	if err != nil {
		return nil, fault.New("read what is published", connect.Lost(w.Conn, err), "")
	}
	there := map[[2]string]string{}
	var row, column, patient string
	_, err = pgx.ForEachRow(rows, []any{&row, &column, &patient}, func() error {
		there[[2]string{row, column}] = patient
		return nil
	})
	return there, fault.New("read what is published", connect.Lost(w.Conn, err), "")
}

// mayMove reports whether v's row may have been another patient's before. That of an insert
// may only where a copy had the row already.
func (v *Version) mayMove(copied pglogrepl.LSN) bool {
	if v.Remove || v.anew || v.patient == "" || !v.Table.IsNote() {
		return false
	}
	c := v.Item.Change
	return c.Op == schema.UpdateOp || c.Op == schema.InsertOp && !c.Read && c.LSN <= copied
}

// takenFrom returns the patient whose row v's was, or "" if that is none or the same.
func (v *Version) takenFrom(there map[[2]string]string) string {
	if v.was != "" || v.patient == "" {
		return v.was
	}
	for _, row := range []string{v.RowKey, v.Item.Out.OldRow} {
		for _, c := range v.Table.Texts {
			if was := there[[2]string{row, v.Table.Columns[c].Name}]; was != "" && was != v.patient {
				return was
			}
		}
	}
	return ""
}

func (v *Version) allThere(there map[[2]string]string) bool {
	for n, keep := range v.Keep {
		column := v.Table.Columns[v.Table.Texts[n]].Name
		if keep && there[[2]string{v.RowKey, column}] != v.patient {
			return false
		}
	}
	return true
}

// Redo puts items through resolve and detection at once, and adds them to g.
func (w *Writer) Redo(ctx context.Context, items []*deid.Item, g *Group) error {
	if err := w.Look.ResolveEach(ctx, items); err != nil {
		return err
	}
	defer func() {
		for _, it := range items {
			it.Release(w.Deid.Reg)
		}
	}()
	// A row that the replica does not have yet comes in the stream, and its surrogates are
	// chosen in the stream's order.
	there := slices.DeleteFunc(slices.Clone(items), func(it *deid.Item) bool { return it.Absent })
	if err := w.deidentifyAll(ctx, there); err != nil {
		return err
	}
	for _, it := range there {
		w.addTo(g, it)
	}
	return nil
}

// deidentifyAll works on items in parallel, those of one patient in order.
func (w *Writer) deidentifyAll(ctx context.Context, items []*deid.Item) error {
	byPatient := map[*patient.Patient][]*deid.Item{}
	var order []*patient.Patient
	for _, it := range items {
		if byPatient[it.Patient] == nil {
			order = append(order, it.Patient)
		}
		byPatient[it.Patient] = append(byPatient[it.Patient], it)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(w.Workers)
	for _, p := range order {
		g.Go(func() error {
			for _, it := range byPatient[p] {
				w.Deid.Deidentify(ctx, it)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// refresh forgets what was read before, where the stream is another process's.
func (w *Writer) refresh(ctx context.Context) error {
	if !w.Beside {
		return nil
	}
	w.Look.ForgetAll()
	w.Deid.Reg.Cache.Clear()
	if err := w.Deid.Reg.ReadMerges(ctx, w.Conn); err != nil {
		return err
	}
	return w.Look.RefreshDirectory(ctx)
}

// made reads rows and de-identifies them, with nothing of what was known before.
func (w *Writer) made(ctx context.Context, read func(context.Context) ([]*deid.Item, error)) (*Group, error) {
	if err := w.refresh(ctx); err != nil {
		return nil, err
	}
	items, err := read(ctx)
	if err != nil {
		return nil, err
	}
	g := NewGroup()
	return g, w.Redo(ctx, items, g)
}

// Try reads and de-identifies rows without waiting for our turn, lets look see what would be written, and
// writes nothing.
func (w *Writer) Try(ctx context.Context, read func(context.Context) ([]*deid.Item, error), look func(context.Context, *Group) error) error {
	tx, err := w.Conn.Begin(ctx)
	if err != nil {
		return fault.New("begin a transaction in the replica", connect.Lost(w.Conn, err), "")
	}
	defer Rollback(tx)
	g, err := w.made(ctx, read)
	if err != nil {
		return err
	}
	return look(ctx, g)
}

// RedoAll reads, de-identifies and writes rows in a transaction of their own;
// after, if not nil, adds to it. read runs when it is our turn to write.
func (w *Writer) RedoAll(ctx context.Context, read func(context.Context) ([]*deid.Item, error),
	after func(context.Context, pgx.Tx) error,
) error {
	tx, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer Rollback(tx)
	g, err := w.made(ctx, read)
	if err != nil {
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
	if err := tx.Commit(ctx); err != nil {
		return fault.New("commit to the replica", connect.Lost(w.Conn, err), "")
	}
	w.forgetGone()
	return nil
}
