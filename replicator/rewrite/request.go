package rewrite

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// request is a request of the vault to read rows again, and how far it has come: the
// notes of one patient, all rows of one, or all rows that one row leads to their patient.
type request struct {
	phi.Redacted

	patient *deid.Requeue       // one of these is set
	path    *patient.PathChange //
	hash    []byte              // of path
	lsn     pglogrepl.LSN
	queued  string          // the transaction that queued it: it has another one when it is queued again
	tables  []*schema.Table // still to be gone through
	after   []string        // the last key in the first of them
	again   bool            // something came up that counts for the rows before, too
}

func (e *request) done() bool { return len(e.tables) == 0 }

// patientRequests reads requests for patients.
func (w *Rewriter) patientRequests(ctx context.Context, limit int) ([]*request, error) {
	rows, _ := w.conn.Query(ctx, `
		select source_key, coalesce(lsn, '0/0'), convert_to(patient, 'UTF8'), xmin::text, whole from deid.requeue
		order by lsn nulls first, patient limit $1`, limit)
	return collectRequests(rows, func(sealed, name []byte, lsn pglogrepl.LSN, whole bool) (*request, error) {
		key, err := w.reg.Seals.OpenKey("requeue", sealed, string(name))
		if err != nil {
			return nil, err
		}
		// It may have been queued by another process, which stored words of the record that the cache lacks.
		w.reg.Cache.Forget(key[0])
		e := &request{patient: &deid.Requeue{Pseudonym: string(name), SourceKey: key[0], LSN: lsn, Whole: whole}, lsn: lsn}
		e.begin(w.reg.Plan)
		return e, nil
	})
}

// pathRequests reads requests for rows under a row that changed.
func (w *Rewriter) pathRequests(ctx context.Context, limit int) ([]*request, error) {
	rows, _ := w.conn.Query(ctx, `
		select source_key, lsn, path_hmac, xmin::text, false from deid.requeue_path order by lsn, path_hmac limit $1`, limit)
	return collectRequests(rows, func(sealed, hash []byte, lsn pglogrepl.LSN, _ bool) (*request, error) {
		key, err := w.reg.Seals.OpenKey("path", sealed, string(hash))
		if err != nil {
			return nil, err
		}
		e := &request{path: patient.OpenPath(w.reg.Plan, key), hash: bytes.Clone(hash), lsn: lsn}
		e.begin(w.reg.Plan)
		return e, nil
	})
}

func collectRequests(rows pgx.Rows, open func(sealed, hash []byte, lsn pglogrepl.LSN, whole bool) (*request, error)) ([]*request, error) {
	var list []*request
	var sealed, hash []byte
	var lsn pglogrepl.LSN
	var queued string
	var whole bool
	_, err := pgx.ForEachRow(rows, []any{&sealed, &lsn, &hash, &queued, &whole}, func() error {
		e, err := open(sealed, hash, lsn, whole)
		if err != nil {
			return err
		}
		e.queued = queued
		list = append(list, e)
		return nil
	})
	return list, err
}

// begin lists the tables with rows that the request is about.
func (e *request) begin(p *schema.Plan) {
	e.again, e.after, e.tables = false, nil, nil
	for _, t := range p.Tables {
		switch {
		case len(t.Publish) == 0 || !t.HasPatient():
		case e.patient != nil && (t.IsNote() || e.patient.Whole):
			e.tables = append(e.tables, t)
		case e.path != nil && t.Hops(e.path.Target) > 0:
			e.tables = append(e.tables, t)
		}
	}
}

