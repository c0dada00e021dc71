package sql

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Refuse returns an error that lists everything that keeps [Up] from any of
// targets, or nil. It changes nothing, so that a problem of the second database is
// known before the first one is changed.
func Refuse(ctx context.Context, cfg *config.Config, targets []Target) error {
	cat, err := sourceCatalog(ctx, cfg)
	if err != nil {
		return err
	}
	return refuse(ctx, cfg, cat, targets)
}

func refuse(ctx context.Context, cfg *config.Config, cat *Catalog, targets []Target) error {
	fs := Examine(cfg, cat)
	examined := fs.problems() == nil
	for _, t := range targets {
		admin, err := adminConfig(cfg, t)
		if err != nil {
			return err
		}
		err = withConn(ctx, admin, func(conn *pgx.Conn) error {
			more, err := obstacles(ctx, conn, cfg, cat, t, examined)
			fs = append(fs, more...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return fault.New("compare mapping, source and replica", fs.problems(), "nothing was changed; \"pgdeid check\" lists all findings")
}

// obstacles looks at one database. The research tables are only compared where the
// mapping fits the source, which their plan takes for granted.
func obstacles(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *Catalog, t Target, examined bool) (Findings, error) {
	op := "look at the " + string(t)
	fs, err := checkRoles(ctx, conn, t)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if t == Source {
		if err := refuseAllTables(ctx, conn, cfg.Source.Publication); err != nil {
			fs.problem("source publication", err.Error(), "choose another name under source.publication")
		}
		return fs, nil
	}
	state, err := ReadState(ctx, conn, t)
	if err != nil || state.Version != state.Latest || !examined {
		return fs, err
	}
	have, err := readResearch(ctx, conn)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	return append(fs, planResearch(cfg, cat, have).problems...), nil
}
