// Package publication is the publication that pgdeid follows: how it is made, paused and compared with the mapping, and which
// changes passed it by. See https://www.postgresql.org/docs/current/logical-replication-publication.html.
package publication

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
)

// Publication is what a publication of the source carries, as its catalogue says.
type Publication struct {
	Name   string
	Exists bool
	Defect string            // why it does not carry every change of its tables, or ""
	Tables map[string]Member // by "schema.name"

	before map[string]string // entries to those whose place they took at once
}

// Member is a table of a publication.
type Member struct {
	Columns  []string // that are carried; nil where the server carries all of them
	Filtered bool     // only some of its rows are carried
	// Since identifies the table's entry. It is another one after the table left the
	// publication and came back, however that was done: who compares two readings
	// knows that nothing passed by in between.
	Since string
	// Partitions identify the attachments of its partitions at all levels, in order.
	Partitions []string
}

// Wanted is a table that a publication must carry, and its columns.
type Wanted struct {
	Table   string
	Columns []string
}

// Read reads a publication of the database that conn leads to.
func Read(ctx context.Context, conn *pgx.Conn, name string) (*Publication, error) {
	op := "read publication " + name
	p := &Publication{Name: name, Tables: map[string]Member{}}
	err := conn.QueryRow(ctx, `
		select case when not (pubinsert and pubupdate and pubdelete and pubtruncate)
				then 'it does not publish all of insert, update, delete and truncate'
			when not pubviaroot then 'it does not publish partitions as their table (publish_via_partition_root)' else '' end
		from pg_publication where pubname = $1`, name).Scan(&p.Defect)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, nil
	}
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	p.Exists = true
	if p.before, err = readCarriedOn(ctx, conn); err != nil {
		return nil, fault.New(op, err, "")
	}
	if err := p.readMembers(ctx, conn); err != nil {
		return nil, fault.New(op, err, "")
	}
	return p, fault.New(op, p.readPartitions(ctx, conn), "")
}

// entriesQuery returns a query for the tables of a publication, whose name is to be
// appended: table_name, more columns, and since. An entry of pg_publication_rel or
// _namespace gets a new oid whenever it is made, also by SET TABLE with other columns;
// ALTER PUBLICATION … SET writes a new version of the publication's own row.
func entriesQuery(server postgres.Version, more string) string {
	schema, join := "", ""
	if server.ColumnLists() { // and whole schemas
		schema, join = ", s.oid", "left join pg_publication_namespace s on s.pnpubid = p.oid and s.pnnspid = n.oid"
	}
	return `
		select t.schemaname || '.' || t.tablename as table_name, ` + more + `concat_ws('.', p.oid, p.xmin, c.oid, r.oid` + schema + `) as since
		from pg_publication p
		join pg_publication_tables t on t.pubname = p.pubname
		join pg_namespace n on n.nspname = t.schemaname
		join pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
		left join pg_publication_rel r on r.prpubid = p.oid and r.prrelid = c.oid ` + join + `
		where p.pubname = `
}

// readMembers reads the tables.
func (p *Publication) readMembers(ctx context.Context, conn *pgx.Conn) error {
	server, err := postgres.ReadVersion(ctx, conn)
	if err != nil {
		return err
	}
	more := "null::text[], false, "
	if server.ColumnLists() { // and row filters
		more = "t.attnames::text[], t.rowfilter is not null, "
	}
	rows, err := conn.Query(ctx, entriesQuery(server, more)+"$1", p.Name)
	if err != nil {
		return err
	}
	var table string
	var m Member
	_, err = pgx.ForEachRow(rows, []any{&table, &m.Columns, &m.Filtered, &m.Since}, func() error {
		p.Tables[table] = m
		m = Member{}
		return nil
	})
	return err
}

// readPartitions reads how partitions hang together. To attach one again makes a
// new row, which a later transaction has written.
func (p *Publication) readPartitions(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `
		with recursive tree (root, part, edge) as (
			select c.oid, i.inhrelid, concat_ws('.', i.inhrelid, i.inhparent, i.xmin)
			from pg_class c join pg_inherits i on i.inhparent = c.oid
			where c.relkind = 'p' and not c.relispartition
			union all
			select t.root, i.inhrelid, concat_ws('.', i.inhrelid, i.inhparent, i.xmin)
			from tree t join pg_inherits i on i.inhparent = t.part)
		select n.nspname || '.' || c.relname, array_agg(t.edge order by t.edge)
		from tree t join pg_class c on c.oid = t.root join pg_namespace n on n.oid = c.relnamespace
		group by 1`)
	if err != nil {
		return err
	}
	var table string
	var edges []string
	_, err = pgx.ForEachRow(rows, []any{&table, &edges}, func() error {
		if m, ok := p.Tables[table]; ok {
			m.Partitions = edges
			p.Tables[table] = m
		}
		edges = nil
		return nil
	})
	return err
}

// Lacks says what of want the publication does not carry, a sentence each.
func (p *Publication) Lacks(want []Wanted) []string {
	if !p.Exists {
		return []string{"publication " + p.Name + " does not exist"}
	}
	var list []string
	if p.Defect != "" {
		list = append(list, p.Defect)
	}
	for _, w := range want {
		m, there := p.Tables[w.Table]
		missing := slices.DeleteFunc(slices.Clone(w.Columns), func(c string) bool { return slices.Contains(m.Columns, c) })
		switch {
		case !there:
			list = append(list, fmt.Sprintf("table %s is mapped but not published", w.Table))
		case m.Filtered:
			list = append(list, fmt.Sprintf("table %s is published with a row filter: some rows are left out", w.Table))
		case m.Columns != nil && len(missing) > 0:
			list = append(list, fmt.Sprintf("of table %s these columns are mapped but not published: %s", w.Table, strings.Join(missing, ", ")))
		}
	}
	return list
}

// WantedOf returns what the mapping needs of the publication. Tables that the source
// does not have are left out.
func WantedOf(cfg *config.Config, cat *catalog.Catalog) []Wanted {
	var list []Wanted
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		if cat.Tables[t.FullName()] != nil {
			list = append(list, Wanted{t.FullName(), cat.Leaving(cfg, t)})
		}
	}
	return list
}
