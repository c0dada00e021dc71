// Package jobs makes the tables of River, in which several processes find their parts of a first copy.
package jobs

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// Schema is the schema of the replica that holds the jobs of River.
const Schema = "deid_jobs"

// Migrate brings the tables of River to the version that this program works with.
func Migrate(ctx context.Context, admin *pgx.ConnConfig) error {
	const op = "make the tables of jobs in the replica"
	conf, err := pgxpool.ParseConfig("")
	if err != nil {
		return fault.New(op, err, "")
	}
	conf.ConnConfig, conf.MaxConns = admin.Copy(), 2
	pool, err := pgxpool.NewWithConfig(ctx, conf)
	if err != nil {
		return fault.New(op, err, "")
	}
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: Schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fault.New(op, err, "")
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return fault.New(op, err, migrations.Replica.Rights())
}

// Grants let the service use the tables of River.
func Grants() []string {
	return []string{
		"grant usage on schema " + Schema + " to " + roles.Service,
		"grant select, insert, update, delete on all tables in schema " + Schema + " to " + roles.Service,
		"revoke insert, update, delete on " + Schema + ".river_migration from " + roles.Service,
		"grant usage on all sequences in schema " + Schema + " to " + roles.Service,
	}
}
