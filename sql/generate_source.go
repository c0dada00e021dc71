package sql

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// The roles that pgdeid logs in with, and the one that people get.
const (
	ReplicationRole = "pgdeid_replication"
	ReaderRole      = config.ReaderRole
	ServiceRole     = "pgdeid_service"
	AnalystRole     = "pgdeid_analyst"
)

// generateSource makes what follows from the mapping in the source: grants of
// just the mapped columns, the publication, passwords.
func generateSource(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *Catalog, opts Options) error {
	const op = "set up the source for the mapping"
	before, err := ReadPublication(ctx, conn, cfg.Source.Publication)
	if err != nil {
		return err
	}
	revoked, err := revokeStatements(ctx, conn, ReplicationRole, ReaderRole)
	if err != nil {
		return fault.New(op, err, "")
	}
	// The publication comes first: it locks the tables, as ANALYZE does, which then changes the rows of the
	// catalogue that grants change. The other way round the two would wait for each other.
	published := carryingOn(cat.Server, cfg.Source.Publication, publicationStatements(cfg, cat, before.Exists))
	if err := inTx(ctx, conn, slices.Concat(published, revoked, sourceGrants(cfg, cat))); err != nil {
		return fault.New(op, err, sourceHint(err))
	}
	if text := cat.Server.WholeRows(); text != "" {
		opts.log().Warn(text, "hint", WholeRowsRemedy)
	}
	opts.log().Info("publication and grants are in place", "publication", cfg.Source.Publication, "tables", len(cfg.Tables))
	if before.Exists {
		for _, what := range before.Lacks(cat.Wanted(cfg)) {
			opts.log().Warn("the publication was not complete: \"pgdeid run\" copies what it left out again", "was", what)
		}
	}
	if err := setRolePassword(ctx, conn, sourceLogin(cfg, config.Service), opts); err != nil {
		return err
	}
	return setRolePassword(ctx, conn, sourceLogin(cfg, config.Reader), opts)
}

func sourceHint(err error) string {
	if fault.State(err) == "55P03" {
		return "a table was locked for more than 10 s by other work: try again at a quieter time"
	}
	return "the role of source.admin_dsn must own the mapped tables and be allowed to create publications, or be a superuser"
}

// sourceGrants gives each role the columns that it needs and no other.
func sourceGrants(cfg *config.Config, cat *Catalog) []string {
	statements := []string{
		"grant usage on schema pgdeid to " + ReplicationRole,
		"grant select on pgdeid.carried_on to " + ReplicationRole,
	}
	schemas := map[string]map[string]bool{ReplicationRole: {}, ReaderRole: {}}
	grant := func(role string, t *config.Table, columns []string) {
		if len(columns) == 0 {
			return
		}
		if !schemas[role][t.Schema] {
			schemas[role][t.Schema] = true
			statements = append(statements, fmt.Sprintf("grant usage on schema %s to %s", ident(t.Schema), role))
		}
		statements = append(statements, fmt.Sprintf("grant select (%s) on %s to %s", idents(columns), ident(t.Schema, t.Name), role))
	}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		grant(ReplicationRole, t, cat.Leaving(cfg, t))
		grant(ReaderRole, t, cat.Read(cfg, t))
	}
	return statements
}

// publicationStatements make the publication, or bring it to the mapping. They
// do not block reading or writing of rows.
func publicationStatements(cfg *config.Config, cat *Catalog, exists bool) []string {
	var tables []string
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		table := ident(t.Schema, t.Name)
		if cat.Server.ColumnLists() {
			table += " (" + idents(cat.Leaving(cfg, t)) + ")"
		}
		tables = append(tables, table)
	}
	name := ident(cfg.Source.Publication)
	with := "publish = 'insert, update, delete, truncate', publish_via_partition_root = true"
	if cat.Server.GeneratedColumns() { // a list names those that are published
		with += ", publish_generated_columns = none"
	}
	var statements []string
	if exists {
		statements = []string{
			fmt.Sprintf("alter publication %s set table %s", name, strings.Join(tables, ", ")),
			fmt.Sprintf("alter publication %s set (%s)", name, with),
		}
	} else {
		statements = []string{fmt.Sprintf("create publication %s for table %s with (%s)", name, strings.Join(tables, ", "), with)}
	}
	return append(statements, "comment on publication "+name+" is "+literal(publicationComment))
}

// refuseAllTables returns an error if a publication is not one of tables.
func refuseAllTables(ctx context.Context, conn *pgx.Conn, name string) error {
	var all bool
	err := conn.QueryRow(ctx, "select puballtables from pg_publication where pubname = $1", name).Scan(&all)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && all {
		err = fmt.Errorf("publication %s is for all tables and not made by pgdeid; choose another name under source.publication", name)
	}
	return err
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
			fmt.Sprintf("stop pgdeid, then: select pg_drop_replication_slot(%s)", literal(cfg.Source.Slot)))
	}
	statements, err := revokeStatements(ctx, conn, ReplicationRole, ReaderRole)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements = append(statements, "drop publication if exists "+ident(cfg.Source.Publication))
	return fault.New(op, inTx(ctx, conn, statements), sourceHint(nil))
}
