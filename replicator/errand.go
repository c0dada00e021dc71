package replicator

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// errand is a request of the vault to read rows again, and how far it has come: the
// notes of one patient, or all rows that one row leads to their patient.
type errand struct {
	patient *requeue    // one of these is set
	path    *pathChange //
	hash    []byte      // of path
	lsn     pglogrepl.LSN
	queued  string   // the transaction that queued it: whoever queues it again has another one
	tables  []*table // still to be gone through
	after   []string // the last key in the first of them
	again   bool     // something came up that counts for the rows before, too
}

func (e *errand) done() bool { return len(e.tables) == 0 }

// patientErrands reads requests for patients.
func (w *rewriter) patientErrands(ctx context.Context, limit int) ([]*errand, error) {
	rows, err := w.conn.Query(ctx, `
		select source_key, coalesce(lsn, '0/0')::text, convert_to(patient, 'UTF8'), xmin::text from deid.requeue
		order by lsn nulls first, patient limit $1`, limit)
	if err != nil {
		return nil, err
	}
	return collectErrands(rows, func(sealed, name []byte, lsn pglogrepl.LSN) (*errand, error) {
		key, err := w.reg.seals.OpenKey("requeue", sealed, string(name))
		if err != nil {
			return nil, err
		}
		e := &errand{patient: &requeue{pseudonym: string(name), sourceKey: key[0], lsn: lsn}, lsn: lsn}
		e.begin(w.reg.plan)
		return e, nil
	})
}

// pathErrands reads requests for rows under a row that changed.
func (w *rewriter) pathErrands(ctx context.Context, limit int) ([]*errand, error) {
	rows, err := w.conn.Query(ctx, `
		select source_key, lsn::text, path_hmac, xmin::text from deid.requeue_path order by lsn, path_hmac limit $1`, limit)
	if err != nil {
		return nil, err
	}
	return collectErrands(rows, func(sealed, hash []byte, lsn pglogrepl.LSN) (*errand, error) {
		key, err := w.reg.seals.OpenKey("path", sealed, string(hash))
		if err != nil {
			return nil, err
		}
		e := &errand{path: openPath(w.reg.plan, key), hash: bytes.Clone(hash), lsn: lsn}
		e.begin(w.reg.plan)
		return e, nil
	})
}

func collectErrands(rows pgx.Rows, open func(sealed, hash []byte, lsn pglogrepl.LSN) (*errand, error)) ([]*errand, error) {
	var list []*errand
	var sealed, hash []byte
	var text, queued string
	_, err := pgx.ForEachRow(rows, []any{&sealed, &text, &hash, &queued}, func() error {
		lsn, err := pglogrepl.ParseLSN(text)
		if err != nil {
			return err
		}
		e, err := open(sealed, hash, lsn)
		if err != nil {
			return err
		}
		e.queued = queued
		list = append(list, e)
		return nil
	})
	return list, err
}

// begin lists the tables with rows that the errand is about.
func (e *errand) begin(p *plan) {
	e.again, e.after, e.tables = false, nil, nil
	for _, t := range p.tables {
		switch {
		case e.patient != nil && t.isNote() && t.HasPatient():
			e.tables = append(e.tables, t)
		case e.path != nil && t.needsPatient(insertOp) && t.hops(e.path.target) > 0:
			e.tables = append(e.tables, t)
		}
	}
}

// page reads up to limit rows. Once they are written, and if these are the last ones, the
// errand is struck off the queue.
func (e *errand) page(ctx context.Context, w *rewriter, limit int) (*page, error) {
	tables, after := e.tables, e.after
	items, err := e.read(ctx, w, limit)
	return &page{
		items:  items,
		finish: func(ctx context.Context) error { return e.written(ctx, w, items) },
		back: func() {
			if e.done() {
				w.active = append(w.active, e)
			}
			e.tables, e.after = tables, after
		},
	}, err
}

// written is called when rows of the errand are written.
func (e *errand) written(ctx context.Context, w *rewriter, items []*item) error {
	for _, it := range items {
		e.again = e.again || e.patient != nil && slices.ContainsFunc(it.tells, func(q *requeue) bool {
			return q.pseudonym == e.patient.pseudonym
		})
	}
	if !e.done() {
		return nil
	}
	if e.again {
		e.begin(w.reg.plan)
		w.active = append(w.active, e)
		return nil
	}
	return e.strike(ctx, w)
}

