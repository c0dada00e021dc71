// Package roles is the roles that pgdeid makes: their names, whether a migration may change them, and their passwords.
// See https://www.postgresql.org/docs/current/role-attributes.html.
package roles

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Check makes sure that migrations of a database, "source" or "replica", may change roles that are there
// already. From PostgreSQL 16 on that takes the admin option on each of them,
// unless one is a superuser.
func Check(ctx context.Context, conn *pgx.Conn, database string, roles ...string) (finding.List, error) {
	const query = `
select r.rolname::text, current_user::text
from pg_roles r, pg_roles me
where r.rolname = any($1) and me.rolname = current_user and not me.rolsuper
  and (not me.rolcreaterole or $2 and not pg_has_role(me.oid, r.oid, 'member with admin option'))
order by 1`
	server, err := postgres.ReadVersion(ctx, conn)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, query, roles, server.AdminOption())
	if err != nil {
		return nil, err
	}
	var fs finding.List
	var role, me string
	_, err = pgx.ForEachRow(rows, []any{&role, &me}, func() error {
		remedy := "as a superuser: alter role " + quote.Name(me) + " createrole"
		if server.AdminOption() {
			remedy += "; grant " + quote.Name(role) + " to " + quote.Name(me) + " with admin option"
		}
		fs.Problem(database+" role "+role, "exists, and "+me+" may not change it", remedy)
		return nil
	})
	return fs, err
}

// The roles that pgdeid logs in with, and the one that people get.
const (
	Replication = "pgdeid_replication"
	Reader      = config.ReaderRole
	Service     = "pgdeid_service"
	Analyst     = "pgdeid_analyst"
)
