package sql

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/scram"
)

// login is a role with where its password comes from.
type login struct {
	role      string          // that pgdeid made
	conf      *pgx.ConnConfig // how pgdeid logs in; nil if that can't be read
	file, env string
}

func sourceLogin(cfg *config.Config, as config.Login) login {
	if as == config.Reader {
		return login{ReaderRole, orNil(cfg.SourceConn(config.Reader)), cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD"}
	}
	return login{ReplicationRole, orNil(cfg.SourceConn(config.Service)), cfg.Source.PasswordFile, "PGDEID_SOURCE_PASSWORD"}
}

func replicaLogin(cfg *config.Config) login {
	return login{ServiceRole, orNil(cfg.ReplicaConn(config.Service)), cfg.Replica.PasswordFile, "PGDEID_REPLICA_PASSWORD"}
}

func orNil(conf *pgx.ConnConfig, err error) *pgx.ConnConfig {
	if err != nil {
		return nil
	}
	return conf
}

// setRolePassword gives a role the password of its file or variable, unless it
// has it already. The server is sent a SCRAM verifier, never the password. A
// login with another role than pgdeid's is left alone.
func setRolePassword(ctx context.Context, conn *pgx.Conn, l login, opts Options) error {
	op := "set the password of " + l.role
	if l.conf == nil || l.conf.User != l.role {
		return nil
	}
	password, ok, err := config.Secret(l.file, l.env)
	if err != nil || !ok {
		return err
	}
	if hasPassword(ctx, conn, l, password) {
		return nil
	}
	verifier, err := ScramVerifier(password)
	if err != nil {
		return fault.New(op, err, "choose a password of printable ASCII characters")
	}
	statement := fmt.Sprintf("alter role %s password %s", ident(l.role), literal(verifier))
	if _, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
		return fault.New(op, err, "the admin role must be a superuser or have created the role")
	}
	opts.log().Info("password set", "role", l.role)
	return nil
}

// hasPassword reports whether a role has a password already. Only superusers may
// look; others try to log in, which those that the server lets in without a
// password cannot distinguish from having the right one.
func hasPassword(ctx context.Context, conn *pgx.Conn, l login, password string) bool {
	var have *string
	err := conn.QueryRow(ctx, "select rolpassword from pg_authid where rolname = $1", l.role).Scan(&have)
	if err == nil {
		return have != nil && scram.Matches(*have, password)
	}
	if fault.State(err) != "42501" {
		return false
	}
	other, err := pgx.ConnectConfig(ctx, l.conf)
	if err != nil {
		return false
	}
	return other.Close(ctx) == nil
}
