package publication

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// To change the columns of a table in a publication is to put another entry in the
// place of its old one. Done in one transaction no change passes by, but the
// entries do not show that later. So pgdeid's own commands write down, in that transaction, which
// entry carried on from which.

// carryingOn returns statements, to be run in one transaction, that change a
// publication and remember which of its entries took the place of which.
func carryingOn(server postgres.Version, publication string, change []string) []string {
	entries := entriesQuery(server, "") + quote.Literal(publication)
	return slices.Concat(
		[]string{"create temporary table pgdeid_before on commit drop as " + entries},
		change,
		[]string{fmt.Sprintf(`insert into pgdeid.carried_on (since, before)
			select a.since, b.since from (%s) a join pg_temp.pgdeid_before b using (table_name) where a.since <> b.since
			on conflict do nothing`, entries)})
}

// readCarriedOn reads which entries took the place of which.
func readCarriedOn(ctx context.Context, conn *pgx.Conn) (map[string]string, error) {
	var can bool
	err := conn.QueryRow(ctx, `
		select coalesce(bool_or(has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')), false)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'pgdeid' and c.relname = 'carried_on'`).Scan(&can)
	before := map[string]string{}
	if err != nil || !can { // a source that an older program set up
		return before, err
	}
	rows, err := conn.Query(ctx, "select since, before from pgdeid.carried_on")
	if err != nil {
		return nil, err
	}
	var now, was string
	_, err = pgx.ForEachRow(rows, []any{&now, &was}, func() error {
		before[now] = was
		return nil
	})
	return before, err
}

// unbroken reports whether entry now is entry was, or carried on from it.
func (p *Publication) unbroken(was, now string) bool {
	for range len(p.before) + 1 {
		if now == was {
			return true
		}
		next, ok := p.before[now]
		if !ok {
			return false
		}
		now = next
	}
	return false
}
