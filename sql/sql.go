package sql

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/jobs"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

// Options of a migration.
type Options struct {
	// DropData allows steps that delete rows of the replica: [Down], and an [Up]
	// whose mapping no longer names tables or columns that hold rows.
	DropData bool
	// Log hears what is done; nil: nothing.
	Log *slog.Logger
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// Up brings a database to the version that this program knows, then makes what
// follows from the mapping. It may be called again after every change of the
// mapping.
func Up(ctx context.Context, cfg *config.Config, t migrations.Target, opts Options) error {
	cat, err := catalog.ReadAsAdmin(ctx, cfg)
	if err != nil {
		return err
	}
	if err := refuse(ctx, cfg, cat, []migrations.Target{t}); err != nil {
		return err
	}
	admin, err := adminOf(cfg, t)
	if err != nil {
		return err
	}
	if t == migrations.Replica {
		if err := migrations.RefuseBeside(ctx, admin, migrations.Engine); err != nil {
			return err
		}
		if err := postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error { return rotation.Refuse(ctx, conn) }); err != nil {
			return err
		}
	}
	if err := migrations.Up(ctx, admin, t); err != nil {
		return err
	}
	if t == migrations.Replica {
		if err := jobs.Migrate(ctx, admin); err != nil {
			return err
		}
	}
	return postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		if t == migrations.Source {
			return generateSource(ctx, conn, cfg, cat, opts)
		}
		return generateReplica(ctx, conn, cfg, cat, opts)
	})
}

// Down takes away everything that Up made. On the replica this deletes the
// research tables and the vault.
func Down(ctx context.Context, cfg *config.Config, t migrations.Target, opts Options) error {
	admin, err := adminOf(cfg, t)
	if err != nil {
		return err
	}
	err = postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		s, err := migrations.ReadState(ctx, conn, t)
		if err != nil || s.Version == 0 {
			return err
		}
		if err := s.RefuseDown(t); err != nil {
			return err
		}
		if t == migrations.Source {
			return dropSource(ctx, conn, cfg)
		}
		return dropReplica(ctx, conn, opts)
	})
	if err != nil {
		return err
	}
	if err := migrations.EnsureHome(ctx, admin, t); err != nil {
		return err
	}
	return migrations.Down(ctx, admin, t)
}

// Force sets the version without running anything, after a failed migration was
// repaired by hand. Version 0 means that nothing is there.
func Force(ctx context.Context, cfg *config.Config, t migrations.Target, version int) error {
	admin, err := adminOf(cfg, t)
	if err != nil {
		return err
	}
	return migrations.Force(ctx, admin, t, version)
}

// Version returns how far a database has been migrated.
func Version(ctx context.Context, cfg *config.Config, t migrations.Target) (migrations.State, error) {
	admin, err := adminOf(cfg, t)
	if err != nil {
		return migrations.State{}, err
	}
	var s migrations.State
	err = postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		s, err = migrations.ReadState(ctx, conn, t)
		return err
	})
	return s, err
}

// adminOf returns how to connect to a database for migrations.
func adminOf(cfg *config.Config, t migrations.Target) (*pgx.ConnConfig, error) {
	if t == migrations.Replica {
		return postgres.ReplicaAdmin(cfg)
	}
	return postgres.SourceAdmin(cfg)
}
