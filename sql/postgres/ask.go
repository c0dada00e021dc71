package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Names reads one column of names.
func Names(ctx context.Context, conn *pgx.Conn, query string, args ...any) ([]string, error) {
	rows, err := conn.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Number reads one number.
func Number(ctx context.Context, conn *pgx.Conn, query string, args ...any) (n int64, err error) {
	err = conn.QueryRow(ctx, query, args...).Scan(&n)
	return n, err
}

// Settings reads settings of a server by name; one that this version does not
// have is "".
func Settings(ctx context.Context, conn *pgx.Conn, names ...string) (map[string]string, error) {
	rows, err := conn.Query(ctx, "select n, coalesce(current_setting(n, true), '') from unnest($1::text[]) n", names)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	var name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		values[name] = value
		return nil
	})
	return values, err
}
