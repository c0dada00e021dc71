package replicator

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// requeueAll reads again the notes of the patients whose record changed in the
// transaction that was just committed.
func (c *committer) requeueAll(ctx context.Context) error {
	for name, q := range c.pending {
		if err := c.requeuePatient(ctx, q); err != nil {
			return err
		}
		delete(c.pending, name)
	}
	return nil
}

// finishLeftOver fulfils the requests that an earlier run left behind.
func (w *writer) finishLeftOver(ctx context.Context) error {
	left, err := w.leftOver(ctx)
	if err != nil {
		return err
	}
	for _, q := range left {
		if err := w.requeuePatient(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// leftOver reads the requests that an earlier run could not fulfil.
func (w *writer) leftOver(ctx context.Context) (map[string]*requeue, error) {
	const op = "read the patients whose record changed"
	rows, err := w.conn.Query(ctx, `select patient, source_key, coalesce(lsn, '0/0')::text from deid.requeue`)
	if err != nil {
		return nil, fault.New(op, lost(w.conn, err), "")
	}
	found := map[string]*requeue{}
	var name, lsn string
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &sealed, &lsn}, func() error {
		key, err := w.openKey("patient", sealed)
		if err != nil {
			return err
		}
		at, err := pglogrepl.ParseLSN(lsn)
		if err != nil {
			return err
		}
		found[name] = &requeue{pseudonym: name, sourceKey: key[0], lsn: at}
		return nil
	})
	return found, fault.New(op, lost(w.conn, err), "")
}

// requeuePatient reads the notes of one patient and rewrites those that the
// replica has. A note that is gone from the replica stays gone, and one that it
// does not have yet comes in the stream.
func (w *writer) requeuePatient(ctx context.Context, q *requeue) error {
	for _, t := range w.look.plan.tables {
		if !t.isNote() || !t.HasPatient() {
			continue
		}
		if err := w.rewrite(ctx, t, q); err != nil {
			return err
		}
	}
	w.metrics.requeued.Inc()
	_, err := w.conn.Exec(ctx, `delete from deid.requeue where patient = $1 and coalesce(lsn, '0/0') <= $2::text::pg_lsn`,
		q.pseudonym, q.lsn.String())
	return fault.New("strike a patient off the queue", lost(w.conn, err), "")
}

// rewriteRows is how many notes are rewritten in one transaction: more would hold
// up the stream of the others.
const rewriteRows = 100

// rewrite goes through a patient's notes in one table, in the order of their keys.
func (w *writer) rewrite(ctx context.Context, t *table, q *requeue) error {
	var after []string
	for {
		read := 0
		err := w.redoAll(ctx, func(ctx context.Context) ([]*item, error) {
			items, err := w.look.notesOf(ctx, t, q, after)
			if read = len(items); read > 0 {
				after, _ = t.keyTexts(items[read-1].change.row)
			}
			return items, err
		}, nil)
		if err != nil || read < rewriteRows {
			return err
		}
	}
}

// notesOf reads notes of a patient after a key.
func (l *lookups) notesOf(ctx context.Context, t *table, q *requeue, after []string) ([]*item, error) {
	clause, patient, holder := t.from(atSource)
	where := fmt.Sprintf("%s = any($1::%s)", patient, arrayType(holder.columns[holder.via].typ))
	args := []any{arrayLiteral([]string{q.sourceKey})}
	if after != nil {
		where += " and " + t.afterKey(2)
		for _, v := range after {
			args = append(args, v)
		}
	}
	sql := fmt.Sprintf("select %s from %s where %s order by %s limit %d", t.columnList(), clause, where, t.keyList(), rewriteRows)
	var items []*item
	err := queryText(ctx, l.source, sql, func(raw [][]byte) error {
		it := rowItem(&change{op: insertOp, table: t, row: t.rowOf(raw), lsn: q.lsn, read: true})
		it.only = true
		items = append(items, it)
		return nil
	}, args...)
	return items, fault.New("read a patient's notes of table "+t.id, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// keyList names the key's columns, for ORDER BY.
func (t *table) keyList() string {
	names := make([]string, len(t.key))
	for i, k := range t.key {
		names[i] = "t0." + quote(t.columns[k].Name)
	}
	return strings.Join(names, ", ")
}

// afterKey compares the key with parameters from $first on.
func (t *table) afterKey(first int) string {
	params := make([]string, len(t.key))
	for i, k := range t.key {
		params[i] = fmt.Sprintf("$%d::%s", first+i, t.columns[k].typ)
	}
	return fmt.Sprintf("(%s) > (%s)", t.keyList(), strings.Join(params, ", "))
}
