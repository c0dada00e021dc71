package migrations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/golang-migrate/migrate/v4"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Up brings a database to the newest version.
func Up(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	if err := EnsureHome(ctx, admin, t); err != nil {
		return err
	}
	if t == Replica {
		if err := postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error { return refusePlain(ctx, conn) }); err != nil {
			return err
		}
	}
	return run(ctx, admin, t, func(m *migrate.Migrate) error { return m.Up() })
}

// Down takes all migrations back, and then the version table with its schema, which has to be there.
func Down(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	if err := run(ctx, admin, t, func(m *migrate.Migrate) error { return m.Down() }); err != nil {
		return err
	}
	return dropHome(ctx, admin, t)
}

// Force sets the version without running anything, after a failed migration was
// repaired by hand. Version 0 means that nothing is there.
func Force(ctx context.Context, admin *pgx.ConnConfig, t Target, version int) error {
	list, err := versionsOf(t)
	if err != nil {
		return err
	}
	if version < 0 || version > 0 && !slices.Contains(list, uint(version)) {
		return fault.New("force the version of the "+string(t), fmt.Errorf("there is no version %d", version),
			"want 0 or one of "+strings.Trim(fmt.Sprint(list), "[]"))
	}
	if err := EnsureHome(ctx, admin, t); err != nil {
		return err
	}
	if version == 0 {
		version = -1 // golang-migrate's word for "none"
	}
	return run(ctx, admin, t, func(m *migrate.Migrate) error { return m.Force(version) })
}

// EnsureHome makes the schema of the version table, which golang-migrate expects.
func EnsureHome(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	return postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		if _, err := postgres.ReadVersion(ctx, conn); err != nil {
			return err
		}
		comments := map[Target]string{
			Source:  "pgdeid: the version of what it made in this database",
			Replica: "pgdeid''s vault: surrogates, date shifts, progress; not for analysts",
			Engine:  "pgdeid: functions and views that ask the engine",
		}
		err := postgres.InTx(ctx, conn, []string{
			"create schema if not exists " + quote.Name(t.home()),
			"comment on schema " + quote.Name(t.home()) + " is '" + comments[t] + "'",
			"revoke all on schema " + quote.Name(t.home()) + " from public",
		})
		return fault.New("make schema "+t.home()+" in the "+string(t), err, t.Rights())
	})
}

// dropHome drops the version table and its schema, after the last migration went.
func dropHome(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	return postgres.WithConn(ctx, admin, func(conn *pgx.Conn) error {
		err := postgres.InTx(ctx, conn, []string{
			"drop table if exists " + quote.Name(t.home(), t.versions()),
			"drop schema if exists " + quote.Name(t.home()),
		})
		return fault.New("drop schema "+t.home()+" of the "+string(t), err, "it contains something that pgdeid did not make: move that elsewhere")
	})
}

// RefuseBeside keeps the engine out of the replica and the other way round: schema
// deid is the vault's there, and users of the engine have identified text anyway.
func RefuseBeside(ctx context.Context, conf *pgx.ConnConfig, other Target) error {
	return postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error {
		s, err := ReadState(ctx, conn, other)
		if err != nil || s.Version == 0 {
			return err
		}
		return fault.New("migrate database "+conf.Database, errors.New("its schema deid is that of another migration of pgdeid's: "+
			string(other)),
			"a replica and a database that asks the engine must be two; they may be on the same server")
	})
}
