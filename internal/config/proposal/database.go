package proposal

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// database is what the system tables say of some schemas.
type database struct {
	tables []*table
}

type table struct {
	schema, name string
	key          []string // primary key
	unique       []string // columns that are unique by themselves
	columns      []*column
	links        []link // foreign keys
	rows         int64  // the planner's estimate, of all partitions; below 0 if it has none
	lines        *lines // how its rows make up notes; nil if they don't
	unseen       string // why values were not looked at, or not of all columns; "" where they were
}

type column struct {
	name     string
	dataType string // format_type, domains resolved
	enum     bool
	label    string // security label of provider anon
	comment  string
	shape    shape
	// unreadable says that the role may not read the column's values.
	unreadable bool
}

// link is a foreign key, of one column or several.
type link struct {
	columns []string
	table   *table
	targets []string // of columns, one each: columns of table
}

// target returns the column that a column of the foreign key is equal to, or "" if it belongs to no part of it.
func (l *link) target(column string) string {
	if i := slices.Index(l.columns, column); i >= 0 {
		return l.targets[i]
	}
	return ""
}

// from returns the columns of the foreign key that are equal to the wanted columns of its table, in their order; nil if it
// leads to others, or not to all of them.
func (l *link) from(wanted []string) []string {
	if len(l.targets) != len(wanted) {
		return nil
	}
	var columns []string
	for _, name := range wanted {
		i := slices.Index(l.targets, name)
		if i < 0 {
			return nil
		}
		columns = append(columns, l.columns[i])
	}
	return columns
}

func (t *table) fullName() string { return t.schema + "." + t.name }

func (t *table) column(name string) *column {
	for _, c := range t.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (db *database) table(schema, name string) *table {
	for _, t := range db.tables {
		if t.schema == schema && t.name == name {
			return t
		}
	}
	return nil
}

const tablesQuery = `
select n.nspname, c.relname,
       coalesce((select sum(greatest(l.reltuples, 0)) from pg_partition_tree(c.oid) p join pg_class l on l.oid = p.relid), c.reltuples)::bigint,
       coalesce((select array_agg(a.attname::text order by k.ord)
                 from pg_index i, unnest(i.indkey::int2[]) with ordinality k (num, ord), pg_attribute a
                 where i.indrelid = c.oid and case c.relreplident when 'i' then i.indisreplident else i.indisprimary end and k.ord <= i.indnkeyatts
                   and a.attrelid = c.oid and a.attnum = k.num), '{}'),
       coalesce((select array_agg(a.attname::text) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1 and i.indpred is null), '{}')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
  and case when cardinality($1::text[]) > 0 then n.nspname = any($1)
      else n.nspname !~ '^(pg_|information_schema$|deid|pgdeid$)' end
order by 1, 2`

const columnsQuery = `
select n.nspname, c.relname, a.attname,
       case t.typtype when 'd' then format_type(t.typbasetype, t.typtypmod) else format_type(t.oid, a.atttypmod) end,
       t.typtype = 'e', coalesce(l.label, ''), coalesce(col_description(c.oid, a.attnum), ''),
       not (has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select'))
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
join pg_type t on t.oid = a.atttypid
left join pg_seclabel l on l.classoid = 'pg_class'::regclass and l.objoid = c.oid and l.objsubid = a.attnum and l.provider = 'anon'
where c.relkind in ('r', 'p') and not c.relispartition
order by c.oid, a.attnum`

const linksQuery = `
select n.nspname, c.relname, fn.nspname, fc.relname,
       (select array_agg(a.attname::text order by p.ord) from unnest(k.conkey) with ordinality p (num, ord)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.num),
       (select array_agg(a.attname::text order by p.ord) from unnest(k.confkey) with ordinality p (num, ord)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.num)
from pg_constraint k
join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
join pg_class fc on fc.oid = k.confrelid join pg_namespace fn on fn.oid = fc.relnamespace
where k.contype = 'f' and k.conparentid = 0
order by k.oid`

// read asks the system tables; schemas empty means all but the system's.
func read(ctx context.Context, conn *pgx.Conn, schemas []string) (*database, error) {
	const op = "read the database's catalogue"
	if schemas == nil {
		schemas = []string{}
	}
	db := &database{}
	rows, err := conn.Query(ctx, tablesQuery, schemas)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	db.tables, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*table, error) {
		t := &table{}
		return t, row.Scan(&t.schema, &t.name, &t.rows, &t.key, &t.unique)
	})
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if err := db.readColumns(ctx, conn); err != nil {
		return nil, fault.New(op, err, "")
	}
	return db, fault.New(op, db.readLinks(ctx, conn), "")
}

func (db *database) readColumns(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, columnsQuery)
	if err != nil {
		return err
	}
	var schema, name string
	var c column
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &c.name, &c.dataType, &c.enum, &c.label, &c.comment, &c.unreadable}, func() error {
		if t := db.table(schema, name); t != nil {
			col := c
			t.columns = append(t.columns, &col)
		}
		return nil
	})
	return err
}

func (db *database) readLinks(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, linksQuery)
	if err != nil {
		return err
	}
	var schema, name, targetSchema, targetName string
	var columns, targets []string
	_, err = pgx.ForEachRow(rows, []any{&schema, &name, &targetSchema, &targetName, &columns, &targets}, func() error {
		from, to := db.table(schema, name), db.table(targetSchema, targetName)
		if from != nil && to != nil {
			from.links = append(from.links, link{slices.Clone(columns), to, slices.Clone(targets)})
		}
		return nil
	})
	return err
}
