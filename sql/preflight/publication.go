package preflight

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// checkPublication compares the publication with the mapping.
func (p *run) checkPublication(ctx context.Context, conn *pgx.Conn) error {
	name := p.cfg.Source.Publication
	subject := "source publication " + name
	const remedy = "run \"pgdeid migrate up\""
	whole, err := postgres.Names(ctx, conn, `select case when puballtables then 'it is for all tables' when not (pubinsert and pubupdate `+
		`and pubdelete and pubtruncate)
		then 'it leaves out some kinds of changes' when not pubviaroot then 'it does not publish partitions as their table' else '' end
		from pg_publication where pubname = $1`, name)
	if err != nil {
		return err
	}
	if len(whole) == 0 {
		p.Problem(subject, "does not exist", remedy+"; it has to be there before the slot is made")
		return nil
	}
	before := len(p.List)
	if whole[0] != "" {
		p.Problem(subject, whole[0], remedy)
	}
	paused, err := publication.Paused(ctx, conn, name)
	if err != nil {
		return err
	}
	if paused {
		p.Warn(subject, publication.PausedText, publication.PausedRemedy)
	}
	have, err := p.published(ctx, conn)
	if err != nil {
		return err
	}
	p.comparePublished(subject, remedy, have, paused)
	if len(p.List) == before {
		p.OK(subject, "holds just what is mapped")
	}
	if text := p.catalog.Server.WholeRows(); text != "" {
		p.Warn("source column lists", text, postgres.WholeRowsRemedy)
	}
	return nil
}

// comparePublished compares the columns of the publication's tables with the
// mapping, unless whole rows are meant to be there. It takes entries out of have.
func (p *run) comparePublished(subject, remedy string, have map[string][]string, whole bool) {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		columns, there := have[t.FullName()]
		delete(have, t.FullName())
		want := p.catalog.Leaving(p.cfg, t)
		switch {
		case p.catalog.Tables[t.FullName()] == nil:
		case !there:
			p.Problem(subject, "does not hold "+t.FullName(), remedy)
		case p.catalog.Server.ColumnLists() && !whole && !catalog.SameColumns(columns, want):
			p.Problem(subject, fmt.Sprintf("has other columns of %s than the mapping: %s", t.FullName(), difference(columns, want)), remedy)
		}
	}
	for table := range have {
		p.Problem(subject, "holds "+table+", which is not mapped", remedy)
	}
}

// published returns the columns of each table that the publication holds.
func (p *run) published(ctx context.Context, conn *pgx.Conn) (map[string][]string, error) {
	list := "null::text[]"
	if p.catalog.Server.ColumnLists() {
		list = `(select array_agg(a.attname::text) from pg_attribute a where a.attrelid = r.prrelid and not a.attisdropped and a.attnum > 0
			and (r.prattrs is null or a.attnum = any(r.prattrs::int2[])))`
	}
	rows, err := conn.Query(ctx, `select n.nspname || '.' || c.relname, `+list+`
		from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
		join pg_class c on c.oid = r.prrelid join pg_namespace n on n.oid = c.relnamespace where p.pubname = $1`, p.cfg.Source.Publication)
	if err != nil {
		return nil, err
	}
	have := map[string][]string{}
	var table string
	var columns []string
	_, err = pgx.ForEachRow(rows, []any{&table, &columns}, func() error {
		have[table] = columns
		columns = nil
		return nil
	})
	return have, err
}

// difference says what have lacks of want and has beyond it.
func difference(have, want []string) string {
	var parts []string
	for _, d := range []struct {
		word string
		a, b []string
	}{{"missing ", want, have}, {"too much: ", have, want}} {
		in := map[string]bool{}
		for _, s := range d.b {
			in[s] = true
		}
		var list []string
		for _, s := range d.a {
			if !in[s] {
				list = append(list, s)
			}
		}
		if len(list) > 0 {
			parts = append(parts, d.word+few(list))
		}
	}
	return strings.Join(parts, "; ")
}
