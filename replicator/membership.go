package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql"
)

// Every session, and each of its heartbeats, makes sure that the stream has the
// changes of all mapped tables: what the publication carries is compared with the
// plan, and with what it carried when the rows were copied. While it lacks something
// nothing is streamed: rows would go stale in silence, and notes would be searched
// without names that changed. Tables that changes may have passed by are copied
// again before the stream goes on.

// errUnpublished marks that the publication lacks something that it had before. It
// goes away once the publication is complete again.
var errUnpublished = errors.New("changes pass by the stream")

// errCopyAgain marks that tables must be copied again, which the next session does.
var errCopyAgain = errors.New("tables must be copied again")

// wanted returns what the publication must carry.
func (p *plan) wanted() []sql.Wanted {
	list := make([]sql.Wanted, len(p.tables))
	for i, t := range p.tables {
		list[i].Table = t.id
		for _, c := range t.columns {
			list[i].Columns = append(list[i].Columns, c.Name)
		}
	}
	return list
}

// complete reads the publication and returns an error unless it carries the plan;
// begun says that rows were copied before, so that it may be waited for.
func (r *run) complete(ctx context.Context, begun bool) (*sql.Publication, error) {
	carried, err := sql.ReadPublication(ctx, r.source, r.cfg.Source.Publication)
	if err != nil {
		return nil, fault.New("check publication "+r.cfg.Source.Publication, connect.Lost(r.source, err), "")
	}
	lacks := carried.Lacks(r.plan.wanted())
	if len(lacks) == 0 {
		return carried, nil
	}
	err, hint := errors.New(strings.Join(lacks, "; ")), "run 'pgdeid migrate up --target source', which makes or completes it"
	if begun && carried.Exists {
		err = fmt.Errorf("%w: %w", errUnpublished, err)
		hint += "; pgdeid then copies again what passed by"
	}
	return nil, fault.New("check publication "+r.cfg.Source.Publication, err, hint)
}

// reconcile marks the tables that changes may have passed by since they were copied,
// and remembers how they are published now. begun is false if nothing was copied yet.
func (r *run) reconcile(ctx context.Context, carried *sql.Publication, begun bool) error {
	const op = "compare the publication with what was copied"
	then, err := sql.ReadMembership(ctx, r.control, r.cfg.Source.Slot)
	if err != nil {
		return err
	}
	want := r.plan.wanted()
	batch := &pgx.Batch{}
	if begun {
		rejoined, err := carried.Rejoined(ctx, r.source, then, want)
		if err != nil {
			return err
		}
		for _, t := range rejoined {
			r.log.Warn("changes passed by: tables are copied again", "table", t.Table, "why", t.Why)
			sql.QueueCopyAgain(batch, r.cfg.Source.Slot, r.plan.following(r.plan.byID[t.Table]), "table "+t.Table+": "+t.Why)
		}
	}
	sql.QueueMembership(batch, r.cfg.Source.Slot, carried, want)
	if err := r.control.SendBatch(ctx, batch).Close(); err != nil { // one transaction
		return fault.New(op, connect.Lost(r.control, err), "run 'pgdeid migrate up'")
	}
	r.members = carried
	return nil
}

// following returns the names of the tables whose rows depend on changes of t: t
// itself, those whose paths lead through it and, if it has columns with
// roles, all notes.
func (p *plan) following(t *table) []string {
	var names []string
	for _, other := range p.tables {
		if other == t || t.tellsPatient() && other.isNote() || other.leadsThrough(t) {
			names = append(names, other.id)
		}
	}
	return names
}

// leadsThrough reports whether t's path to the patient goes through another table.
func (t *table) leadsThrough(other *table) bool {
	for next := t.next; next != nil; next = next.next {
		if next == other {
			return true
		}
	}
	return false
}

// watch does what a session does at its start, while it streams: it ends the
// session where the publication lacks something, or tables must be copied again.
func (r *run) watch(ctx context.Context) error {
	carried, err := r.complete(ctx, true)
	if err != nil {
		return err
	}
	want := r.plan.wanted()
	rejoined, err := carried.Rejoined(ctx, r.source, r.members.Tables, want)
	if err != nil {
		return err
	}
	if len(rejoined) > 0 {
		return fault.New("follow table "+rejoined[0].Table, fmt.Errorf("%w: %s", errCopyAgain, rejoined[0].Why), "it is copied again by itself")
	}
	var marked bool
	err = r.control.QueryRow(ctx, "select exists (select from deid.snapshot where slot = $1 and not done)", r.cfg.Source.Slot).Scan(&marked)
	if err == nil && marked {
		err = errCopyAgain
	}
	if err != nil {
		return fault.New("look for tables to copy again", connect.Lost(r.control, err), "they are copied by themselves")
	}
	return r.carryOn(ctx, carried, want)
}

// carryOn remembers entries that took the place of others, and partitions that were
// added and hold nothing yet.
func (r *run) carryOn(ctx context.Context, carried *sql.Publication, want []sql.Wanted) error {
	same := func(w sql.Wanted) bool {
		now, was := carried.Tables[w.Table], r.members.Tables[w.Table]
		return now.Since == was.Since && slices.Equal(now.Partitions, was.Partitions)
	}
	changed := slices.DeleteFunc(want, same)
	if len(changed) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	sql.QueueMembership(batch, r.cfg.Source.Slot, carried, changed)
	r.members = carried
	return fault.New("store how the tables are published", connect.Lost(r.control, r.control.SendBatch(ctx, batch).Close()), "")
}
