package sql

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/publication"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// generateSource makes what follows from the mapping in the source: grants of
// just the mapped columns, the publication, passwords.
func generateSource(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog, opts Options) error {
	const op = "set up the source for the mapping"
	before, err := publication.Read(ctx, conn, cfg.Source.Publication)
	if err != nil {
		return err
	}
	revoked, err := revokeStatements(ctx, conn, roles.Replication, roles.Reader)
	if err != nil {
		return fault.New(op, err, "")
	}
	// The publication comes first: it locks the tables, as ANALYZE does, which then changes the rows of the
	// catalogue that grants change. The other way round the two would wait for each other.
	published := publication.Statements(cfg, cat, before.Exists)
	if err := postgres.InTx(ctx, conn, slices.Concat(published, revoked, sourceGrants(cfg, cat))); err != nil {
		return fault.New(op, err, publication.Hint(err))
	}
	if text := cat.Server.WholeRows(); text != "" {
		opts.log().Warn(text, "hint", postgres.WholeRowsRemedy)
	}
	opts.log().Info("publication and grants are in place", "publication", cfg.Source.Publication, "tables", len(cfg.Tables))
	if before.Exists {
		for _, what := range before.Lacks(publication.WantedOf(cfg, cat)) {
			opts.log().Warn("the publication was not complete: \"pgdeid run\" copies what it left out again", "was", what)
		}
	}
	return roles.SetSourcePasswords(ctx, conn, cfg, opts.log())
}

// sourceGrants gives each role the columns that it needs and no other.
func sourceGrants(cfg *config.Config, cat *catalog.Catalog) []string {
	statements := []string{
		"grant usage on schema pgdeid to " + roles.Replication,
		"grant select on pgdeid.carried_on to " + roles.Replication,
	}
	schemas := map[string]map[string]bool{roles.Replication: {}, roles.Reader: {}}
	grant := func(role string, t *config.Table, columns []string) {
		if len(columns) == 0 {
			return
		}
		if !schemas[role][t.Schema] {
			schemas[role][t.Schema] = true
			statements = append(statements, fmt.Sprintf("grant usage on schema %s to %s", quote.Name(t.Schema), role))
		}
		statements = append(statements, fmt.Sprintf("grant select (%s) on %s to %s", quote.Names(columns), quote.Name(t.Schema, t.Name), role))
	}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		grant(roles.Replication, t, cat.Leaving(cfg, t))
		grant(roles.Reader, t, cat.Read(cfg, t))
	}
	return statements
}

// revokeStatements take back whatever tables and schemas of this database the
// roles were granted.
func revokeStatements(ctx context.Context, conn *pgx.Conn, roles ...string) ([]string, error) {
	const query = `
with r as (select oid, rolname from pg_roles where rolname = any($1)),
granted as (
    select distinct r.rolname::text as role, c.oid
    from r, pg_class c, aclexplode(c.relacl) a
    where a.grantee = r.oid
    union
    select distinct r.rolname::text, t.attrelid
    from r, pg_attribute t, aclexplode(t.attacl) a
    where a.grantee = r.oid and not t.attisdropped)
select format('revoke all on %I.%I from %I', n.nspname, c.relname, g.role)
from granted g join pg_class c on c.oid = g.oid join pg_namespace n on n.oid = c.relnamespace
where n.nspname not in ('pg_catalog', 'information_schema')
union all
select format('revoke all on schema %I from %I', n.nspname, r.rolname)
from r, pg_namespace n, aclexplode(n.nspacl) a
where a.grantee = r.oid and n.nspname not in ('pg_catalog', 'information_schema')
order by 1`
	rows, err := conn.Query(ctx, query, roles)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// dropSource takes away what generateSource made. A slot that still follows the
// publication stops it: it would break, and hold the source's WAL for ever.
func dropSource(ctx context.Context, conn *pgx.Conn, cfg *config.Config) error {
	const op = "take pgdeid out of the source"
	var slots int
	err := conn.QueryRow(ctx, "select count(*) from pg_replication_slots where slot_name = $1 and database = current_database()",
		cfg.Source.Slot).Scan(&slots)
	if err != nil {
		return fault.New(op, err, "")
	}
	if slots > 0 {
		return fault.New(op, fmt.Errorf("replication slot %s exists still", cfg.Source.Slot),
			fmt.Sprintf("stop pgdeid, then: select pg_drop_replication_slot(%s)", quote.Literal(cfg.Source.Slot)))
	}
	statements, err := revokeStatements(ctx, conn, roles.Replication, roles.Reader)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements = append(statements, "drop publication if exists "+quote.Name(cfg.Source.Publication))
	return fault.New(op, postgres.InTx(ctx, conn, statements), publication.Hint(nil))
}
