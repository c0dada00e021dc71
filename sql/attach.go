package sql

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/golang-migrate/migrate/v4"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// EngineServer is the foreign server for "pgdeid serve", and the role
// that alone has a user mapping for it.
const EngineServer = "pgdeid_engine"

// Attachment says where "pgdeid serve" is, as the database's server sees it, and
// how to log in there.
type Attachment struct {
	Host, Port     string
	User, Password string
	// SSLMode is verify-full if it is "" and the host is not the server's own;
	// SSLRootCert is a file of the server's, "system" (libpq 16), or "".
	SSLMode, SSLRootCert string
}

// Attach makes the engine a foreign server of a database, with the tables and
// functions of schema deid, or brings an earlier attachment to what a says. conf
// leads to the database as a superuser.
func Attach(ctx context.Context, conf *pgx.ConnConfig, a Attachment, opts Options) error {
	if err := a.check(); err != nil {
		return fault.New("attach the engine", err, "say its address, a user of \"pgdeid serve passwd\" and that user's password")
	}
	conf = searchNothing(conf)
	if err := refuseBeside(ctx, conf, Replica); err != nil {
		return err
	}
	if err := ensureHome(ctx, conf, Engine); err != nil {
		return err
	}
	if err := static(ctx, conf, Engine, func(m *migrate.Migrate) error { return m.Up() }); err != nil {
		return err
	}
	return withConn(ctx, conf, func(conn *pgx.Conn) error {
		if err := inTx(ctx, conn, a.statements()); err != nil {
			return fault.New("set up foreign server "+EngineServer, err, Engine.rights())
		}
		opts.log().Info("the engine is attached", "database", conf.Database, "host", a.Host, "port", a.Port, "user", a.User)
		return nil
	})
}

// Detach takes away what Attach made. Tables that people filled stay.
func Detach(ctx context.Context, conf *pgx.ConnConfig) error {
	conf = searchNothing(conf)
	s, err := Attached(ctx, conf)
	if err != nil {
		return err
	}
	if s.Dirty || s.Version > s.Latest {
		return s.check(Engine)
	}
	if s.Version == 0 {
		return nil
	}
	if err := refuseUsed(ctx, conf); err != nil {
		return err
	}
	if err := static(ctx, conf, Engine, func(m *migrate.Migrate) error { return m.Down() }); err != nil {
		return err
	}
	return dropHome(ctx, conf, Engine)
}

// Attached returns how far a database has been migrated for the engine.
func Attached(ctx context.Context, conf *pgx.ConnConfig) (State, error) {
	var s State
	err := withConn(ctx, searchNothing(conf), func(conn *pgx.Conn) error {
		var err error
		s, err = ReadState(ctx, conn, Engine)
		return err
	})
	return s, err
}

// ForceAttached sets the version without running anything, as [Force] does.
func ForceAttached(ctx context.Context, conf *pgx.ConnConfig, version int) error {
	return force(ctx, searchNothing(conf), Engine, version)
}

// searchNothing returns conf with only pg_catalog in its search path.
func searchNothing(conf *pgx.ConnConfig) *pgx.ConnConfig {
	conf = conf.Copy()
	conf.RuntimeParams["search_path"] = "pg_catalog"
	return conf
}

func (a *Attachment) check() error {
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
func (a *Attachment) statements() []string {
	options := map[string]string{"host": a.Host, "port": a.Port, "sslmode": a.sslMode(), "sslrootcert": a.SSLRootCert}
	var set strings.Builder
	for _, name := range []string{"host", "port", "sslmode", "sslrootcert"} {
		fmt.Fprintf(&set, "perform pg_temp.pgdeid_option(%s, %s);\n", literal(name), literal(options[name]))
	}
	statements := []string{
		setServerOption,
		"do $$begin\n" + set.String() + "end$$",
		"drop function pg_temp.pgdeid_option(text, text)",
		"drop user mapping if exists for " + EngineServer + " server " + EngineServer,
	}
	statements = append(statements, quiet...)
	return append(statements, fmt.Sprintf("create user mapping for %s server %s options (user %s, password %s)",
		EngineServer, EngineServer, literal(a.User), literal(a.Password)))
}

// setServerOption makes a function that adds, changes or drops an option.
const setServerOption = `create function pg_temp.pgdeid_option(name text, value text) returns void language plpgsql as $$
declare
    there boolean := exists (select from pg_foreign_server, unnest(srvoptions) o
        where srvname = '` + EngineServer + `' and starts_with(o, name || '='));
begin
    if value <> '' then
        execute format('alter server ` + EngineServer + ` options (%s %I %L)', case when there then 'set' else 'add' end, name, value);
    elsif there then
        execute format('alter server ` + EngineServer + ` options (drop %I)', name);
    end if;
end
$$`

func (a *Attachment) sslMode() string {
	if a.SSLMode != "" || config.OnlyLocal(&pgconn.Config{Host: a.Host}) {
		return a.SSLMode
	}
	return "verify-full"
}

// refuseBeside keeps the engine out of the replica and the other way round: schema
// deid is the vault's there, and users of the engine have identified text anyway.
func refuseBeside(ctx context.Context, conf *pgx.ConnConfig, other Target) error {
	return withConn(ctx, conf, func(conn *pgx.Conn) error {
		s, err := ReadState(ctx, conn, other)
		if err != nil || s.Version == 0 {
			return err
		}
		return fault.New("migrate database "+conf.Database, errors.New("its schema deid is that of another migration of pgdeid's: "+
			string(other)),
			"a replica and a database that asks the engine must be two; they may be on the same server")
	})
}

// refuseUsed stops a "down" that would fail half-way, as people built on what it
// takes away.
func refuseUsed(ctx context.Context, conf *pgx.ConnConfig) error {
	const op = "detach the engine"
	return withConn(ctx, conf, func(conn *pgx.Conn) error {
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
select distinct pg_describe_object(classid, oid, 0) from uses where (classid, oid) not in (select classid, oid from ours) order by 1 limit 5`, EngineServer)
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
