package roles

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/scram"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// login is a role with where its password comes from.
type login struct {
	role      string          // that pgdeid made
	conf      *pgx.ConnConfig // how pgdeid logs in; nil if that can't be read
	file, env string
}

// SetSourcePasswords gives the roles of the source the passwords of their files or variables.
func SetSourcePasswords(ctx context.Context, conn *pgx.Conn, cfg *config.Config, log *slog.Logger) error {
	for _, as := range []config.Login{config.Service, config.Reader} {
		if err := setPassword(ctx, conn, sourceLogin(cfg, as), log); err != nil {
			return err
		}
	}
	return nil
}

// SetReplicaPassword gives the role of the replica the password of its file or variable.
func SetReplicaPassword(ctx context.Context, conn *pgx.Conn, cfg *config.Config, log *slog.Logger) error {
	l := login{Service, orNil(cfg.ReplicaConn(config.Service)), cfg.Replica.PasswordFile, "PGDEID_REPLICA_PASSWORD"}
	return setPassword(ctx, conn, l, log)
}

func orNil(conf *pgx.ConnConfig, err error) *pgx.ConnConfig {
	if err != nil {
		return nil
	}
	return conf
}

// setPassword gives a role the password of its file or variable, unless it
// has it already. The server is sent a SCRAM verifier, never the password. A
// login with another role than pgdeid's is left alone.
func setPassword(ctx context.Context, conn *pgx.Conn, l login, log *slog.Logger) error {
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
	verifier, err := scram.Generate(password)
	if err != nil {
		return fault.New(op, err, "choose a password of printable ASCII characters")
	}
	statement := fmt.Sprintf("alter role %s password %s", quote.Name(l.role), quote.Literal(verifier))
	if _, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
		return fault.New(op, err, "the admin role must be a superuser or have created the role")
	}
	log.Info("password set", "role", l.role)
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

func sourceLogin(cfg *config.Config, as config.Login) login {
	if as == config.Reader {
		return login{Reader, orNil(cfg.SourceConn(config.Reader)), cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD"}
	}
	return login{Replication, orNil(cfg.SourceConn(config.Service)), cfg.Source.PasswordFile, "PGDEID_SOURCE_PASSWORD"}
}
