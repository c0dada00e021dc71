package research

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// MappingStatement remembers which mapping the research tables were made for.
func MappingStatement(cfg *config.Config) string {
	return fmt.Sprintf("insert into deid.made_for (schema_hash) values (%s) "+
		"on conflict (one) do update set schema_hash = excluded.schema_hash",
		quote.Literal(cfg.SchemaHash()))
}

var errOtherMapping = errors.New("the research tables were made for another mapping of tables and columns than this file's: " +
	"their comments and deid_info.column_policy would say of new rows what is not so")

const otherMappingHint = "run 'pgdeid migrate up', or put the old mapping back"

// CheckMapping returns an error unless "migrate up" made the replica's tables from
// this very mapping. It holds for an empty replica too: what analysts read of the
// columns was written by that migration.
func CheckMapping(ctx context.Context, replica *pgx.Conn, cfg *config.Config) error {
	const op = "compare the mapping with the replica's tables"
	var hash string
	err := replica.QueryRow(ctx, "select schema_hash from deid.made_for").Scan(&hash)
	if err == nil && hash != cfg.SchemaHash() || errors.Is(err, pgx.ErrNoRows) {
		err = errOtherMapping
	}
	return fault.New(op, err, otherMappingHint)
}
