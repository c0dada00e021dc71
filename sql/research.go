package sql

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// research is what the replica has of research tables.
type research struct {
	tables  map[string]*researchTable // by "schema.name", pgdeid's and others' in schemas of the mapping
	made    map[string][]string       // kind to names: what pgdeid made, as deid.generated says
	schemas []string                  // all schemas of the database
	lz4     bool
}

type researchTable struct {
	schema, name string
	ours         bool
	columns      []researchColumn
	key          []string
}

type researchColumn struct {
	name, dataType, policy string // policy: that it was made under
}

func (t *researchTable) column(name string) (researchColumn, bool) {
	i := slices.IndexFunc(t.columns, func(c researchColumn) bool { return c.name == name })
	if i < 0 {
		return researchColumn{}, false
	}
	return t.columns[i], true
}

// sorted returns the tables that pgdeid made, by name.
func (r *research) sorted() []*researchTable {
	var ts []*researchTable
	for _, t := range r.tables {
		if t.ours {
			ts = append(ts, t)
		}
	}
	slices.SortFunc(ts, func(a, b *researchTable) int {
		return strings.Compare(a.schema+"."+a.name, b.schema+"."+b.name)
	})
	return ts
}

func readResearch(ctx context.Context, conn *pgx.Conn) (*research, error) {
	r := &research{tables: map[string]*researchTable{}, made: map[string][]string{}}
	if err := r.readMade(ctx, conn); err != nil {
		return nil, err
	}
	const query = `
select n.nspname, c.relname,
       coalesce((select array_agg(a.attname::text order by k.ord)
                 from pg_index i, unnest(i.indkey::int2[]) with ordinality k (num, ord), pg_attribute a
                 where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.num), '{}')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$|deid$|deid_ehr$|deid_info$)'`
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	var t researchTable
	_, err = pgx.ForEachRow(rows, []any{&t.schema, &t.name, &t.key}, func() error {
		table := t
		table.ours = slices.Contains(r.made["table"], t.schema+"."+t.name)
		r.tables[t.schema+"."+t.name] = &table
		t.key = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, r.readColumns(ctx, conn)
}

func (r *research) readMade(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "select kind, name from deid.generated order by name")
	if err != nil {
		return err
	}
	var kind, name string
	if _, err = pgx.ForEachRow(rows, []any{&kind, &name}, func() error {
		r.made[kind] = append(r.made[kind], name)
		return nil
	}); err != nil {
		return err
	}
	return conn.QueryRow(ctx, `select array(select nspname::text from pg_namespace),
		(select 'lz4' = any(enumvals) from pg_settings where name = 'default_toast_compression')`).Scan(&r.schemas, &r.lz4)
}

func (r *research) readColumns(ctx context.Context, conn *pgx.Conn) error {
	const query = `
select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(p.policy, '')
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join deid.generated g on g.kind = 'table' and g.name = n.nspname || '.' || c.relname
left join deid.column_policy p on p.table_schema = n.nspname and p.table_name = c.relname and p.column_name = a.attname
order by a.attnum`
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return err
	}
	var schema, name string
	var col researchColumn
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &col.name, &col.dataType, &col.policy}, func() error {
		if t := r.tables[schema+"."+name]; t != nil {
			t.columns = append(t.columns, col)
		}
		return nil
	})
	return err
}

// refused returns an error if the plan can't be carried out, or would lose rows
// that opts does not allow to lose.
func (p *researchPlan) refused(ctx context.Context, conn *pgx.Conn, opts Options) error {
	if err := p.problems.problems(); err != nil {
		return fault.New("set up the research tables", err, "\"pgdeid check\" lists all findings")
	}
	return refuseRows(ctx, conn, p.dropped, opts)
}