// read reads the next rows.
func (e *errand) read(ctx context.Context, w *rewriter, limit int) ([]*item, error) {
	var items []*item
	for len(items) < limit && !e.done() {
		t, want := e.tables[0], limit-len(items)
		found, err := e.rowsOf(ctx, w.rows.lookups, t, want)
		if err != nil {
			return nil, fault.New("read rows of table "+t.id+" again", err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
		}
		items = append(items, found...)
		if len(found) < want {
			e.tables, e.after = e.tables[1:], nil
		} else {
			e.after, _ = t.keyTexts(found[len(found)-1].change.row)
		}
	}
	if e.path != nil {
		return items, w.admitAside(ctx, items)
	}
	return items, nil
}

// rowsOf reads rows of one table after the last key.
func (e *errand) rowsOf(ctx context.Context, l *lookups, t *table, limit int) ([]*item, error) {
	clause, where, value := e.condition(t)
	args := []any{arrayLiteral([]string{value})}
	if e.after != nil {
		where += " and " + t.afterKey(2)
		for _, v := range e.after {
			args = append(args, v)
		}
	}
	sql := fmt.Sprintf("select %s from %s where %s order by %s limit %d", t.columnList(), clause, where, t.keyList(), limit)
	var items []*item
	err := queryText(ctx, l.source, sql, func(raw [][]byte) error {
		it := rowItem(&change{op: insertOp, table: t, row: t.rowOf(raw), lsn: e.lsn, read: true})
		it.only, it.background, it.refiled = true, true, e.path != nil
		items = append(items, it)
		return nil
	}, args...)
	return items, err
}

// condition returns the FROM clause and the condition that finds the errand's rows of t,
// and the value for it.
func (e *errand) condition(t *table) (clause, where, value string) {
	if e.patient != nil {
		clause, patient, holder := t.from(atSource)
		return clause, fmt.Sprintf("%s = any($1::%s)", patient, arrayType(holder.columns[holder.via].typ)), e.patient.sourceKey
	}
	to := e.path.target
	hops := t.hops(to)
	col := to.table.columns[to.column]
	return t.join(atSource, hops), fmt.Sprintf("t%d.%s = any($1::%s)", hops, quote(col.Name), arrayType(col.typ)), e.path.value
}

// strike takes the errand off the queue, unless it was queued again since.
func (e *errand) strike(ctx context.Context, w *rewriter) error {
	w.store.metrics.requeued.Inc()
	if e.path != nil {
		_, err := w.conn.Exec(ctx, "delete from deid.requeue_path where path_hmac = $1 and xmin::text = $2", e.hash, e.queued)
		return fault.New("strike a row off the queue", connect.Lost(w.conn, err), "")
	}
	_, err := w.conn.Exec(ctx, "delete from deid.requeue where patient = $1 and xmin::text = $2", e.patient.pseudonym, e.queued)
	return fault.New("strike a patient off the queue", connect.Lost(w.conn, err), "")
}

// admitAside lets rows be written that the replica does not have because they led to no
// patient, or to several.
func (w *rewriter) admitAside(ctx context.Context, items []*item) error {
	if len(items) == 0 || !w.store.anyAside.Load() {
		return nil
	}
	byHash := map[string]*item{}
	var tables []string
	var hashes [][]byte
	for _, it := range items {
		key, _ := it.change.table.keyTexts(it.change.row)
		hash := w.reg.seals.RowHash(it.change.table.id, key)
		byHash[string(hash)] = it
		tables, hashes = append(tables, it.change.table.id), append(hashes, hash)
	}
	rows, err := w.conn.Query(ctx, `
		select q.key_hmac from deid.quarantine q join unnest($1::text[], $2::bytea[]) u(t, h) on q.table_name = u.t and q.key_hmac = u.h
		where q.reason in ('`+string(noPatient)+`', '`+string(severalPatients)+`')`, tables, hashes)
	if err == nil {
		var hash []byte
		_, err = pgx.ForEachRow(rows, []any{&hash}, func() error {
			byHash[string(hash)].only = false
			return nil
		})
	}
	return fault.New("read the quarantine", connect.Lost(w.conn, err), "")
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
