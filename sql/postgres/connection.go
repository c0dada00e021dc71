// Package postgres connects to servers of PostgreSQL and knows what they can do by their version.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// WithConn connects, calls do and disconnects.
func WithConn(ctx context.Context, cfg *pgx.ConnConfig, do func(*pgx.Conn) error) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fault.New(fmt.Sprintf("connect to database %s as %s", cfg.Database, cfg.User), err, connectHint(err))
	}
	err = do(conn)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

func connectHint(err error) string {
	if strings.Contains(err.Error(), "read only connection") {
		return "target_session_attrs=read-write never finds the source, where pgdeid's roles only read: say target_session_attrs=primary"
	}
	switch fault.State(err) {
	case "28P01":
		return "the password is wrong: check the password file or variable; \"pgdeid migrate up\" sets the passwords of pgdeid's own roles"
	case "28000":
		return "the server does not let this role in: look at pg_hba.conf, and whether the role exists (\"pgdeid migrate up\" makes " +
			"pgdeid's roles)"
	case "3D000":
		return "there is no such database: check the name, or create it"
	case "53300":
		return "the server has no connections left: raise max_connections or the role's connection limit"
	}
	return "check host and port in the configuration, the network, whether the server runs, and, for other hosts, its certificate " +
		"(sslmode=verify-full is the default; sslrootcert names the authority)"
}

// InTx runs statements in one transaction, with a bound on waits for locks, so
// that a busy EHR is not held up.
func InTx(ctx context.Context, conn *pgx.Conn, statements []string) error {
	return Transact(ctx, conn, append([]string{"set local lock_timeout = '10s'"}, statements...))
}

// Transact runs statements in one transaction.
func Transact(ctx context.Context, conn *pgx.Conn, statements []string) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after a commit this does nothing
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// SearchNothing returns conf with only pg_catalog in its search path, so that no other
// user's function of a well-known name runs with an administrator's rights.
func SearchNothing(conf *pgx.ConnConfig) *pgx.ConnConfig {
	conf = conf.Copy()
	conf.RuntimeParams["search_path"] = "pg_catalog"
	return conf
}

// SourceAdmin returns how to connect to the source for migrations, and ReplicaAdmin how to connect to the replica.
func SourceAdmin(cfg *config.Config) (*pgx.ConnConfig, error) { return admin(cfg.SourceConn) }

// ReplicaAdmin returns how to connect to the replica for migrations.
func ReplicaAdmin(cfg *config.Config) (*pgx.ConnConfig, error) { return admin(cfg.ReplicaConn) }

func admin(conn func(config.Login) (*pgx.ConnConfig, error)) (*pgx.ConnConfig, error) {
	conf, err := conn(config.Admin)
	if err != nil {
		return nil, err
	}
	return SearchNothing(conf), nil
}

// AsReplicaAdmin calls do with a connection of the replica's administrator.
func AsReplicaAdmin(ctx context.Context, cfg *config.Config, do func(*pgx.Conn) error) error {
	conf, err := ReplicaAdmin(cfg)
	if err != nil {
		return err
	}
	return WithConn(ctx, conf, do)
}

// Quiet switches the logging of statements off for the rest of the transaction.
// Roles that may not do so (they are no superusers) go on without.
var Quiet = []string{`do $$
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
