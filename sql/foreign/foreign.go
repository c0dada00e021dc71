// Package foreign is the foreign server through which the replica reads gazetteers from the source, with postgres_fdw:
// https://www.postgresql.org/docs/current/postgres-fdw.html.
package foreign

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// Server is the server, and the schema of foreign tables named
// "schema.table", through which gazetteers are read.
const Server = "deid_ehr"

// Make makes the foreign server anew, or takes it away where
// gazetteers are read directly.
func Make(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog, log *slog.Logger) error {
	const op = "set up foreign server " + Server
	have, err := research.Read(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements, err := dropStatements(ctx, conn, have)
	if err != nil {
		return fault.New(op, err, "")
	}
	if cfg.Gazetteers != config.Foreign {
		statements = append(statements, dropExtension(have)...)
	} else {
		more, err := makeStatements(ctx, conn, cfg, cat)
		if err != nil {
			return err
		}
		statements = append(statements, more...)
	}
	if err := postgres.InTx(ctx, conn, statements); err != nil {
		return fault.New(op, err, "the role of replica.admin_dsn must be a superuser to make a foreign server; "+
			"where that can't be, set gazetteers: direct")
	}
	log.Info("gazetteers are set up", "by", cfg.Gazetteers)
	return nil
}

func makeStatements(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog) ([]string, error) {
	options, err := serverOptions(cfg)
	if err != nil {
		return nil, err
	}
	user, err := userOptions(cfg)
	if err != nil {
		return nil, err
	}
	var there bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_extension where extname = 'postgres_fdw')").Scan(&there); err != nil {
		return nil, fault.New("look for postgres_fdw", err, "")
	}
	var statements []string
	if !there {
		statements = append(statements, "create extension postgres_fdw schema deid",
			"insert into deid.generated values ('extension', 'postgres_fdw')")
	}
	statements = append(statements,
		fmt.Sprintf("create server %s foreign data wrapper postgres_fdw options (%s)", Server, options),
		fmt.Sprintf("comment on server %s is 'pgdeid: the EHR, read by %s'", Server, roles.Reader),
		fmt.Sprintf("create schema %s", Server),
		fmt.Sprintf("comment on schema %s is 'pgdeid: foreign tables of the EHR, only for %s; not for analysts'", Server, roles.Service),
		fmt.Sprintf("revoke all on schema %s from public", Server),
		fmt.Sprintf("grant usage on schema %s to %s", Server, roles.Service))
	for i := range cfg.Tables {
		statements = append(statements, foreignTable(cfg, cat, &cfg.Tables[i])...)
	}
	// The password can't be sent otherwise than in SQL, so keep the statement out
	// of the server's log and statistics as far as this role may.
	statements = append(statements, postgres.Quiet...)
	return append(statements, fmt.Sprintf("create user mapping for %s server %s options (%s)", roles.Service, Server, user)), nil
}

// serverOptions leads from the replica's server to the source, with the
// host, port, database and TLS settings of source.dsn.
func serverOptions(cfg *config.Config) (string, error) {
	conf, err := cfg.SourceConn(config.Service)
	if err != nil {
		return "", err
	}
	host, port := hostsOf(&conf.Config)
	if cfg.Source.ForeignHost != "" {
		host = cfg.Source.ForeignHost
		if h, p, err := net.SplitHostPort(host); err == nil {
			host, port = h, p
		}
	}
	options := []string{
		"host " + quote.Literal(host), "port " + quote.Literal(port), "dbname " + quote.Literal(conf.Database),
		"fetch_size '1000'", "updatable 'false'", "truncatable 'false'", "application_name 'pgdeid_gazetteer'", "connect_timeout '10'",
	}
	mode := config.SSLMode(cfg.Source.DSN)
	if mode == "" && !(config.OnlyLocal(&conf.Config) && cfg.Source.ForeignHost == "") {
		mode = "verify-full"
	}
	if mode != "" {
		options = append(options, "sslmode "+quote.Literal(mode))
	}
	for _, word := range []string{"sslrootcert", "target_session_attrs"} {
		if value := config.DSNValue(cfg.Source.DSN, word); value != "" {
			options = append(options, word+" "+quote.Literal(value))
		}
	}
	return strings.Join(options, ", "), nil
}

// hostsOf returns all hosts of a connection string with their ports, as libpq
// writes several.
func hostsOf(conf *pgconn.Config) (hosts, ports string) {
	hosts, ports = conf.Host, strconv.Itoa(int(conf.Port))
	seen := map[string]bool{hosts + ":" + ports: true}
	for _, f := range conf.Fallbacks { // holds each host again, without TLS, for some modes
		port := strconv.Itoa(int(f.Port))
		if !seen[f.Host+":"+port] {
			seen[f.Host+":"+port] = true
			hosts, ports = hosts+","+f.Host, ports+","+port
		}
	}
	return hosts, ports
}

