package replicator

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// A table can be copied again while its slot has older changes still to send, of
// which some may be missing: those of the time when the table was not published.
// Applied after the copy they would leave rows as they were before the gap. So the
// copy's snapshot is stored, and what the stream brings of a transaction that the
// snapshot sees is not written again. That is exact, transaction by transaction.

// coverage is what the copy of a table has.
type coverage struct {
	seen snapshot
	end  pglogrepl.LSN // all transactions that are seen committed before
}

// has reports whether the copy has a transaction that committed at lsn.
func (c *coverage) has(xid uint32, lsn pglogrepl.LSN) bool {
	return c != nil && lsn < c.end && c.seen.has(xid)
}

// quiescePause is how long to wait before looking again whether writers have ended.
const quiescePause = 50 * time.Millisecond

// quiesce waits until every transaction that writes to the source now has ended.
// One that began before a table was published could commit after the copy's
// snapshot, and the stream would not have what it wrote before.
func (r *run) quiesce(ctx context.Context, conn *pgx.Conn) error {
	stop := r.nameBlockers(ctx, "the copy")
	defer stop()
	var first snapshot
	for {
		now, err := readSnapshot(ctx, conn)
		if err != nil {
			return err
		}
		if first.next == 0 {
			first = now
		}
		if now.oldest >= first.next {
			return nil
		}
		select {
		case <-time.After(quiescePause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// storeCoverage notes which transactions the copies that are about to begin will
// have. tx is the transaction that they are read in; it must be its first statement.
func (r *run) storeCoverage(ctx context.Context, tx pgx.Tx) error {
	const op = "store what the copy has"
	var seen, end string
	if err := tx.QueryRow(ctx, "select pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text").Scan(&seen, &end); err != nil {
		return fault.New(op, err, "")
	}
	_, err := r.control.Exec(ctx, `update deid.snapshot set seen = $2, seen_lsn = $3::text::pg_lsn
		where slot = $1 and not done and last_key is null`, r.cfg.Source.Slot, seen, end)
	return fault.New(op, lost(r.control, err), "run 'pgdeid migrate up'")
}

// coverages reads what the copies of the tables have. Tables that were copied in
// the slot's own snapshot are not among them: the stream begins there.
func (r *run) coverages(ctx context.Context) (map[*table]*coverage, error) {
	const op = "read what the copies have"
	rows, err := r.control.Query(ctx, "select table_name, seen, seen_lsn::text from deid.snapshot where slot = $1 and seen is not null",
		r.cfg.Source.Slot)
	if err != nil {
		return nil, fault.New(op, lost(r.control, err), "run 'pgdeid migrate up'")
	}
	found := map[*table]*coverage{}
	var name, seen, end string
	_, err = pgx.ForEachRow(rows, []any{&name, &seen, &end}, func() error {
		c := &coverage{}
		var err error
		if c.seen, err = parseSnapshot(seen); err != nil {
			return err
		}
		c.end, err = pglogrepl.ParseLSN(end)
		found[r.plan.byID[name]] = c
		return err
	})
	return found, fault.New(op, lost(r.control, err), "")
}
