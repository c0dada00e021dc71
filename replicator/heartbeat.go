package replicator

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// heartbeat writes small messages into the source's WAL, so that the position
// moves on a server where nothing else happens, and looks at the slot for the
// health page and the metrics. It uses the session's own connections.
func (r *run) heartbeat(ctx context.Context) error {
	if r.cfg.Source.Heartbeat <= 0 {
		return nil
	}
	ticker := time.NewTicker(r.cfg.Source.Heartbeat)
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
	_, err := r.source.Exec(ctx, `select pg_logical_emit_message(false, 'pgdeid', '')`)
	if err != nil {
		return fault.New("write a heartbeat to the source", lost(r.source, err), "allow the role of source.dsn pg_logical_emit_message")
	}
	slot, err := readSlot(ctx, r.source, r.cfg.Source.Slot)
	if err != nil {
		return err
	}
	if slot == nil {
		return fault.New("look at slot "+r.cfg.Source.Slot, fmt.Errorf("%w: the slot is gone", errConnGone), "")
	}
	r.health.slot(slot)
	r.metrics.slot(slot)
	if err := r.measureLag(ctx); err != nil {
		return err
	}
	if err := r.watchReplica(ctx); err != nil {
		return err
	}
	return r.watchColumns(ctx)
}

func (r *run) measureLag(ctx context.Context) error {
	var end string
	if err := r.source.QueryRow(ctx, `select pg_current_wal_lsn()::text`).Scan(&end); err != nil {
		return fault.New("read the end of the source's WAL", lost(r.source, err), "")
	}
	lsn, err := pglogrepl.ParseLSN(end)
	if err != nil {
		return fault.New("read the end of the source's WAL", err, "")
	}
	lag := int64(lsn) - int64(r.applied.Load()) //nolint:gosec // positions are far from 2^63
	r.metrics.lagBytes.Set(float64(max(lag, 0)))
	r.health.lag(max(lag, 0))
	return nil
}
