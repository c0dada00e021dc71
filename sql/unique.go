package sql

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
)

// uniqueQuery finds the columns of a table no two rows of which share a value: those
// with a unique index of their own. A partitioned table can have one only together with
// the columns that it is partitioned by.
const uniqueQuery = `
select distinct a.attname::text
from pg_index i
cross join lateral unnest(i.indkey::int2[]) with ordinality k (num, ord)
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.num
where i.indrelid = (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2)
  and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
  and k.ord <= i.indnkeyatts
  and not exists (
      select from unnest(i.indkey::int2[]) with ordinality o (num, ord)
      where o.ord <= i.indnkeyatts and o.num <> k.num and not exists (
          select from pg_partitioned_table p where p.partrelid = i.indrelid and o.num = any(p.partattrs::int2[])))
order by 1`

// UniqueColumns returns the columns of a table of the source that identify its rows by
// themselves. Paths to the patient may look up only these.
func UniqueColumns(ctx context.Context, conn *pgx.Conn, schema, name string) ([]string, error) {
	rows, err := conn.Query(ctx, uniqueQuery, schema, name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
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
		if in.Unique, err = UniqueColumns(ctx, conn, t.Schema, t.Name); err != nil {
			return err
		}
	}
	return nil
}
