package admin

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// DirectoryStatus says which notes are older than the directory of staff and sites: names
// that were added since may be in them.
type DirectoryStatus struct {
	StaleSince *time.Time `json:"stale_since,omitempty"` // something was added, and no pass over the notes has begun since
	PassBegun  *time.Time `json:"pass_begun,omitempty"`  // the last pass
	PassTable  string     `json:"pass_table,omitempty"`  // the table that a pass has come to; "" if none is under way
	PassDone   *time.Time `json:"pass_done,omitempty"`   // the end of the last pass that was completed
}

func readDirectoryStatus(ctx context.Context, conn *pgx.Conn, slot string) (*DirectoryStatus, error) {
	d := &DirectoryStatus{}
	err := conn.QueryRow(ctx, `select stale_since, pass_begun, coalesce(pass_table, ''), pass_done from deid.directory where slot = $1`,
		slot).Scan(&d.StaleSince, &d.PassBegun, &d.PassTable, &d.PassDone)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return d, fault.New("read the state of the directory", err, "run 'pgdeid migrate up'")
}
