package source

import (
	"context"
	"crypto/rand"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// markPrefix is the prefix of marks among the messages of the WAL.
const markPrefix = "pgdeid.mark"

// NewMark returns a text for [Mark] that no other process has.
func NewMark() string { return rand.Text() }

// Mark writes a message into the source's WAL. When the stream passes it on
// ([Sink.Passed]), it has passed on every transaction that conn has seen so far. Streams of
// other slots pass it on, too.
func Mark(ctx context.Context, conn *pgx.Conn, mark string) error {
	// In a transaction of its own: a message outside of one may stay in the server's memory
	// until something else is written to disk.
	_, err := conn.Exec(ctx, "select pg_logical_emit_message(true, $1, $2::text)", markPrefix, mark)
	return fault.New("write a mark to the source", connect.Lost(conn, err), "allow the role of source.dsn pg_logical_emit_message")
}
