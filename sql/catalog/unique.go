package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
)

// uniqueQuery finds the columns of a table no two rows of which share their values: those of its unique indexes, without
// the columns that the table is partitioned by, which a partitioned table's index has to have.
const uniqueQuery = `
select array_agg(a.attname::text order by a.attname)
from pg_index i
cross join lateral unnest(i.indkey::int2[]) with ordinality k (num, ord)
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.num
left join pg_partitioned_table p on p.partrelid = i.indrelid
where i.indrelid = (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2)
  and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
  and k.ord <= i.indnkeyatts
  and not coalesce(k.num = any(p.partattrs::int2[]) and exists (
      select from unnest(i.indkey::int2[]) with ordinality o (num, ord)
      where o.ord <= i.indnkeyatts and o.num <> all(p.partattrs::int2[])), false)
group by i.indexrelid
order by 1`

// Unique lists columns of a table that identify its rows: those of each entry together.
type Unique [][]string

// Has reports whether columns identify a row: whether all of an entry are among them.
func (u Unique) Has(columns []string) bool {
	return slices.ContainsFunc(u, func(entry []string) bool {
		return !slices.ContainsFunc(entry, func(name string) bool { return !slices.Contains(columns, name) })
	})
}

// UniqueKeys returns the columns of a table of the source that identify its rows. Paths to the patient may look up only
// these.
func UniqueKeys(ctx context.Context, conn *pgx.Conn, schema, name string) (Unique, error) {
	rows, err := conn.Query(ctx, uniqueQuery, schema, name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[[]string])
}

// readUnique fills in the unique columns of the tables that paths lead through.
func (cat *Catalog) readUnique(ctx context.Context, conn *pgx.Conn, cfg *config.Config) error {
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		in := cat.Tables[t.FullName()]
		if in == nil || !cfg.OnPath(t) {
			continue
		}
		var err error
		if in.Unique, err = UniqueKeys(ctx, conn, t.Schema, t.Name); err != nil {
			return err
		}
	}
	return nil
}
