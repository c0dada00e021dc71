package preflight

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/postgres"
)

// REPLICATION is more than reading what is published: through another output plugin
// a role with it decodes every column of every table of the database, and through a
// physical connection it copies the whole cluster. Neither is a matter of grants, so
// both are tried.

// widePlugins are output plugins that decode without a publication.
var widePlugins = []string{"test_decoding", "wal2json"}

// checkReach tries what the replication role should not be able to do. Nothing is
// left behind: slots that are made are temporary.
func (p *run) checkReach(ctx context.Context, conf *pgx.ConnConfig) {
	p.checkPlugins(ctx, conf)
	p.checkPhysical(ctx, conf)
}

func (p *run) checkPlugins(ctx context.Context, conf *pgx.ConnConfig) {
	const subject = "source output plugins"
	var wide, unknown []string
	for _, plugin := range widePlugins {
		err := postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error { return tryPlugin(ctx, conn, plugin) })
		switch fault.State(err) {
		case "58P01", "42501": // there is no such library, or the role may not use it
		case "57014": // it was loaded, and then waited for an open transaction
			wide = append(wide, plugin)
		default:
			if err != nil {
				unknown = append(unknown, plugin)
			} else {
				wide = append(wide, plugin)
			}
		}
	}
	if len(wide) > 0 {
		p.Warn(subject, "let the replication role read every column of every table, mapped or not: "+few(wide),
			"remove these libraries from the server's lib folder; or let pgdeid follow a publisher of its own that holds the mapped tables only")
	}
	if len(unknown) > 0 {
		p.Note(subject, "could not be tried: %s (no slot is free, perhaps)", few(unknown))
	}
	if len(wide)+len(unknown) == 0 {
		p.OK(subject, "none that decodes what is not published")
	}
}

// tryPlugin makes a temporary slot and drops it.
func tryPlugin(ctx context.Context, conn *pgx.Conn, plugin string) error {
	if _, err := conn.Exec(ctx, "set statement_timeout = '2s'"); err != nil {
		return err
	}
	var slot string
	err := conn.QueryRow(ctx,
		"select slot_name from pg_create_logical_replication_slot('pgdeid_check_' || pg_backend_pid(), $1, true)", plugin).Scan(&slot)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "select pg_drop_replication_slot($1)", slot)
	return err
}

// checkPhysical tries to connect for physical replication, as pg_basebackup does.
func (p *run) checkPhysical(ctx context.Context, conf *pgx.ConnConfig) {
	const subject = "source physical replication"
	physical := conf.Copy()
	physical.RuntimeParams["replication"] = "true"
	conn, err := pgconn.ConnectConfig(ctx, &physical.Config)
	if err == nil {
		_, err = conn.Exec(ctx, "IDENTIFY_SYSTEM").ReadAll()
		_ = conn.Close(ctx) // nothing was begun
	}
	switch state := fault.State(err); {
	case err == nil:
		p.Warn(subject, "is open to the replication role: with its password pg_basebackup copies the whole cluster",
			"take "+conf.User+" out of the lines for the database \"replication\" in pg_hba.conf: "+
				"host replication "+conf.User+" all reject, before them")
	case state != "" && state[:2] == "28":
		p.OK(subject, "pg_hba.conf keeps the replication role out")
	default:
		p.Note(subject, "could not be tried")
	}
}
