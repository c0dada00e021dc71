// Package attach makes the engine a foreign server of a database, with the tables and functions of schema deid. Its migrations need
// neither mapping nor source. See https://www.postgresql.org/docs/current/sql-createserver.html.
package attach

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// server is the foreign server for "pgdeid serve", and the role
// that alone has a user mapping for it.
const server = "pgdeid_engine"

// Engine says where "pgdeid serve" is, as the database's server sees it, and
// how to log in there.
type Engine struct {
	Host, Port     string
	User, Password string
	// SSLMode is verify-full if it is "" and the host is not the server's own;
	// SSLRootCert is a file of the server's, "system" (libpq 16), or "".
	SSLMode, SSLRootCert string
}

// Up makes the engine a foreign server of a database, with the tables and
// functions of schema deid, or brings an earlier attachment to what a says. conf
// leads to the database as a superuser.
func Up(ctx context.Context, conf *pgx.ConnConfig, a Engine, log *slog.Logger) error {
	if err := a.check(); err != nil {
		return fault.New("attach the engine", err, "say its address, a user of \"pgdeid serve passwd\" and that user's password")
	}
	conf = postgres.SearchNothing(conf)
	if err := migrations.RefuseBeside(ctx, conf, migrations.Replica); err != nil {
		return err
	}
	if err := migrations.Up(ctx, conf, migrations.Engine); err != nil {
		return err
	}
	return postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error {
		if err := postgres.InTx(ctx, conn, a.statements()); err != nil {
			return fault.New("set up foreign server "+server, err, migrations.Engine.Rights())
		}
		log.Info("the engine is attached", "database", conf.Database, "host", a.Host, "port", a.Port, "user", a.User)
		return nil
	})
}

// Down takes away what Up made. Tables that people filled stay.
func Down(ctx context.Context, conf *pgx.ConnConfig) error {
	conf = postgres.SearchNothing(conf)
	s, err := Version(ctx, conf)
	if err != nil {
		return err
	}
	if err := s.RefuseDown(migrations.Engine); err != nil || s.Version == 0 {
		return err
	}
	if err := refuseUsed(ctx, conf); err != nil {
		return err
	}
	return migrations.Down(ctx, conf, migrations.Engine)
}

// Version returns how far a database has been migrated for the engine.
func Version(ctx context.Context, conf *pgx.ConnConfig) (migrations.State, error) {
	var s migrations.State
	err := postgres.WithConn(ctx, postgres.SearchNothing(conf), func(conn *pgx.Conn) error {
		var err error
		s, err = migrations.ReadState(ctx, conn, migrations.Engine)
		return err
	})
	return s, err
}

// Force sets the version without running anything, as [migrations.Force] does.
func Force(ctx context.Context, conf *pgx.ConnConfig, version int) error {
	return migrations.Force(ctx, postgres.SearchNothing(conf), migrations.Engine, version)
}

func (a *Engine) check() error {
	switch {
	case a.Host == "" || a.Port == "":
		return errors.New("it is not said where the engine listens")
	case a.User == "" || a.Password == "":
		return errors.New("it is not said how to log in to the engine")
	}
	return nil
}

// statements set what the migrations could not know. The options that they change
// may be there from an earlier call or not.
func (a *Engine) statements() []string {
	options := map[string]string{"host": a.Host, "port": a.Port, "sslmode": a.sslMode(), "sslrootcert": a.SSLRootCert}
	var set strings.Builder
	for _, name := range []string{"host", "port", "sslmode", "sslrootcert"} {
		fmt.Fprintf(&set, "perform pg_temp.pgdeid_option(%s, %s);\n", quote.Literal(name), quote.Literal(options[name]))
	}
	statements := []string{
		setServerOption,
		"do $$begin\n" + set.String() + "end$$",
		"drop function pg_temp.pgdeid_option(text, text)",
		"drop user mapping if exists for " + server + " server " + server,
	}
	statements = append(statements, postgres.Quiet...)
	return append(statements, fmt.Sprintf("create user mapping for %s server %s options (user %s, password %s)",
		server, server, quote.Literal(a.User), quote.Literal(a.Password)))
}

// setServerOption makes a function that adds, changes or drops an option.
const setServerOption = `create function pg_temp.pgdeid_option(name text, value text) returns void language plpgsql as $$
declare
    there boolean := exists (select from pg_foreign_server, unnest(srvoptions) o
        where srvname = '` + server + `' and starts_with(o, name || '='));
begin
    if value <> '' then
        execute format('alter server ` + server + ` options (%s %I %L)', case when there then 'set' else 'add' end, name, value);
    elsif there then
        execute format('alter server ` + server + ` options (drop %I)', name);
    end if;
end
$$`

func (a *Engine) sslMode() string {
	if a.SSLMode != "" || config.OnlyLocal(&pgconn.Config{Host: a.Host}) {
		return a.SSLMode
	}
	return "verify-full"
}

// refuseUsed stops a "down" that would fail half-way, as people built on what it
// takes away.
func refuseUsed(ctx context.Context, conf *pgx.ConnConfig) error {
	const op = "detach the engine"
	return postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, `
with ours as (
    select 'pg_class'::regclass as classid, oid from pg_class where relnamespace::regnamespace::text in ('deid', 'deid_engine')
    union all select 'pg_proc'::regclass, oid from pg_proc where pronamespace::regnamespace::text in ('deid', 'deid_engine')
    union all select 'pg_type'::regclass, oid from pg_type where typnamespace::regnamespace::text in ('deid', 'deid_engine')
    union all select 'pg_foreign_server'::regclass, oid from pg_foreign_server where srvname = $1
), uses as (
    select case when d.classid = 'pg_rewrite'::regclass then 'pg_class'::regclass else d.classid end as classid,
        coalesce(r.ev_class, d.objid) as oid
    from pg_depend d join ours on ours.classid = d.refclassid and ours.oid = d.refobjid
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    where d.deptype = 'n' and d.classid <> 'pg_user_mapping'::regclass and d.classid <> 'pg_foreign_data_wrapper'::regclass
)
select distinct pg_describe_object(classid, oid, 0) from uses where (classid, oid) not in (select classid, oid from ours) order by 1 limit 5`, server)
		if err != nil {
			return fault.New(op, err, "")
		}
		users, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fault.New(op, err, "")
		}
		if len(users) > 0 {
			return fault.New(op, errors.New("it is used by "+strings.Join(users, ", ")), "drop these first, or keep the engine")
		}
		return nil
	})
}
