package replicator

import (
	"context"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/publication"
	"github.com/pgdeid/pgdeid/sql/research"
)

// prepare makes sure that slot, position and first copy are there, and returns
// the position to stream from.
func (r *run) prepare(ctx, stop context.Context) (*source.Progress, error) {
	conn, err := connect.Replication(ctx, r.Cfg)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	if err := r.alone(ctx); err != nil {
		return nil, err
	}
	at, err := source.LoadProgress(ctx, r.Control, r.Cfg.Source.Slot)
	if err != nil {
		return nil, err
	}
	// After the position too: what a process that died had on its way may commit until then.
	if err := r.Reg.ReadMerges(ctx, r.Control); err != nil {
		return nil, err
	}
	from, err := source.ReadOrigin(ctx, conn) // after the position, so that its end is not older
	if err != nil {
		return nil, err
	}
	r.Metrics.Origin(from)
	slot, err := source.ReadSlot(ctx, r.Source, r.Cfg.Source.Slot)
	if err != nil {
		return nil, err
	}
	carried, err := r.complete(ctx, at != nil)
	if err != nil {
		return nil, err
	}
	if err := r.warnOfWholeRows(ctx); err != nil {
		return nil, err
	}
	begun := at != nil
	at, snapshot, err := r.startingPoint(ctx, conn, from, at, slot)
	if err != nil {
		return nil, err
	}
	if err := r.storeStart(ctx, at); err != nil {
		return nil, err
	}
	if err := r.StoreDataset(ctx); err != nil {
		return nil, err
	}
	if err := r.noteMembership(ctx, carried, begun); err != nil {
		return nil, err
	}
	if err := r.copyAll(ctx, stop, snapshot); err != nil || stop.Err() != nil {
		return at, err
	}
	return at, r.orderCopied(ctx, stop)
}

// alone makes sure that no other process copies or streams through the slot into
// this replica, until the session ends.
func (r *run) alone(ctx context.Context) error {
	var got bool
	err := r.Control.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended($1, 0))", research.SlotLock(r.Cfg.Source.Slot)).Scan(&got)
	if err == nil && !got {
		err = session.ErrNotAlone
	}
	return fault.New("take slot "+r.Cfg.Source.Slot, connect.Lost(r.Control, err), "this one goes on when the other one ends")
}

// startingPoint returns the stored position, if it still fits the source, or else
// that of a slot which nothing was read from, or of a new one with its snapshot.
func (r *run) startingPoint(ctx context.Context, conn *pgconn.PgConn, from *source.Origin, at *source.Progress, slot *source.Slot) (
	_ *source.Progress, snapshot string, err error,
) {
	name := r.Cfg.Source.Slot
	if at != nil || slot != nil {
		if err := slot.Usable(name); err != nil {
			return nil, "", session.Refuse(metrics.BrokenSlot, err)
		}
	}
	switch {
	case at != nil:
		if err := at.Continues(from, slot); err != nil {
			return nil, "", session.Refuse(metrics.OtherHistory, err)
		}
		at.Timeline, at.History, at.Restart = from.Timeline, from.History, slot.Restart
		return at, "", session.Refuse(metrics.OtherMapping, at.SameMapping(r.Plan.Hash))
	case slot != nil: // a crash came between the slot's creation and the position's
		r.Log.Info("taking over a slot that nothing was read from", "slot", name)
		return r.newProgress(from, slot.Confirmed, slot.Restart), "", nil
	}
	created, err := r.createSlot(ctx, conn)
	if err != nil {
		return nil, "", err
	}
	r.Log.Info("slot created", "slot", name, "at", created.Consistent)
	return r.newProgress(from, created.Consistent, 0), created.Snapshot, nil
}

// createSlot makes the slot; after a while the log names the transactions that it waits for.
func (r *run) createSlot(ctx context.Context, conn *pgconn.PgConn) (*source.Created, error) {
	defer source.NameBlockers(ctx, r.Source, r.Log, "the slot")()
	return source.CreateSlot(ctx, conn, r.Cfg.Source.Slot)
}

