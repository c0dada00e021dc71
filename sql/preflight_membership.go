package sql

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// PassedBy compares a slot's publication with the mapping, and with how it was when
// the tables were copied: lacks says what passes the stream by now, rejoined of
// which tables something may have passed by before. Both are empty before the first
// copy.
func PassedBy(ctx context.Context, source, replica *pgx.Conn, cfg *config.Config) (lacks []string, rejoined []Rejoined, err error) {
	then, err := ReadMembership(ctx, replica, cfg.Source.Slot)
	if err != nil || len(then) == 0 {
		return nil, nil, err
	}
	cat, err := ReadCatalog(ctx, source, cfg)
	if err != nil {
		return nil, nil, err
	}
	now, err := ReadPublication(ctx, source, cfg.Source.Publication)
	if err != nil {
		return nil, nil, err
	}
	want := cat.Wanted(cfg)
	if lacks = now.Lacks(want); len(lacks) > 0 {
		return lacks, nil, nil
	}
	rejoined, err = now.Rejoined(ctx, source, then, want)
	return nil, rejoined, err
}

// checkMembership looks for changes that passed the stream by.
func (p *preflight) checkMembership(ctx context.Context, replica *pgx.Conn) error {
	conf, err := p.cfg.SourceConn(config.Service)
	if err != nil {
		return err
	}
	return withConn(ctx, conf, func(source *pgx.Conn) error {
		lacks, rejoined, err := PassedBy(ctx, source, replica, p.cfg)
		for _, what := range lacks {
			p.problem("replica rows", "go stale, and nothing is streamed: "+what,
				"run \"pgdeid migrate up --target source\"; \"pgdeid run\" then copies again what passed by")
		}
		for _, t := range rejoined {
			p.problem("replica table "+t.Table, "lacks changes: "+t.Why, "\"pgdeid run\" copies it again, by itself")
		}
		return err
	})
}

// checkMadeFor compares the mapping with the one that the tables were made for.
func (p *preflight) checkMadeFor(ctx context.Context, conn *pgx.Conn) error {
	if err := CheckMadeFor(ctx, conn, p.cfg); err != nil {
		p.problem("replica mapping", err.Error(), fault.Hint(err))
		return nil
	}
	p.ok("replica mapping", "is the one that the tables were made for")
	return nil
}
