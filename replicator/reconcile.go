package replicator

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Reconciliation.
//
// Where the stream can't go on (a lost slot, a source that was set back, a replica that was restored), a new slot is
// made first, with its snapshot: from there on the stream misses nothing. Then each table is gone through as
// by a copy, with the same pages, cursors and coverage, so that it goes on after a crash, and only the rows are written that a copy
// would write otherwise than they are. Analysts go on reading: what they see is as old as before, row by row less so.
//
// All tables are compared, records before notes: what became known of a patient in between shows in the hashes of
// that patient's notes, and these are made anew.

// TableDifferences says in what a table of the replica differed from the source.
type TableDifferences struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"` // of the source
	apply.Differences
}

// Reconciliation is what a comparison found, and mended.
type Reconciliation struct {
	Tables []TableDifferences `json:"tables"`
	// Elsewhere is true where another process follows the stream: that one compares, beginning with its next heartbeat.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Differ reports whether anything differed.
func (c *Reconciliation) Differ() bool {
	for i := range c.Tables {
		if c.Tables[i].Any() {
			return true
		}
	}
	return false
}

// Reconcile compares the replica with the source, and writes what differs. Where the stored position or the slot are of
// no use any more, it makes a new slot. One that was interrupted goes on.
func Reconcile(ctx context.Context, o session.Options) (*Reconciliation, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, fault.New("start", err, "")
	}
	res := &Reconciliation{}
	begun := false
	err = repeat(ctx, ctx, &o, newHealth(&o), func(r *run) error {
		if !begun {
			if err := r.beginComparison(ctx); err != nil {
				return err
			}
			begun = true
		}
		_, err := r.prepare(ctx, ctx)
		if errors.Is(err, session.ErrNotAlone) {
			res.Elsewhere = true
			return nil
		}
		if err != nil {
			return err
		}
		res.Tables, err = r.compared(ctx)
		return err
	})
	if err == nil {
		err = fault.New("compare", ctx.Err(), "run 'pgdeid reconcile' again: it goes on where it stopped")
	}
	return res, err
}

// beginComparison asks for the comparison of all tables, durably, unless one is under way and the stream can go on.
func (r *run) beginComparison(ctx context.Context) error {
	const op = "compare the replica with the source"
	pending, err := r.comparing(ctx)
	if err != nil {
		return err
	}
	at, err := source.LoadProgress(ctx, r.Control, r.Cfg.Source.Slot)
	switch {
	case err != nil:
		return err
	case at == nil && pending:
		return nil
	case at == nil:
		return fault.New(op, errors.New("nothing was copied yet"), "run 'pgdeid snapshot'")
	}
	if err := at.SameMapping(r.Plan.Hash); err != nil { // rows of another mapping all differ
		return err
	}
	broken, err := r.broken(ctx, at)
	switch {
	case err != nil:
		return err
	case broken != nil:
		r.Log.Warn("the stream can't go on from here: a new slot is made, and all tables are compared", "why", broken)
		return r.startOver(ctx, queueCompare)
	case pending:
		return nil
	}
	batch := &pgx.Batch{}
	queueCompare(batch, r.Cfg.Source.Slot)
	return fault.New(op, connect.Lost(r.Control, r.Control.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'")
}

// broken returns why the stream can't go on from a position, or nil.
func (r *run) broken(ctx context.Context, at *source.Progress) (why, err error) {
	slot, err := source.ReadSlot(ctx, r.Source, r.Cfg.Source.Slot)
	if err != nil {
		return nil, err
	}
	if why := slot.Usable(r.Cfg.Source.Slot); why != nil {
		return why, nil
	}
	conn, err := connect.Replication(ctx, r.Cfg)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	from, err := source.ReadOrigin(ctx, conn)
	if err != nil {
		return nil, err
	}
	return at.Continues(from, slot), nil
}

// queueCompare queues that all tables of a slot are compared from the beginning.
func queueCompare(batch *pgx.Batch, slot string) {
	batch.Queue(`update deid.snapshot set last_key = null, rows = 0, done = false, seen = null, seen_lsn = null,
		again = 'compared with the source', compare = true, added = 0, changed = 0, removed = 0 where slot = $1`, slot)
	batch.Queue("delete from deid.copy_chunk where slot = $1", slot)
}

// comparing reports whether a comparison is under way.
func (r *run) comparing(ctx context.Context) (pending bool, err error) {
	err = r.Control.QueryRow(ctx, "select exists (select from deid.snapshot where slot = $1 and compare and not done)",
		r.Cfg.Source.Slot).Scan(&pending)
	return pending, fault.New("look for tables that are being compared", connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
}

// compared reads what the comparison has found.
func (r *run) compared(ctx context.Context) ([]TableDifferences, error) {
	const op = "read what the comparison found"
	rows, _ := r.Control.Query(ctx, `
		select table_name, rows, added, changed, removed from deid.snapshot where slot = $1 and compare order by 1`, r.Cfg.Source.Slot)
	var list []TableDifferences
	var t TableDifferences
	_, err := pgx.ForEachRow(rows, []any{&t.Table, &t.Rows, &t.Added, &t.Changed, &t.Removed}, func() error {
		list = append(list, t)
		return nil
	})
	return list, fault.New(op, connect.Lost(r.Control, err), "")
}

// CountDifferences compares the replica with the source and changes nothing. What the stream is still to bring
// counts as different.
func CountDifferences(ctx context.Context, o session.Options) (*Reconciliation, error) {
	res := &Reconciliation{}
	err := session.Once(ctx, o, func(s *session.Session) error {
		m, err := s.NewRemaker(ctx)
		if err != nil {
			return err
		}
		r := &run{Session: s}
		at, err := source.LoadProgress(ctx, s.Control, s.Cfg.Source.Slot)
		if err != nil {
			return err
		}
		if at != nil {
			if err := at.SameMapping(s.Plan.Hash); err != nil {
				return err
			}
		}
		for _, t := range s.Plan.Tables {
			if len(t.Publish) == 0 {
				continue
			}
			found, err := r.countTable(ctx, t, m)
			if err != nil {
				return err
			}
			res.Tables = append(res.Tables, *found)
		}
		return nil
	})
	return res, err
}

// countTable counts the differences of one table.
func (r *run) countTable(ctx context.Context, t *schema.Table, m *apply.Remaker) (*TableDifferences, error) {
	found := &TableDifferences{Table: t.ID}
	err := r.leftovers(ctx, r.Source, t, m.Look.Lookups, func(gone []*apply.Version) error {
		found.Removed += int64(len(gone))
		return nil
	})
	if err != nil {
		return nil, err
	}
	estimate := r.Estimate(ctx, t)
	for page := (deid.Page{}); !page.Done; {
		page, err = deid.ReadPage(ctx, r.Source, t, page.After, deid.Request{Compared: deid.ForCount}, PageRows)
		if err != nil {
			return nil, err
		}
		if err := m.Count(ctx, page.Items, &found.Differences); err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			if it.Ends == nil {
				found.Rows++
			}
		}
		if r.Opts.Snapshot != nil {
			r.Opts.Snapshot(session.SnapshotProgress{Table: t.ID, Rows: found.Rows, Estimate: estimate, Done: page.Done})
		}
	}
	return found, nil
}
