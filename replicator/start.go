package replicator

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/sql"
)

// prepare makes sure that slot, position and first copy are there, and returns
// the position to stream from.
func (r *run) prepare(ctx, stop context.Context) (*progress, error) {
	conn, err := connect.Replication(ctx, r.cfg)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	if err := r.alone(ctx); err != nil {
		return nil, err
	}
	at, err := loadProgress(ctx, r.control, r.cfg.Source.Slot)
	if err != nil {
		return nil, err
	}
	from, err := readOrigin(ctx, conn) // after the position, so that its end is not older
	if err != nil {
		return nil, err
	}
	slot, err := source.ReadSlot(ctx, r.source, r.cfg.Source.Slot)
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
	if err := r.reconcile(ctx, carried, begun); err != nil {
		return nil, err
	}
	if err := r.copyAll(ctx, stop, snapshot); err != nil || stop.Err() != nil {
		return at, err
	}
	return at, r.orderCopied(ctx, stop)
}

// errNotAlone means that another process copies or streams through the same slot.
var errNotAlone = errors.New("another pgdeid is active for this slot")

// alone makes sure that no other process copies or streams through the slot into
// this replica, until the session ends.
func (r *run) alone(ctx context.Context) error {
	var got bool
	err := r.control.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended($1, 0))", sql.SlotLock(r.cfg.Source.Slot)).Scan(&got)
	if err == nil && !got {
		err = errNotAlone
	}
	return fault.New("take slot "+r.cfg.Source.Slot, connect.Lost(r.control, err), "this one goes on when the other one ends")
}

// startingPoint returns the stored position, if it still fits the source, or else
// that of a slot which nothing was read from, or of a new one with its snapshot.
func (r *run) startingPoint(ctx context.Context, conn *pgconn.PgConn, from *origin, at *progress, slot *source.Slot) (
	_ *progress, snapshot string, err error,
) {
	name := r.cfg.Source.Slot
	if at != nil || slot != nil {
		if err := slot.Usable(name); err != nil {
			return nil, "", err
		}
	}
	switch {
	case at != nil:
		if err := at.continues(from, slot); err != nil {
			return nil, "", err
		}
		at.timeline, at.history, at.restart = from.timeline, from.history, slot.Restart
		return at, "", at.sameMapping(r.plan.hash)
	case slot != nil: // a crash came between the slot's creation and the position's
		r.log.Info("taking over a slot that nothing was read from", "slot", name)
		return r.newProgress(from, slot.Confirmed, slot.Restart), "", nil
	}
	created, err := r.createSlot(ctx, conn)
	if err != nil {
		return nil, "", err
	}
	r.log.Info("slot created", "slot", name, "at", created.Consistent)
	return r.newProgress(from, created.Consistent, 0), created.Snapshot, nil
}

// createSlot makes the slot; after a while the log names the transactions that it waits for.
func (r *run) createSlot(ctx context.Context, conn *pgconn.PgConn) (*source.Created, error) {
	defer source.NameBlockers(ctx, r.source, r.log, "the slot")()
	return source.CreateSlot(ctx, conn, r.cfg.Source.Slot)
}

func (r *run) newProgress(from *origin, lsn, restart pglogrepl.LSN) *progress {
	return &progress{
		systemID: from.systemID, timeline: from.timeline, history: from.history, lsn: lsn, restart: restart, hash: r.plan.hash,
	}
}

// storeStart stores a position and a row for each table that must be copied. Both
// may be there already.
func (r *run) storeStart(ctx context.Context, at *progress) error {
	var names []string
	for _, t := range r.plan.tables {
		if len(t.publish) > 0 {
			names = append(names, t.id)
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(insertProgress, r.cfg.Source.Slot, at.systemID, at.timeline, at.lsn.String(), at.hash,
		writeHistory(at.history), at.restart.String())
	batch.Queue(`insert into deid.snapshot (slot, table_name) select $1, unnest($2::text[]) on conflict do nothing`, r.cfg.Source.Slot, names)
	return fault.New("store where to start", r.control.SendBatch(ctx, batch).Close(), "run 'pgdeid migrate up'")
}

// startOver forgets slot and position. Published rows stay until the new copy
// has passed them.
func (r *run) startOver(ctx context.Context) error {
	op := "start over"
	if err := r.alone(ctx); err != nil {
		return err
	}
	slot, err := source.ReadSlot(ctx, r.source, r.cfg.Source.Slot)
	if err != nil {
		return err
	}
	if slot != nil && slot.Active {
		return fault.New(op, fmt.Errorf("slot %s is in use (process %d of the source)", r.cfg.Source.Slot, slot.PID),
			"stop the other pgdeid first")
	}
	if slot != nil && slot.Plugin != "pgoutput" {
		return slot.Usable(r.cfg.Source.Slot)
	}
	if slot != nil {
		conn, err := connect.Replication(ctx, r.cfg)
		if err != nil {
			return err
		}
		defer connect.Close(conn)
		if err := source.DropSlot(ctx, conn, r.cfg.Source.Slot); err != nil {
			return err
		}
	}
	for _, table := range []string{"progress", "snapshot", "membership"} {
		if _, err := r.control.Exec(ctx, "delete from deid."+table+" where slot = $1", r.cfg.Source.Slot); err != nil {
			return fault.New(op, err, "")
		}
	}
	return nil
}

// warnOfWholeRows says so where unmapped columns leave the source.
func (r *run) warnOfWholeRows(ctx context.Context) error {
	server, err := sql.ServerVersion(ctx, r.source)
	if err != nil {
		return fault.New("ask for the source's version", connect.Lost(r.source, err), "")
	}
	if text := server.WholeRows(); text != "" {
		r.log.Warn(text, "hint", sql.WholeRowsRemedy)
	}
	paused, err := sql.Paused(ctx, r.source, r.cfg.Source.Publication)
	if paused {
		r.log.Warn("the publication "+sql.PausedText, "publication", r.cfg.Source.Publication, "hint", sql.PausedRemedy)
	}
	return err
}
