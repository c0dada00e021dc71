package source

import (
	"context"
	"errors"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Progress is the row of deid.progress: how far the stream of one slot has been
// applied, and of which cluster and mapping that is true.
type Progress struct {
	SystemID string
	Timeline int32
	History  []ending // of that timeline; nil if it is not known
	LSN      pglogrepl.LSN
	Restart  pglogrepl.LSN // where the slot would read from again, when it was last looked at
	Hash     string
}

// LoadProgress reads the position of a slot's stream, or nil if there is none.
func LoadProgress(ctx context.Context, conn *pgx.Conn, slot string) (*Progress, error) {
	const op = "read the position"
	p := &Progress{}
	var history *string
	err := conn.QueryRow(ctx, `
		select system_id, timeline, lsn, mapping_hash, history, coalesce(slot_restart, '0/0') from deid.progress where slot = $1`, slot).
		Scan(&p.SystemID, &p.Timeline, &p.LSN, &p.Hash, &history, &p.Restart)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	if history != nil {
		p.History, err = readHistory(*history)
	}
	return p, fault.New(op, err, ResyncHint)
}

// InsertProgress stores where a stream starts. A position that is there stays: it
// may have been moved since it was read. The history is the source's of today, on
// which the position was proven to lie.
const InsertProgress = `
	insert into deid.progress (slot, system_id, timeline, lsn, mapping_hash, history, slot_restart)
	values ($1, $2, $3, $4, $5, $6, $7)
	on conflict (slot) do update set timeline = excluded.timeline, history = excluded.history, slot_restart = excluded.slot_restart`

// UpdateProgress moves the position forwards only: two processes on one slot
// can't be, but a row that went backwards would repeat work for ever.
const UpdateProgress = `update deid.progress set lsn = $2, updated_at = now() where slot = $1 and lsn <= $2`

// SameMapping returns an error if p's rows were made under another mapping.
func (p *Progress) SameMapping(hash string) error {
	if p.Hash == hash {
		return nil
	}
	return fault.New("compare the mapping with the replica's", errors.New("it changed since the replica was written"),
		"put the old mapping back, or run 'pgdeid migrate up' and then "+ResyncHint[len("run "):])
}
