package sql

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// JobsSchema is the schema of the replica that holds the jobs of River.
const JobsSchema = "deid_jobs"

// migrateJobs brings the tables of River to the version that this program works with.
func migrateJobs(ctx context.Context, admin *pgx.ConnConfig) error {
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
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: JobsSchema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fault.New(op, err, "")
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return fault.New(op, err, Replica.rights())
}

// jobsGrants let the service use the tables of River.
func jobsGrants() []string {
	return []string{
		"grant usage on schema " + JobsSchema + " to " + ServiceRole,
		"grant select, insert, update, delete on all tables in schema " + JobsSchema + " to " + ServiceRole,
		"revoke insert, update, delete on " + JobsSchema + ".river_migration from " + ServiceRole,
		"grant usage on all sequences in schema " + JobsSchema + " to " + ServiceRole,
	}
}
