package research

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// SlotLock is the name of the advisory lock in the replica that the one process holds
// which copies or streams through a slot: hashtextextended(name, 0).
func SlotLock(slot string) string { return "pgdeid " + slot }

// LockSlot takes the lock of a slot until the session ends. A process that runs would
// go on to write rows as its own, older mapping says.
func LockSlot(ctx context.Context, conn *pgx.Conn, slot string) error {
	const op = "change tables that hold rows"
	var got bool
	err := conn.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended($1, 0))", SlotLock(slot)).Scan(&got)
	if err == nil && !got {
		err = errors.New("a process copies or streams through slot " + slot)
	}
	return fault.New(op, err, "stop \"pgdeid run\", then again")
}
