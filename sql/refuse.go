package sql

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/examine"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/publication"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// Refuse returns an error that lists everything that keeps [Up] from any of
// targets, or nil. It changes nothing, so that a problem of the second database is
// known before the first one is changed.
func Refuse(ctx context.Context, cfg *config.Config, targets []migrations.Target) error {
	cat, err := catalog.ReadAsAdmin(ctx, cfg)
	if err != nil {
		return err
	}
	return refuse(ctx, cfg, cat, targets)
}

func refuse(ctx context.Context, cfg *config.Config, cat *catalog.Catalog, targets []migrations.Target) error {
	fs := examine.Mapping(cfg, cat)
	examined := fs.Problems() == nil
	for _, t := range targets {
		admin, err := adminOf(cfg, t)
		if err != nil {
			return err
		}
		err = postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
			more, err := obstacles(ctx, conn, cfg, cat, t, examined)
			fs = append(fs, more...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return fault.New("compare mapping, source and replica", fs.Problems(), "nothing was changed; \"pgdeid check\" lists all findings")
}

// obstacles looks at one database. The research tables are only compared where the
// mapping fits the source, which their plan takes for granted.
func obstacles(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog, t migrations.Target, examined bool) (finding.List, error) {
	op := "look at the " + string(t)
	names := []string{roles.Service, roles.Analyst}
	if t == migrations.Source {
		names = []string{roles.Replication, roles.Reader}
	}
	fs, err := roles.Check(ctx, conn, string(t), names...)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if t == migrations.Source {
		if err := publication.RefuseAllTables(ctx, conn, cfg.Source.Publication); err != nil {
			fs.Problem("source publication", err.Error(), "choose another name under source.publication")
		}
		return fs, nil
	}
	state, err := migrations.ReadState(ctx, conn, t)
	if err != nil || state.Version != state.Latest || !examined {
		return fs, err
	}
	have, err := research.Read(ctx, conn)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	return append(fs, research.NewPlan(cfg, cat, have).Problems...), nil
}
