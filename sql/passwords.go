package sql

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
)

// login is a role with where its password comes from.
type login struct {
	role      string // that pgdeid made
	user      string // as the connection string says
	file, env string
}

func sourceLogin(cfg *mapping.Config, as mapping.Login) login {
	if as == mapping.Reader {
		return login{ReaderRole, ReaderRole, cfg.Source.ReaderPasswordFile, "PGDEID_READER_PASSWORD"}
	}
	return login{ReplicationRole, userOf(cfg.SourceConn(mapping.Service)), cfg.Source.PasswordFile, "PGDEID_SOURCE_PASSWORD"}
}

func replicaLogin(cfg *mapping.Config) login {
	return login{ServiceRole, userOf(cfg.ReplicaConn(mapping.Service)), cfg.Replica.PasswordFile, "PGDEID_REPLICA_PASSWORD"}
}

func userOf(cfg *pgx.ConnConfig, err error) string {
	if err != nil {
		return ""
	}
	return cfg.User
}

// setRolePassword gives a role the password of its file or variable, unless it
// has it already. The server is sent a SCRAM verifier, never the password. A
// login with another role than pgdeid's is left alone.
func setRolePassword(ctx context.Context, conn *pgx.Conn, l login, opts Options) error {
	op := "set the password of " + l.role
	if l.user != l.role {
		return nil
	}
	password, ok, err := mapping.Secret(l.file, l.env)
	if err != nil || !ok {
		return err
	}
	var have *string
	// Only superusers may look; others just set it again.
	if err := conn.QueryRow(ctx, "select rolpassword from pg_authid where rolname = $1", l.role).Scan(&have); err == nil &&
		have != nil && scramMatches(*have, password) {
		return nil
	}
	verifier, err := scramVerifier(password)
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
