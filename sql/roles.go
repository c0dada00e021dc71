package sql

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// rolesOf returns the roles that a database's migrations make or change.
func rolesOf(t Target) []string {
	switch t {
	case Source:
		return []string{ReplicationRole, ReaderRole}
	case Replica:
		return []string{ServiceRole, AnalystRole}
	}
	return nil
}

// checkRoles makes sure that the migrations may change roles that are there
// already. From PostgreSQL 16 on that takes the admin option on each of them,
// unless one is a superuser.
func checkRoles(ctx context.Context, conn *pgx.Conn, t Target) (Findings, error) {
	const query = `
select r.rolname::text, current_user::text
from pg_roles r, pg_roles me
where r.rolname = any($1) and me.rolname = current_user and not me.rolsuper
  and (not me.rolcreaterole or $2 and not pg_has_role(me.oid, r.oid, 'member with admin option'))
order by 1`
	server, err := ServerVersion(ctx, conn)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, query, rolesOf(t), server.AdminOption())
	if err != nil {
		return nil, err
	}
	var fs Findings
	var role, me string
	_, err = pgx.ForEachRow(rows, []any{&role, &me}, func() error {
		remedy := "as a superuser: alter role " + ident(me) + " createrole"
		if server.AdminOption() {
			remedy += "; grant " + ident(role) + " to " + ident(me) + " with admin option"
		}
		fs.problem(string(t)+" role "+role, "exists, and "+me+" may not change it", remedy)
		return nil
	})
	return fs, err
}
