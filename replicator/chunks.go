package replicator

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/backfill"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// A copy by several processes. The process that has the slot plans the parts of one table after the
// other and keeps the snapshot that all read in; others copy the parts (work.go). A table's copy is
// complete when all its parts are; the next table's parts are planned then, so that a patient's
// surrogates are chosen in the order in which one process would choose them. See doc.go.

// shared reports whether others copy a table: not one that decides who is published, whose rows are
// counted as a whole, nor one of which a part was copied by key already, nor one that is only compared.
func (r *run) shared(c copyState) bool {
	t := c.table
	return r.Opts.ByWorkers && c.after == nil && !c.compare && len(t.Publish) > 0 && len(t.Filters) == 0 && (t.Personal || t.Lines == nil)
}

// lend lets other processes read in the transaction's snapshot, as long as it is open.
func (r *run) lend(ctx context.Context, tx pgx.Tx) error {
	var snapshot string
	if err := tx.QueryRow(ctx, "select pg_export_snapshot()").Scan(&snapshot); err != nil {
		return fault.New("lend the snapshot of the copy to others", err, "")
	}
	return backfill.Open(ctx, r.Control, r.Cfg.Source.Slot, snapshot, r.Deid.Made)
}

// storePlanned stores how many rows are to be copied, as far as the source's statistics say.
func (r *run) storePlanned(ctx context.Context, list []copyState) error {
	for _, c := range list {
		_, err := r.Control.Exec(ctx, "update deid.snapshot set planned = nullif($3::bigint, 0) where slot = $1 and table_name = $2",
			r.Cfg.Source.Slot, c.table.ID, r.Estimate(ctx, c.table))
		if err != nil {
			return fault.New("store how many rows there are", connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
		}
	}
	return nil
}

// shareTable has others copy a table, and waits until they have. What makes one part is not worth
// their while. conn and tx are those that the snapshot is read in.
func (r *run) shareTable(ctx, stop context.Context, conn *pgx.Conn, tx pgx.Tx, c copyState, w *apply.Writer, look *patient.Lookups) error {
	slot, t := r.Cfg.Source.Slot, c.table
	planned, err := backfill.Planned(ctx, r.Control, slot, t.ID)
	if err != nil {
		return err
	}
	if !planned {
		clean, err := r.startTable(ctx, conn, c, w, look)
		if err != nil {
			return err
		}
		parts, err := r.parts(ctx, conn, t)
		if err != nil {
			return err
		}
		if len(parts) <= 1 {
			return r.copyRows(ctx, stop, conn, c, clean, w, look)
		}
		err = r.plan(ctx, t, parts, !clean)
		if err != nil {
			return err
		}
	} else if err := r.planAgain(ctx, conn, t); err != nil {
		return err
	}
	return r.awaitParts(ctx, stop, tx, t)
}

func (r *run) plan(ctx context.Context, t *schema.Table, parts []backfill.Counted, compare bool) error {
	r.Log.Info("parts of a table are planned", "table", t.ID, "parts", len(parts))
	return backfill.Plan(ctx, r.Control, r.Seals, r.Cfg.Source.Slot, t.ID, parts, compare)
}

// planAgain goes on with parts that were planned in another snapshot. Which rows a part has by their own columns is the
// same in each, but for what comes in the stream. Where joins lead to the patient, a row of the way
// may have moved rows from a part that is left to one that was copied, without a change of their
// own: these parts are planned anew, and what is copied is compared.
func (r *run) planAgain(ctx context.Context, conn *pgx.Conn, t *schema.Table) error {
	if t.Next == nil || !t.Personal {
		return backfill.Again(ctx, r.Control, r.Cfg.Source.Slot, t.ID)
	}
	parts, err := r.parts(ctx, conn, t)
	if err != nil {
		return err
	}
	return r.plan(ctx, t, parts, true)
}

// awaitParts waits until all parts of a table are copied.
func (r *run) awaitParts(ctx, stop context.Context, tx pgx.Tx, t *schema.Table) error {
	tick := time.NewTicker(sharePoll)
	defer tick.Stop()
	for {
		p, err := r.lookAfter(ctx, tx, t)
		if err != nil {
			return err
		}
		if p.Done == p.Parts {
			return backfill.Finish(ctx, r.Control, r.Cfg.Source.Slot, t.ID)
		}
		select {
		case <-tick.C:
		case <-stop.Done():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sharePoll is how often the process that has the slot looks what the others do.
const sharePoll = 500 * time.Millisecond

// lookAfter gives parts to others whose process died, and shows how far all are.
func (r *run) lookAfter(ctx context.Context, tx pgx.Tx, t *schema.Table) (backfill.Progress, error) {
	slot := r.Cfg.Source.Slot
	if _, err := tx.Exec(ctx, "select"); err != nil { // the snapshot is gone with its transaction
		return backfill.Progress{}, fault.New("keep the snapshot that is copied", connect.Lost(tx.Conn(), err), "")
	}
	died, err := backfill.Orphans(ctx, r.Control, slot, t.ID)
	if err != nil {
		return backfill.Progress{}, err
	}
	if died > 0 {
		r.Metrics.Redone.Add(float64(died))
		r.Log.Warn("processes died while they copied; others go on with their parts", "table", t.ID, "parts", died)
	}
	p, err := backfill.ReadProgress(ctx, r.Control, slot, t.ID)
	r.Metrics.Parts(p.Parts-p.Done-p.Taken, p.Taken, p.Done)
	if err == nil && r.Opts.Snapshot != nil {
		r.Opts.Snapshot(session.SnapshotProgress{Table: t.ID, Rows: p.Rows, Estimate: max(p.Planned, p.Rows), Done: p.Done == p.Parts})
	}
	return p, err
}

// parts divides a table: by patients where rows are made with what is known of one, and by keys elsewhere.
func (r *run) parts(ctx context.Context, conn *pgx.Conn, t *schema.Table) ([]backfill.Counted, error) {
	op, hint := "plan the copy of table "+t.ID, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'"
	if !t.Personal {
		keys, err := t.CutByKey(ctx, conn, backfill.PartRows)
		return backfill.Between(keys, backfill.PartRows), fault.New(op, err, hint)
	}
	var patients backfill.Patients
	alone, err := t.CountByPatient(ctx, conn, func(id string, rows int64) { patients.Add(id, r.Reg.Stands(id), rows) })
	return patients.Parts(backfill.PartRows, alone), fault.New(op, err, hint)
}
