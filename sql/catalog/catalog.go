// Package catalog reads what a source's system tables say of the mapped tables: https://www.postgresql.org/docs/current/catalogs.html.
package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/postgres"
)

// Catalog is what a source's system tables say of the mapped tables.
type Catalog struct {
	Server postgres.Version
	Tables map[string]*Table // by "schema.name"; tables that do not exist are missing
}

// Table is a table of the source.
type Table struct {
	Schema, Name string
	Kind         string // relkind: "r" table, "p" partitioned table, "v" view, …
	Persistence  string // relpersistence: "p" permanent, "u" unlogged, "t" temporary
	Identity     string // relreplident: "d" default, "n" nothing, "f" full, "i" index
	RowSecurity  bool
	PrimaryKey   []string // in the order of the key; of a table whose replica identity is an index, that index's columns
	Columns      []Column // in the order of the table
	Unique       Unique   // read only where paths lead through the table
	OddLeaves    []string // partitions whose replica identity differs from the root's
}

// Column is a column of the source.
type Column struct {
	Name      string
	Type      string // as format_type writes it, domains and enums resolved
	Generated bool   // stored or virtual
	Virtual   bool   // computed when it is read (PostgreSQL 18)
}

// TypeOf returns the type of a column, or "".
func (t *Table) TypeOf(column string) string {
	c, _ := t.Column(column)
	return c.Type
}

// Column returns a column by its name, or false.
func (t *Table) Column(name string) (Column, bool) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}

const tablesQuery = `
select n.nspname, c.relname, c.relkind::text, c.relpersistence::text, c.relreplident::text, c.relrowsecurity,
       coalesce((select array_agg(a.attname::text order by k.ord)
                 from pg_index i, unnest(i.indkey::int2[]) with ordinality k (num, ord), pg_attribute a
                 where i.indrelid = c.oid and case c.relreplident when 'i' then i.indisreplident else i.indisprimary end
                   and k.ord <= i.indnkeyatts and a.attrelid = c.oid and a.attnum = k.num), '{}'),
       coalesce((select array_agg(p.relid::regclass::text order by 1)
                 from pg_partition_tree(c.oid) p join pg_class l on l.oid = p.relid
                 where c.relkind = 'p' and p.isleaf and l.relreplident <> c.relreplident), '{}')
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where (n.nspname, c.relname) in (select * from unnest($1::text[], $2::text[]))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')`

// columnsQuery resolves domains to what they are made of, and types that a
// replica may not have (enums, composites, those of extensions) to text.
const columnsQuery = `
select n.nspname, c.relname, a.attname, a.attgenerated <> '', a.attgenerated = 'v',
       case when t.typtype = 'd' then (
                with recursive base (oid, typmod) as (
                    select t.typbasetype, t.typtypmod
                    union all
                    select d.typbasetype, d.typtypmod from base b join pg_type d on d.oid = b.oid where d.typtype = 'd'
                )
                select case when d.typnamespace = 'pg_catalog'::regnamespace then format_type(d.oid, b.typmod) else 'text' end
                from base b join pg_type d on d.oid = b.oid where d.typtype <> 'd')
            when t.typnamespace = 'pg_catalog'::regnamespace then format_type(t.oid, a.atttypmod)
            when t.typcategory = 'A' then (
                with recursive part (oid, typmod) as (
                    select t.typelem, -1
                    union all
                    select d.typbasetype, d.typtypmod from part p join pg_type d on d.oid = p.oid where d.typtype = 'd'
                )
                select case when d.typnamespace = 'pg_catalog'::regnamespace then format_type(d.oid, p.typmod) else 'text' end || '[]'
                from part p join pg_type d on d.oid = p.oid where d.typtype <> 'd')
            else 'text' end
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
where (n.nspname, c.relname) in (select * from unnest($1::text[], $2::text[]))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
order by c.oid, a.attnum`

// Read asks a source about the tables of a mapping. Every role may ask.
func Read(ctx context.Context, conn *pgx.Conn, cfg *config.Config) (*Catalog, error) {
	const op = "read the source's catalogue"
	server, err := postgres.ReadVersion(ctx, conn)
	if err != nil {
		return nil, err
	}
	schemas, names := TableNames(cfg)
	cat := &Catalog{Server: server, Tables: map[string]*Table{}}
	rows, err := conn.Query(ctx, tablesQuery, schemas, names)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	tables, err := pgx.CollectRows(rows, scanTable)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	for _, t := range tables {
		cat.Tables[t.Schema+"."+t.Name] = t
	}
	if err := cat.readColumns(ctx, conn, schemas, names); err != nil {
		return nil, fault.New(op, err, "")
	}
	return cat, fault.New(op, cat.readUnique(ctx, conn, cfg), "")
}

func scanTable(row pgx.CollectableRow) (*Table, error) {
	t := &Table{}
	err := row.Scan(&t.Schema, &t.Name, &t.Kind, &t.Persistence, &t.Identity, &t.RowSecurity, &t.PrimaryKey, &t.OddLeaves)
	return t, err
}

func (cat *Catalog) readColumns(ctx context.Context, conn *pgx.Conn, schemas, names []string) error {
	rows, err := conn.Query(ctx, columnsQuery, schemas, names)
	if err != nil {
		return err
	}
	var schema, name string
	var col Column
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &col.Name, &col.Generated, &col.Virtual, &col.Type}, func() error {
		if t := cat.Tables[schema+"."+name]; t != nil {
			t.Columns = append(t.Columns, col)
		}
		return nil
	})
	return err
}

// Leaving returns the columns of a mapped table that its publication lists, in
// the order of the table.
func (cat *Catalog) Leaving(cfg *config.Config, t *config.Table) []string {
	return cat.inOrder(t, cfg.Leaving)
}

// Read returns the columns of a mapped table that pgdeid_reader may select and
// that its foreign table has, in the order of the table; nil for a table that
// has no part in gazetteers.
func (cat *Catalog) Read(cfg *config.Config, t *config.Table) []string {
	return cat.inOrder(t, cfg.Read)
}

func (cat *Catalog) inOrder(t *config.Table, choose func(*config.Table, []string) []string) []string {
	table := cat.Tables[t.FullName()]
	if table == nil {
		return nil
	}
	chosen := choose(t, table.PrimaryKey)
	var names []string
	for _, c := range table.Columns {
		if slices.Contains(chosen, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// ReadAsAdmin reads the source's catalogue as its admin or, where the file
// names none, as the replication role.
func ReadAsAdmin(ctx context.Context, cfg *config.Config) (*Catalog, error) {
	conf, err := cfg.SourceConn(config.Service)
	if cfg.Source.AdminDSN != "" {
		conf, err = postgres.SourceAdmin(cfg)
	}
	if err != nil {
		return nil, err
	}
	var cat *Catalog
	err = postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error {
		cat, err = Read(ctx, conn, cfg)
		return err
	})
	return cat, err
}

// SameColumns reports whether a and b name the same columns, in any order.
func SameColumns(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// TableNames returns the schemas and names of the mapped tables, in the order of the mapping.
func TableNames(cfg *config.Config) (schemas, names []string) {
	for _, t := range cfg.Tables {
		schemas, names = append(schemas, t.Schema), append(names, t.Name)
	}
	return schemas, names
}
