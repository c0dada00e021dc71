package replicator

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// progress is the row of deid.progress: how far the stream of one slot has been
// applied, and of which cluster and mapping that is true.
type progress struct {
	systemID string
	timeline int32
	lsn      pglogrepl.LSN
	hash     string
}

// resyncHint is the way back from everything that makes the position useless.
const resyncHint = "run 'pgdeid snapshot --resync': a new slot and a new copy; notes that did not change are not de-identified again"

func loadProgress(ctx context.Context, conn *pgx.Conn, slot string) (*progress, error) {
	p := &progress{}
	var lsn string
	err := conn.QueryRow(ctx, `select system_id, timeline, lsn::text, mapping_hash from deid.progress where slot = $1`, slot).
		Scan(&p.systemID, &p.timeline, &lsn, &p.hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New("read the position", err, "run 'pgdeid migrate up'")
	}
	p.lsn, err = pglogrepl.ParseLSN(lsn)
	return p, fault.New("read the position", err, "")
}

// insertProgress stores where a stream starts. A position that is there stays: it
// may have been moved since it was read. The timeline is that of a failover slot.
const insertProgress = `
	insert into deid.progress (slot, system_id, timeline, lsn, mapping_hash) values ($1, $2, $3, $4::text::pg_lsn, $5)
	on conflict (slot) do update set timeline = excluded.timeline`

// updateProgress moves the position forwards only: two processes on one slot
// can't be, but a row that went backwards would repeat work for ever.
const updateProgress = `update deid.progress set lsn = $2::text::pg_lsn, updated_at = now()
	where slot = $1 and lsn <= $2::text::pg_lsn`

// checkAgainst compares the stored position with the cluster that answers and
// with the slot that is there.
func (p *progress) checkAgainst(id pglogrepl.IdentifySystemResult, slot *slotState, hash string) error {
	const op = "compare the stored position with the source"
	switch {
	case p.systemID != id.SystemID:
		return fault.New(op, fmt.Errorf("the source is another cluster (system identifier %s, stored %s)", id.SystemID, p.systemID),
			"check source.dsn; if the source was set up anew, "+resyncHint)
	case p.timeline != id.Timeline && !slot.failover:
		return fault.New(op, fmt.Errorf("the source is on timeline %d, stored %d: it was promoted or restored, and changes may be missing",
			id.Timeline, p.timeline), resyncHint)
	case p.hash != hash:
		return fault.New("compare the mapping with the replica's", errors.New("it changed since the replica was written"),
			"put the old mapping back, or run 'pgdeid migrate up' and then "+resyncHint[len("run "):])
	case slot.confirmed > p.lsn:
		return fault.New(op, fmt.Errorf("the slot stands at %s, ahead of the replica's %s: changes in between are gone "+
			"(the slot was recreated, or the replica restored from a backup)", slot.confirmed, p.lsn), resyncHint)
	}
	return nil
}
