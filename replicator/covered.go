package replicator

import (
	"context"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// A table can be copied again while its slot has older changes still to send, of
// which some may be missing: those of the time when the table was not published.
// Applied after the copy they would leave rows as they were before the gap. So the
// copy's snapshot is stored, and what the stream brings of a transaction that the
// snapshot sees is not written again. That is exact, transaction by transaction.

// quiesce waits until every transaction that writes to the source now has ended; after a
// while the log names them.
func (r *run) quiesce(ctx context.Context, conn *pgx.Conn) error {
	defer source.NameBlockers(ctx, r.Source, r.Log, "the copy")()
	return source.Quiesce(ctx, conn)
}

// storeCoverage notes which transactions the copies that are about to begin will
// have. tx is the transaction that they are read in; it must be its first statement.
func (r *run) storeCoverage(ctx context.Context, tx pgx.Tx) error {
	const op = "store what the copy has"
	var seen string
	var end pglogrepl.LSN
	if err := tx.QueryRow(ctx, "select pg_current_snapshot()::text, pg_current_wal_insert_lsn()").Scan(&seen, &end); err != nil {
		return fault.New(op, err, "")
	}
	_, err := r.Control.Exec(ctx, `update deid.snapshot s set seen = $2, seen_lsn = $3
		where slot = $1 and not done and last_key is null
			and not exists (select from deid.copy_chunk c where c.slot = s.slot and c.table_name = s.table_name)`, r.Cfg.Source.Slot, seen, end)
	return fault.New(op, connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
}

// coverages reads what the copies of the tables have. Tables that were copied in
// the slot's own snapshot are not among them: the stream begins there.
func (r *run) coverages(ctx context.Context) (map[*schema.Table]*source.Coverage, error) {
	const op = "read what the copies have"
	rows, _ := r.Control.Query(ctx, "select table_name, seen, seen_lsn from deid.snapshot where slot = $1 and seen is not null", r.Cfg.Source.Slot)
	found := map[*schema.Table]*source.Coverage{}
	var name string
	var c source.Coverage
	_, err := pgx.ForEachRow(rows, []any{&name, &c.Seen, &c.End}, func() error {
		of := c
		found[r.Plan.ByID[name]] = &of
		return nil
	})
	return found, fault.New(op, connect.Lost(r.Control, err), "run 'pgdeid migrate up'")
}
