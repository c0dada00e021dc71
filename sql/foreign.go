package sql

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// ForeignServer is the server, and the schema of foreign tables named
// "schema.table", through which gazetteers are read.
const ForeignServer = "deid_ehr"

// generateForeign makes the foreign server anew, or takes it away where
// gazetteers are read directly.
func generateForeign(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *Catalog, opts Options) error {
	const op = "set up foreign server " + ForeignServer
	have, err := readResearch(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements, err := dropForeignStatements(ctx, conn, have)
	if err != nil {
		return fault.New(op, err, "")
	}
	if cfg.Gazetteers != config.Foreign {
		statements = append(statements, dropExtension(have)...)
	} else {
		more, err := foreignStatements(ctx, conn, cfg, cat)
		if err != nil {
			return err
		}
		statements = append(statements, more...)
	}
	if err := inTx(ctx, conn, statements); err != nil {
		return fault.New(op, err, "the role of replica.admin_dsn must be a superuser to make a foreign server; "+
			"where that can't be, set gazetteers: direct")
	}
	opts.log().Info("gazetteers are set up", "by", cfg.Gazetteers)
	return nil
}

func foreignStatements(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *Catalog) ([]string, error) {
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
		fmt.Sprintf("create server %s foreign data wrapper postgres_fdw options (%s)", ForeignServer, options),
		fmt.Sprintf("comment on server %s is 'pgdeid: the EHR, read by %s'", ForeignServer, ReaderRole),
		fmt.Sprintf("create schema %s", ForeignServer),
		fmt.Sprintf("comment on schema %s is 'pgdeid: foreign tables of the EHR, only for %s; not for analysts'", ForeignServer, ServiceRole),
		fmt.Sprintf("revoke all on schema %s from public", ForeignServer),
		fmt.Sprintf("grant usage on schema %s to %s", ForeignServer, ServiceRole))
	for i := range cfg.Tables {
		statements = append(statements, foreignTable(cfg, cat, &cfg.Tables[i])...)
	}
	// The password can't be sent otherwise than in SQL, so keep the statement out
	// of the server's log and statistics as far as this role may.
	statements = append(statements, quiet...)
	return append(statements, fmt.Sprintf("create user mapping for %s server %s options (%s)", ServiceRole, ForeignServer, user)), nil
}

// quiet switches the logging of statements off for the rest of the transaction.
// Roles that may not do so (they are no superusers) go on without.
var quiet = []string{`do $$
declare
    s record;
begin
    for s in select * from (values ('log_statement', 'none'), ('log_min_duration_statement', '-1'),
        ('log_min_error_statement', 'panic'), ('log_min_duration_sample', '-1'), ('log_transaction_sample_rate', '0'),
        ('pg_stat_statements.track_utility', 'off'), ('pgaudit.log', 'none'), ('track_activities', 'off')) v (name, value)
    loop
        begin
            if current_setting(s.name, true) is not null then
                perform set_config(s.name, s.value, true);
            end if;
        exception when insufficient_privilege then
            null;
        end;
    end loop;
end
$$`}

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
		"host " + literal(host), "port " + literal(port), "dbname " + literal(conf.Database),
		"fetch_size '1000'", "updatable 'false'", "truncatable 'false'", "application_name 'pgdeid_gazetteer'", "connect_timeout '10'",
	}
	mode := config.SSLMode(cfg.Source.DSN)
	if mode == "" && !(config.OnlyLocal(&conf.Config) && cfg.Source.ForeignHost == "") {
		mode = "verify-full"
	}
	if mode != "" {
		options = append(options, "sslmode "+literal(mode))
	}
	for _, word := range []string{"sslrootcert", "target_session_attrs"} {
		if value := config.DSNValue(cfg.Source.DSN, word); value != "" {
			options = append(options, word+" "+literal(value))
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
		return fmt.Sprintf("user %s, sslcert %s, sslkey %s, password_required 'false'", literal(ReaderRole),
			literal(cfg.Source.ForeignCert), literal(cfg.Source.ForeignKey)), nil
	}
	password, ok, err := config.Secret(cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD")
	if err != nil {
		return "", err
	}
	if !ok {
		return "user " + literal(ReaderRole) + ", password_required 'false'", nil
	}
	return "user " + literal(ReaderRole) + ", password " + literal(password), nil
}

// foreignTable makes one foreign table, named "schema.table", with just the
// columns that pgdeid_reader may select; nothing for tables without a part in
// gazetteers.
func foreignTable(cfg *config.Config, cat *Catalog, t *config.Table) []string {
	names := cat.Read(cfg, t)
	if len(names) == 0 {
		return nil
	}
	source := cat.Tables[t.FullName()]
	var columns []string
	for _, c := range source.Columns {
		if slices.Contains(names, c.Name) {
			columns = append(columns, ident(c.Name)+" "+c.Type)
		}
	}
	name := ident(ForeignServer, t.FullName())
	statements := []string{
		fmt.Sprintf("create foreign table %s (%s) server %s options (schema_name %s, table_name %s)", name,
			strings.Join(columns, ", "), ForeignServer, literal(t.Schema), literal(t.Name)),
		fmt.Sprintf("grant select on %s to %s", name, ServiceRole),
		fmt.Sprintf("comment on foreign table %s is %s", name, literal("columns of "+t.FullName()+" of the EHR about people and places")),
	}
	for _, n := range names {
		c, _ := t.Column(n)
		text := "leads to the patient"
		if c != nil && len(c.Roles()) > 0 {
			text = "tells " + toldBy(c)
		} else if slices.Contains(source.PrimaryKey, n) {
			text = "key"
		}
		statements = append(statements, fmt.Sprintf("comment on column %s.%s is %s", name, ident(n), literal(text)))
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

// dropForeignStatements takes the foreign server away, as far as it is there.
func dropForeignStatements(ctx context.Context, conn *pgx.Conn, have *research) ([]string, error) {
	rows, err := conn.Query(ctx, `
select format('drop foreign table %I.%I', n.nspname, c.relname)
from pg_foreign_table f join pg_class c on c.oid = f.ftrelid join pg_namespace n on n.oid = c.relnamespace
join pg_foreign_server s on s.oid = f.ftserver
where s.srvname = $1 and n.nspname = $1 order by 1`, ForeignServer)
	if err != nil {
		return nil, err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	var server bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_foreign_server where srvname = $1)", ForeignServer).Scan(&server); err != nil {
		return nil, err
	}
	if server {
		statements = append(statements, fmt.Sprintf("drop user mapping if exists for %s server %s", ServiceRole, ForeignServer),
			"drop server "+ForeignServer)
	}
	if slices.Contains(have.schemas, ForeignServer) {
		statements = append(statements, "drop schema "+ForeignServer)
	}
	return statements, nil
}

// dropExtension drops postgres_fdw if pgdeid brought it.
func dropExtension(have *research) []string {
	if !slices.Contains(have.made["extension"], "postgres_fdw") {
		return nil
	}
	return []string{"drop extension postgres_fdw", "delete from deid.generated where kind = 'extension'"}
}
