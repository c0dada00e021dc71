package sandbox

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// CreateDatabase makes an empty database.
func (s *Server) CreateDatabase(ctx context.Context, name string) error {
	return s.exec(ctx, "create database "+name, "create database "+pgx.Identifier{name}.Sanitize())
}

// DropDatabase ends the sessions of a database, replication included, and drops
// it with its slots.
func (s *Server) DropDatabase(ctx context.Context, name string) error {
	statement := "drop database if exists " + pgx.Identifier{name}.Sanitize() + " with (force)"
	for {
		err := s.exec(ctx, "end replication of "+name, `
			select pg_terminate_backend(active_pid) from pg_replication_slots
			where database = $1 and active_pid is not null`, name)
		if err != nil {
			return err
		}
		err = s.exec(ctx, "drop database "+name, statement)
		// 55006, object in use: a walsender that has not left yet, or a client that came back.
		if fault.State(err) != "55006" {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// exec runs one statement in the database postgres.
func (s *Server) exec(ctx context.Context, op, statement string, args ...any) error {
	conn, err := s.Conn(ctx, "postgres")
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, statement, args...)
	return fault.New(op, err, "the server's log is "+s.Log())
}
