package replicator

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// watchPace is how often the source is looked at where no heartbeats are written.
const watchPace = 10 * time.Second

// heartbeat writes small messages into the source's WAL, so that the position
// moves on a server where nothing else happens. With each it looks at the slot for
// the health page and the metrics, and at the publication. It uses the session's own
// connections.
func (r *run) heartbeat(ctx context.Context) error {
	pace := r.Cfg.Source.Heartbeat
	if pace <= 0 {
		pace = watchPace
	}
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for {
		if err := r.beat(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func (r *run) beat(ctx context.Context) error {
	if r.Cfg.Source.Heartbeat > 0 {
		_, err := r.Source.Exec(ctx, `select pg_logical_emit_message(false, 'pgdeid', '')`)
		if err != nil {
			return fault.New("write a heartbeat to the source", connect.Lost(r.Source, err), "allow the role of source.dsn pg_logical_emit_message")
		}
	}
	slot, err := source.ReadSlot(ctx, r.Source, r.Cfg.Source.Slot)
	if err != nil {
		return err
	}
	if slot == nil {
		return fault.New("look at slot "+r.Cfg.Source.Slot, fmt.Errorf("%w: the slot is gone", connect.ErrGone), "")
	}
	r.health.slot(slot)
	r.Metrics.Slot(slot)
	if err := r.storeRestart(ctx, slot); err != nil {
		return err
	}
	if err := r.watch(ctx); err != nil {
		return err
	}
	if err := r.measureLag(ctx); err != nil {
		return err
	}
	if err := r.watchReplica(ctx); err != nil {
		return err
	}
	if err := r.watchColumns(ctx); err != nil {
		return err
	}
	r.Metrics.Read(r.Now())
	return nil
}

// storeRestart remembers how far the slot had come at the heartbeat before: by now
// the source has that on disk, so that a crash can't take it back.
func (r *run) storeRestart(ctx context.Context, slot *source.Slot) error {
	before := r.restart
	if r.restart = slot.Restart; before == 0 {
		return nil
	}
	_, err := r.Control.Exec(ctx, `
		update deid.progress set slot_restart = $2 where slot = $1 and slot_restart < $2`, r.Cfg.Source.Slot, before)
	return fault.New("store how far the slot has come", connect.Lost(r.Control, err), "")
}

func (r *run) measureLag(ctx context.Context) error {
	var lag int64
	err := r.Source.QueryRow(ctx, "select greatest(pg_current_wal_lsn() - $1::pg_lsn, 0)::bigint", pglogrepl.LSN(r.applied.Load())).Scan(&lag)
	if err != nil {
		return fault.New("read the end of the source's WAL", connect.Lost(r.Source, err), "")
	}
	r.Metrics.LagBytes.Set(float64(lag))
	r.health.lag(lag)
	return nil
}
