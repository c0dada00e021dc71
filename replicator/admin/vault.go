package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/surrogate"
)

// OpenVault connects to the replica of a configuration, of the version that this program
// knows, and calls do with its vault.
func OpenVault(ctx context.Context, cfg *config.Config, key *surrogate.Key, do func(*vault.Reader) error) error {
	return withVault(ctx, cfg, func(conn *pgx.Conn) error { return do(vault.NewReader(conn, key)) })
}

// withVault connects to the replica and makes sure that it is of this version.
func withVault(ctx context.Context, cfg *config.Config, do func(*pgx.Conn) error) error {
	conn, err := connect.Replica(ctx, cfg)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	if err := migrations.CheckReplica(ctx, conn); err != nil {
		return err
	}
	return do(conn)
}

// withBoth is withVault with a connection to the source as well.
func withBoth(ctx context.Context, cfg *config.Config, do func(source, replica *pgx.Conn) error) error {
	conn, err := connect.Source(ctx, cfg, config.Service)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	return withVault(ctx, cfg, func(replica *pgx.Conn) error { return do(conn, replica) })
}
