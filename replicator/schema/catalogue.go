package schema

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// catalogueRow is a column as a catalogue describes it.
type catalogueRow struct {
	name, typ string
	oid       uint32
}

func readColumns(ctx context.Context, conn *pgx.Conn, name string) (map[string]catalogueRow, error) {
	rows, _ := conn.Query(ctx, `
		with recursive base as (
			select attname, atttypid, atttypid as typ from pg_attribute
			where attrelid = $1::regclass and attnum > 0 and not attisdropped
			union all
			select attname, atttypid, typbasetype from base join pg_type t on t.oid = typ where typtype = 'd'),
		part as (
			select attname, t.typelem as typ from base join pg_type t on t.oid = typ where t.typcategory = 'A'
			union all
			select attname, typbasetype from part join pg_type t on t.oid = typ where typtype = 'd')
		select b.attname, coalesce(format_type(e.oid, -1) || '[]', format_type(b.typ, -1)), b.atttypid
		from base b join pg_type t on t.oid = b.typ
		left join (part p join pg_type e on e.oid = p.typ and e.typtype <> 'd') on p.attname = b.attname and t.typcategory = 'A'
		where t.typtype <> 'd'`, name)
	found := map[string]catalogueRow{}
	var r catalogueRow
	_, err := pgx.ForEachRow(rows, []any{&r.name, &r.typ, &r.oid}, func() error {
		found[r.name] = r
		return nil
	})
	return found, err
}

// readPrimaryKey returns the columns by which the stream names the rows that were deleted or whose key changed: of the
// primary key, or of the index that is the table's replica identity.
func readPrimaryKey(ctx context.Context, conn *pgx.Conn, name string) ([]string, error) {
	rows, _ := conn.Query(ctx, `
		select a.attname
		from pg_class c join pg_index i on i.indrelid = c.oid
		cross join lateral unnest(i.indkey) with ordinality k (attnum, n)
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
		where c.oid = $1::regclass and case c.relreplident when 'i' then i.indisreplident else i.indisprimary end and k.n <= i.indnkeyatts
		order by k.n`, name)
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