// page reads up to limit rows. Once they are written, and if these are the last ones, the
// request is struck off the queue.
func (e *request) page(ctx context.Context, w *Rewriter, limit int) (*page, error) {
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

// written is called when rows of the request are written.
func (e *request) written(ctx context.Context, w *Rewriter, items []*deid.Item) error {
	for _, it := range items {
		e.again = e.again || e.patient != nil && slices.ContainsFunc(it.Requests, func(q *deid.Requeue) bool {
			return q.Pseudonym == e.patient.Pseudonym
		})
	}
	if !e.done() {
		return nil
	}
	if e.again {
		e.begin(w.reg.Plan)
		w.active = append(w.active, e)
		return nil
	}
	return e.strike(ctx, w)
}

// read reads the next rows.
func (e *request) read(ctx context.Context, w *Rewriter, limit int) ([]*deid.Item, error) {
	var items []*deid.Item
	for len(items) < limit && !e.done() {
		t, want := e.tables[0], limit-len(items)
		next, err := e.rowsOf(ctx, w.rows.Lookups, t, want)
		if err != nil {
			return nil, fault.New("read rows of table "+t.ID+" again", err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
		}
		items = append(items, next.Items...)
		if e.after = next.After; next.Done {
			e.tables, e.after = e.tables[1:], nil
		}
	}
	if !w.store.AnyAside.Load() {
		return items, nil
	}
	return items, connect.Lost(w.conn, admitAside(ctx, w.conn, w.reg.Seals, items))
}

// rowsOf reads rows of one table after the last key.
func (e *request) rowsOf(ctx context.Context, l *patient.Lookups, t *schema.Table, limit int) (deid.Page, error) {
	clause, where, args := e.condition(t, &l.Merges)
	like := schema.Change{Op: schema.InsertOp, Table: t, LSN: e.lsn, Read: true}
	asked := deid.Request{Only: !e.admits(l.Register), Background: true, Refiled: e.path != nil}
	return deid.ReadAmong(ctx, l.Source, schema.Among{From: clause, Where: where, Args: args}, e.after, like, asked, limit)
}

// admits reports whether the request's rows are written also where the replica does not have them:
// those of a patient who stayed out, or was merged, may be another one's now, or the patient is back.
func (e *request) admits(r *patient.Register) bool {
	if e.patient != nil {
		return e.patient.Whole
	}
	return r.LeavesOut() || r.Plan.Config.Merging()
}

// condition returns the FROM clause and the condition that finds the request's rows of t,
// and its parameters.
func (e *request) condition(t *schema.Table, merges *patient.Merges) (clause, where string, args []any) {
	if e.patient != nil {
		ids := merges.Under(e.patient.SourceKey)
		clause, patient, alias := t.From(schema.AtSource)
		return clause, patient.In(alias, 1), patient.Args(ids)
	}
	// By what looks the value up: the row with the value may be gone.
	last := t.Hops(e.path.Target) - 1
	from := t
	for range last {
		from = from.Next
	}
	value := e.path.Value
	if e.path.Target.Table.Columns[e.path.Target.Column].Typ == "character" {
		value = strings.TrimRight(value, " ") // it is padded, and what leads to it need not be
	}
	via := from.Leads()
	return t.Join(schema.AtSource, last), via.In(fmt.Sprintf("t%d", last), 1), via.Args([]string{value})
}

// strike takes the request off the queue, unless it was queued again since.
func (e *request) strike(ctx context.Context, w *Rewriter) error {
	w.store.Metrics.Requeued.Inc()
	if e.path != nil {
		_, err := w.conn.Exec(ctx, "delete from deid.requeue_path where path_hmac = $1 and xmin::text = $2", e.hash, e.queued)
		return fault.New("strike a row off the queue", connect.Lost(w.conn, err), "")
	}
	_, err := w.conn.Exec(ctx, "delete from deid.requeue where patient = $1 and xmin::text = $2", e.patient.Pseudonym, e.queued)
	return fault.New("strike a patient off the queue", connect.Lost(w.conn, err), "")
}

// admitAside has rows written that the replica does not have because they are set aside for a reason that may be
// gone: they led to no patient, or to several, or what they were made with had changed.
func admitAside(ctx context.Context, db vault.Querier, seals vault.Seals, items []*deid.Item) error {
	byHash := map[string]*deid.Item{}
	var tables []string
	var hashes [][]byte
	for _, it := range items {
		key, ok := it.Change.Table.KeyTexts(it.Change.Row)
		if !ok {
			continue
		}
		hash := seals.RowHash(it.Change.Table.ID, key)
		byHash[string(hash)] = it
		tables, hashes = append(tables, it.Change.Table.ID), append(hashes, hash)
	}
	if len(hashes) == 0 {
		return nil
	}
	rows, err := db.Query(ctx, `
		select q.key_hmac from deid.quarantine q join unnest($1::text[], $2::bytea[]) u(t, h) on q.table_name = u.t and q.key_hmac = u.h
		where q.reason = any($3::text[])`, tables, hashes, admitted)
	if err == nil {
		var hash []byte
		_, err = pgx.ForEachRow(rows, []any{&hash}, func() error {
			it := byHash[string(hash)]
			it.Only, it.Fresh = false, true
			return nil
		})
	}
	return fault.New("read the quarantine", err, "")
}

// admitted are the reasons that may be gone when a row is read again.
var admitted = []string{string(vault.NoPatient), string(vault.SeveralPatients), string(vault.Outdated)}