func (r *run) newProgress(from *source.Origin, lsn, restart pglogrepl.LSN) *source.Progress {
	return &source.Progress{
		SystemID: from.SystemID, Timeline: from.Timeline, History: from.History, LSN: lsn, Restart: restart, Hash: r.Plan.Hash,
	}
}

// storeStart stores a position and a row for each table that must be copied. Both
// may be there already.
func (r *run) storeStart(ctx context.Context, at *source.Progress) error {
	var names []string
	for _, t := range r.Plan.Tables {
		if t.IsCopied() {
			names = append(names, t.ID)
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(source.InsertProgress, r.Cfg.Source.Slot, at.SystemID, at.Timeline, at.LSN, at.Hash,
		source.WriteHistory(at.History), at.Restart)
	batch.Queue(`insert into deid.snapshot (slot, table_name) select $1, unnest($2::text[]) on conflict do nothing`, r.Cfg.Source.Slot, names)
	batch.Queue("delete from deid.patient_filter where filter <> all($1)", r.Plan.FilterIDs())
	batch.Queue("delete from deid.patient_merge where filter <> all($1)", r.Plan.FilterIDs())
	return fault.New("store where to start", r.Control.SendBatch(ctx, batch).Close(), "run 'pgdeid migrate up'")
}

// startOver forgets slot and position. Published rows stay until the new copy
// has passed them; tables have it queued what is to become of their copies.
func (r *run) startOver(ctx context.Context, tables func(batch *pgx.Batch, slot string)) error {
	op := "start over"
	if err := r.alone(ctx); err != nil {
		return err
	}
	slot, err := source.ReadSlot(ctx, r.Source, r.Cfg.Source.Slot)
	if err != nil {
		return err
	}
	if slot != nil && slot.Active {
		return fault.New(op, fmt.Errorf("slot %s is in use (process %d of the source)", r.Cfg.Source.Slot, slot.PID),
			"stop the other pgdeid first")
	}
	if slot != nil && slot.Plugin != "pgoutput" {
		return slot.Usable(r.Cfg.Source.Slot)
	}
	if slot != nil {
		conn, err := connect.Replication(ctx, r.Cfg)
		if err != nil {
			return err
		}
		defer connect.Close(conn)
		if err := source.DropSlot(ctx, conn, r.Cfg.Source.Slot); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	batch.Queue("delete from deid.progress where slot = $1", r.Cfg.Source.Slot)
	batch.Queue("delete from deid.membership where slot = $1", r.Cfg.Source.Slot)
	batch.Queue("delete from deid.copy_plan where slot = $1", r.Cfg.Source.Slot)
	batch.Queue("delete from deid.copy_chunk where slot = $1", r.Cfg.Source.Slot)
	tables(batch, r.Cfg.Source.Slot)
	return fault.New(op, connect.Lost(r.Control, r.Control.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'") // one transaction
}

// forgetCopies queues that nothing counts as copied.
func forgetCopies(batch *pgx.Batch, slot string) {
	batch.Queue("delete from deid.snapshot where slot = $1", slot)
}

// warnOfWholeRows says so where unmapped columns leave the source.
func (r *run) warnOfWholeRows(ctx context.Context) error {
	server, err := postgres.ReadVersion(ctx, r.Source)
	if err != nil {
		return fault.New("ask for the source's version", connect.Lost(r.Source, err), "")
	}
	if text := server.WholeRows(); text != "" {
		r.Log.Warn(text, "hint", postgres.WholeRowsRemedy)
	}
	paused, err := publication.Paused(ctx, r.Source, r.Cfg.Source.Publication)
	if paused {
		r.Log.Warn("the publication "+publication.PausedText, "publication", r.Cfg.Source.Publication, "hint", publication.PausedRemedy)
	}
	return err
}
