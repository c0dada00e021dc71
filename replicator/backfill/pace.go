package backfill

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Open stores in which snapshot of the source everybody reads, and the hash of what everybody works with. What was
// said of pauses and rates stays.
func Open(ctx context.Context, conn *pgx.Conn, slot, snapshot, made string) error {
	_, err := conn.Exec(ctx, `insert into deid.copy_plan (slot, snapshot, made_with) values ($1, $2, $3)
		on conflict (slot) do update set snapshot = excluded.snapshot, made_with = excluded.made_with`, slot, snapshot, made)
	return fault.New("store which snapshot is copied", connect.Lost(conn, err), migrateHint)
}

// Close ends the copy.
func Close(ctx context.Context, conn *pgx.Conn, slot string) error {
	_, err := conn.Exec(ctx, "delete from deid.copy_plan where slot = $1", slot)
	return fault.New("end the copy", connect.Lost(conn, err), migrateHint)
}

// ErrNoSnapshot means that the process is away that keeps the snapshot of the source for the others.
var ErrNoSnapshot = errors.New("nobody keeps the snapshot that is copied")

// Snapshot returns which snapshot of the source is copied, for a process that works with what made is the hash of.
func Snapshot(ctx context.Context, conn *pgx.Conn, slot, made string) (snapshot string, err error) {
	var same bool
	err = conn.QueryRow(ctx, "select snapshot, made_with = $2 from deid.copy_plan where slot = $1", slot, made).Scan(&snapshot, &same)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrNoSnapshot
	case err == nil && !same:
		return "", fault.New("copy with others", errors.New("the process that plans has another configuration or other models"),
			"give all processes the same ones, and the same version of pgdeid")
	}
	return snapshot, fault.New("read which snapshot is copied", connect.Lost(conn, err),
		"start 'pgdeid snapshot --workers' or 'pgdeid run --workers'")
}

// Setting is what people say of a copy while it goes on.
type Setting struct {
	Paused *bool
	Rate   *int // rows a second; 0: no limit
}

// Set changes how fast the copy through a slot goes on.
func Set(ctx context.Context, conn *pgx.Conn, slot string, s Setting) error {
	const op = "change how the copy goes on"
	tag, err := conn.Exec(ctx, `update deid.copy_plan set paused = coalesce($2, paused),
		rate = case when $3::int is null then rate when $3 > 0 then $3 end, next_at = now() where slot = $1`, slot, s.Paused, s.Rate)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(op, errors.New("no copy by several processes is under way"), "'pgdeid snapshot --workers' begins one")
	}
	return fault.New(op, connect.Lost(conn, err), migrateHint)
}

// pausePoll is how often a paused process looks whether it may go on.
const pausePoll = time.Second

// Turn waits until rows more may be read from the source: until it is no pause, and as long as all
// processes together may not be faster. It ends with stop as well.
func Turn(ctx, stop context.Context, conn *pgx.Conn, slot string, rows int64) error {
	for stop.Err() == nil {
		var paused bool
		var rate *int
		err := conn.QueryRow(ctx, "select paused, rate from deid.copy_plan where slot = $1", slot).Scan(&paused, &rate)
		switch {
		case errors.Is(err, pgx.ErrNoRows), err == nil && !paused && rate == nil:
			return nil
		case err != nil:
			return fault.New("read how fast the copy may be", connect.Lost(conn, err), migrateHint)
		case !paused:
			return waitTurn(ctx, stop, conn, slot, rows)
		}
		sleep(ctx, stop, pausePoll)
	}
	return ctx.Err()
}

// waitTurn books time for rows and waits until it begins.
func waitTurn(ctx, stop context.Context, conn *pgx.Conn, slot string, rows int64) error {
	var wait float64
	err := conn.QueryRow(ctx, `update deid.copy_plan set
			next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => coalesce($2::float8 / rate, 0))
		where slot = $1 returning extract(epoch from next_at - clock_timestamp())::float8`, slot, float64(rows)).Scan(&wait)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fault.New("read how fast the copy may be", connect.Lost(conn, err), migrateHint)
	}
	sleep(ctx, stop, time.Duration(wait*float64(time.Second)))
	return ctx.Err()
}

func sleep(ctx, stop context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-stop.Done():
	}
}
