package admin

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// WithheldCount counts values of a column that were published as NULL.
type WithheldCount struct {
	Table  string    `json:"table"`
	Column string    `json:"column"`
	Times  int64     `json:"times"` // a row that is written again counts again
	Last   time.Time `json:"last"`
}

func readWithheld(ctx context.Context, conn *pgx.Conn) ([]WithheldCount, error) {
	rows, err := conn.Query(ctx, "select table_name, column_name, times, last_at from deid.withheld order by 1, 2")
	if err != nil {
		return nil, fault.New("read what was withheld", err, "")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[WithheldCount])
	return list, fault.New("read what was withheld", err, "")
}
