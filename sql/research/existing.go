// Package research is the tables of the replica that analysts read, as views of the rows: what is there, the plan that brings it
// to the mapping, where the rows are, and with which mapping and key they were made.
package research

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Existing is what the replica has of research tables.
type Existing struct {
	tables  map[string]*table   // by "schema.name", pgdeid's and others' in schemas of the mapping
	made    map[string][]string // kind to names: what pgdeid made, as deid.generated says
	schemas []string            // all schemas of the database
	lz4     bool
}

type table struct {
	schema, name string
	ours         bool // false: something else has the name
	columns      []Column
	key          []string
	hashed       string // what the key is a hash of, or ""
	view         *view  // nil if there is none
	owned        bool   // rows have the patient whose they are
	copying      bool   // the first copy is under way: analysts don't read it
	staged       bool   // there are tables of what waits and of what was released
}

// view is what analysts read of a table.
type view struct {
	columns []string
	over    string // schema of the table that it shows
}

// Column is a published column.
type Column struct {
	Name, Type, policy string // policy: that it was made under
}

func (t *table) column(name string) (Column, bool) {
	i := slices.IndexFunc(t.columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return t.columns[i], true
}

// sorted returns the tables that pgdeid made, by name.
func (r *Existing) sorted() []*table {
	var ts []*table
	for _, t := range r.tables {
		if t.ours {
			ts = append(ts, t)
		}
	}
	slices.SortFunc(ts, func(a, b *table) int {
		return strings.Compare(a.schema+"."+a.name, b.schema+"."+b.name)
	})
	return ts
}

// Read reads what the replica has.
func Read(ctx context.Context, conn *pgx.Conn) (*Existing, error) {
	r := &Existing{tables: map[string]*table{}, made: map[string][]string{}}
	for _, read := range []func(context.Context, *pgx.Conn) error{r.readMade, r.readRows, r.readViews, r.readColumns} {
		if err := read(ctx, conn); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readRows reads which of the tables that pgdeid made are there.
func (r *Existing) readRows(ctx context.Context, conn *pgx.Conn) error {
	const query = `
select c.relname,
       coalesce((select array_agg(a.attname::text order by k.ord)
                 from pg_index i, unnest(i.indkey::int2[]) with ordinality k (num, ord), pg_attribute a
                 where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.num), '{}'),
       coalesce((select col_description(c.oid, attnum) from pg_attribute where attrelid = c.oid and attname = $3), ''),
       not exists (select from deid.row_order o where o.place = format('%I.%I', $1::text, c.relname)),
       exists (select from pg_class s where s.relname = c.relname and s.relnamespace = (select oid from pg_namespace where nspname = $2))
from pg_class c
where c.relkind = 'r' and c.relnamespace = (select oid from pg_namespace where nspname = $1)`
	copied, err := postgres.Names(ctx, conn, "select distinct table_name from deid.snapshot")
	if err != nil {
		return err
	}
	rows, err := conn.Query(ctx, query, RowsSchema, ReleasedSchema, KeyColumn)
	if err != nil {
		return err
	}
	full := map[string]string{}
	for _, name := range r.made["table"] {
		full[rowsName(name)] = name
	}
	var name string
	var t table
	_, err = pgx.ForEachRow(rows, []any{&name, &t.key, &t.hashed, &t.copying, &t.staged}, func() error {
		table := t
		t.key = nil
		if id := full[name]; id != "" {
			table.ours = true
			table.copying = table.copying && slices.Contains(copied, id)
			table.schema, table.name, _ = strings.Cut(id, ".")
			r.tables[id] = &table
		}
		return nil
	})
	return err
}

// readViews reads the views over these tables, and what else has a name in a schema
// of its own.
func (r *Existing) readViews(ctx context.Context, conn *pgx.Conn) error {
	const query = `
select n.nspname, c.relname, c.relkind = 'v',
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum),
       coalesce((select t.relnamespace::regnamespace::text
                 from pg_rewrite w
                 join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
                 join pg_class t on t.oid = d.refobjid and t.oid <> c.oid
                 where w.ev_class = c.oid limit 1), '')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$|deid$|deid_)'`
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return err
	}
	var schema, name string
	var isView bool
	var v view
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &isView, &v.columns, &v.over}, func() error {
		view := v
		v.columns = nil
		id := schema + "." + name
		switch t := r.tables[id]; {
		case !isView || !slices.Contains(r.made["table"], id):
			r.tables[id] = &table{schema: schema, name: name}
		case t != nil:
			t.view = &view
		default: // its table is gone
			r.tables[id] = &table{schema: schema, name: name, ours: true, view: &view}
		}
		return nil
	})
	return err
}

func (r *Existing) readMade(ctx context.Context, conn *pgx.Conn) error {
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

func (r *Existing) readColumns(ctx context.Context, conn *pgx.Conn) error {
	for id, t := range r.tables {
		if !t.ours {
			continue
		}
		rows, err := conn.Query(ctx, `
select a.attname, format_type(a.atttypid, a.atttypmod), coalesce(p.policy, '')
from pg_attribute a
left join deid.column_policy p on p.table_schema = $2 and p.table_name = $3 and p.column_name = a.attname
where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped and a.attname <> $4
order by a.attnum`, quote.Name(RowsSchema, rowsName(id)), t.schema, t.name, KeyColumn)
		if err != nil {
			return err
		}
		var col Column
		if _, err = pgx.ForEachRow(rows, []any{&col.Name, &col.Type, &col.policy}, func() error {
			if col.Name == PatientColumn {
				t.owned = true
				return nil
			}
			t.columns = append(t.columns, col)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
