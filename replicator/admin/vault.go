package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// OpenVault connects to the replica of a configuration, of the version that this program
// knows, and calls do with its vault.
func OpenVault(ctx context.Context, cfg *config.Config, key *surrogate.Key, do func(*vault.Reader) error) error {
	return withVault(ctx, cfg, func(conn *pgx.Conn) error { return do(vault.NewReader(conn, key)) })
}