// userOptions says how the replica's server logs in: with a certificate, whose key lies
// in that server's files and in no dump; else with the reader's password, if there is
// one, for sites that ask for it; else in a way of its own (a password file), which only
// a superuser may allow.
func userOptions(cfg *config.Config) (string, error) {
	if cfg.Source.ForeignCert != "" {
		return fmt.Sprintf("user %s, sslcert %s, sslkey %s, password_required 'false'", quote.Literal(roles.Reader),
			quote.Literal(cfg.Source.ForeignCert), quote.Literal(cfg.Source.ForeignKey)), nil
	}
	password, ok, err := config.Secret(cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD")
	if err != nil {
		return "", err
	}
	if !ok {
		return "user " + quote.Literal(roles.Reader) + ", password_required 'false'", nil
	}
	return "user " + quote.Literal(roles.Reader) + ", password " + quote.Literal(password), nil
}

// foreignTable makes one foreign table, named "schema.table", with just the
// columns that pgdeid_reader may select; nothing for tables without a part in
// gazetteers.
func foreignTable(cfg *config.Config, cat *catalog.Catalog, t *config.Table) []string {
	names := cat.Read(cfg, t)
	if len(names) == 0 {
		return nil
	}
	source := cat.Tables[t.FullName()]
	var columns []string
	for _, c := range source.Columns {
		if slices.Contains(names, c.Name) {
			columns = append(columns, quote.Name(c.Name)+" "+c.Type)
		}
	}
	name := quote.Name(Server, t.FullName())
	statements := []string{
		fmt.Sprintf("create foreign table %s (%s) server %s options (schema_name %s, table_name %s)", name,
			strings.Join(columns, ", "), Server, quote.Literal(t.Schema), quote.Literal(t.Name)),
		fmt.Sprintf("grant select on %s to %s", name, roles.Service),
		fmt.Sprintf("comment on foreign table %s is %s", name, quote.Literal("columns of "+t.FullName()+" of the EHR about people and places")),
	}
	for _, n := range names {
		c, _ := t.Column(n)
		text := "leads to the patient"
		if c != nil && len(c.Roles()) > 0 {
			text = "tells " + toldBy(c)
		} else if slices.Contains(source.PrimaryKey, n) {
			text = "key"
		}
		statements = append(statements, fmt.Sprintf("comment on column %s.%s is %s", name, quote.Name(n), quote.Literal(text)))
	}
	return statements
}

// toldBy names what a column tells, each role once.
func toldBy(c *config.Column) string {
	var names []string
	for _, role := range c.Roles() {
		if !slices.Contains(names, string(role)) {
			names = append(names, string(role))
		}
	}
	return strings.Join(names, ", ")
}

// Drop returns the statements that take the foreign server away, as far as it is there, and postgres_fdw if
// pgdeid brought it.
func Drop(ctx context.Context, conn *pgx.Conn, have *research.Existing) ([]string, error) {
	statements, err := dropStatements(ctx, conn, have)
	return append(statements, dropExtension(have)...), err
}

// dropStatements takes the foreign server away, as far as it is there.
func dropStatements(ctx context.Context, conn *pgx.Conn, have *research.Existing) ([]string, error) {
	rows, err := conn.Query(ctx, `
select format('drop foreign table %I.%I', n.nspname, c.relname)
from pg_foreign_table f join pg_class c on c.oid = f.ftrelid join pg_namespace n on n.oid = c.relnamespace
join pg_foreign_server s on s.oid = f.ftserver
where s.srvname = $1 and n.nspname = $1 order by 1`, Server)
	if err != nil {
		return nil, err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	var server bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_foreign_server where srvname = $1)", Server).Scan(&server); err != nil {
		return nil, err
	}
	if server {
		statements = append(statements, fmt.Sprintf("drop user mapping if exists for %s server %s", roles.Service, Server),
			"drop server "+Server)
	}
	if have.HasSchema(Server) {
		statements = append(statements, "drop schema "+Server)
	}
	return statements, nil
}

// dropExtension drops postgres_fdw if pgdeid brought it.
func dropExtension(have *research.Existing) []string {
	if !have.MadeExtension("postgres_fdw") {
		return nil
	}
	return []string{"drop extension postgres_fdw", "delete from deid.generated where kind = 'extension'"}
}
