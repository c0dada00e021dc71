package preflight

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/publication"
	"github.com/pgdeid/pgdeid/sql/research"
)

// checkMembership looks for changes that passed the stream by.
func (p *run) checkMembership(ctx context.Context, replica *pgx.Conn) error {
	conf, err := p.cfg.SourceConn(config.Service)
	if err != nil {
		return err
	}
	return postgres.WithConn(ctx, conf, func(source *pgx.Conn) error {
		lacks, rejoined, err := publication.PassedBy(ctx, source, replica, p.cfg)
		for _, what := range lacks {
			p.Problem("replica rows", "go stale, and nothing is streamed: "+what,
				"run \"pgdeid migrate up --target source\"; \"pgdeid run\" then copies again what passed by")
		}
		for _, t := range rejoined {
			p.Problem("replica table "+t.Table, "lacks changes: "+t.Why, "\"pgdeid run\" copies it again, by itself")
		}
		return err
	})
}

// checkMadeFor compares the mapping with the one that the tables were made for.
func (p *run) checkMadeFor(ctx context.Context, conn *pgx.Conn) error {
	if err := research.CheckMapping(ctx, conn, p.cfg); err != nil {
		p.Problem("replica mapping", err.Error(), fault.Hint(err))
		return nil
	}
	p.OK("replica mapping", "is the one that the tables were made for")
	return nil
}
