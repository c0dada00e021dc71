package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// RepairsStatus counts what reviewers had changed of what is published.
type RepairsStatus struct {
	Hold int64 `json:"hold"`
	Void int64 `json:"void"` // the text of the note has changed since, so they have no effect
}

func readRepairs(ctx context.Context, conn *pgx.Conn) (s RepairsStatus, err error) {
	err = conn.QueryRow(ctx, `select count(*) filter (where not void), count(*) filter (where void)
		from deid.review_repair where taken_by is null`).Scan(&s.Hold, &s.Void)
	return s, fault.New("count repairs of notes", err, "run 'pgdeid migrate up'")
}
