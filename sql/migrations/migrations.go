// Package migrations holds the static migrations of the source, the replica and a database that asks the engine, and runs them with
// golang-migrate, which keeps its version in pgdeid.schema_migrations of the source, deid.schema_migrations of the replica and
// deid.engine_migrations of the third.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/quote"
)

//go:embed source replica engine
var files embed.FS

// Target is a kind of database that pgdeid migrates.
type Target string

// The databases: the two that a mapping leads between, and any that asks the
// engine (see package attach).
const (
	Source  Target = "source"
	Replica Target = "replica"
	Engine  Target = "engine"
)

// home returns the schema that holds a database's version table.
func (t Target) home() string {
	if t == Source {
		return "pgdeid"
	}
	return "deid"
}

// versions returns the name of a database's version table.
func (t Target) versions() string {
	if t == Engine {
		return "engine_migrations"
	}
	return "schema_migrations"
}

// forceHint says how to set the version by hand.
func (t Target) forceHint(version int) string {
	if t == Engine {
		return fmt.Sprintf("\"pgdeid migrate engine force %d\"", version)
	}
	return fmt.Sprintf("\"pgdeid migrate force %d --target %s\"", version, t)
}

// Rights is the hint for a role that may not do what a migration needs.
func (t Target) Rights() string {
	if t == Engine {
		return "the role must be a superuser, to make a foreign server and functions that use it for others"
	}
	return "the role of " + string(t) + ".admin_dsn must be a superuser, or own the database and be allowed to create roles"
}

// versionsOf returns the versions of a database in their order. There are gaps: not every number became a migration.
func versionsOf(t Target) ([]uint, error) {
	entries, err := fs.ReadDir(files, string(t))
	if err != nil {
		return nil, err
	}
	var list []uint
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "_")
		v, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("migration %s: want a name such as 0001_what.up.sql", e.Name())
		}
		list = append(list, uint(v))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Latest returns the version of the newest migration of a database.
func Latest(t Target) (uint, error) {
	list, err := versionsOf(t)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[len(list)-1], nil
}

// before returns the version that comes before another one; 0: none does.
func (t Target) before(version int) int {
	list, err := versionsOf(t)
	if err != nil {
		return 0 // the program's own files
	}
	last := 0
	for _, v := range list {
		if int(v) < version {
			last = int(v)
		}
	}
	return last
}

// run runs golang-migrate on one database. The caller has made sure that the
// schema of the version table exists.
func run(ctx context.Context, cfg *pgx.ConnConfig, t Target, do func(*migrate.Migrate) error) error {
	op := "migrate the " + string(t)
	db := stdlib.OpenDB(*cfg)
	m, err := open(ctx, db, t)
	if err != nil {
		return fault.New(op, errors.Join(err, db.Close()), "")
	}
	stop := context.AfterFunc(ctx, func() { m.GracefulStop <- true })
	err = do(m)
	stop()
	if errors.Is(err, migrate.ErrNoChange) || errors.Is(err, migrate.ErrNilVersion) {
		err = nil
	}
	srcErr, dbErr := m.Close()
	return fault.New(op, plain(errors.Join(err, srcErr, dbErr)), hintOf(err, t))
}

func open(ctx context.Context, db *sql.DB, t Target) (*migrate.Migrate, error) {
	if err := db.PingContext(ctx); err != nil {
		return nil, err
	}
	driver, err := migratepgx.WithInstance(db, &migratepgx.Config{
		MigrationsTable: quote.Name(t.home(), t.versions()), MigrationsTableQuoted: true,
	})
	if err != nil {
		return nil, err
	}
	src, err := iofs.New(files, string(t))
	if err != nil {
		return nil, err
	}
	return migrate.NewWithInstance("iofs", src, "pgx5", driver)
}

// hintOf says what to do about an error of golang-migrate.
func hintOf(err error, t Target) string {
	var dirty migrate.ErrDirty
	if errors.As(err, &dirty) {
		return fmt.Sprintf("an earlier migration stopped half-way; look at version %d, repair what it left, then %s",
			dirty.Version, t.forceHint(t.before(dirty.Version)))
	}
	return t.Rights()
}

// plain takes the SQL out of golang-migrate's errors, which do not unwrap, and
// keeps what PostgreSQL said.
func plain(err error) error {
	var byValue database.Error
	if errors.As(err, &byValue) && byValue.OrigErr != nil {
		return byValue.OrigErr
	}
	var byPointer *database.Error
	if errors.As(err, &byPointer) && byPointer.OrigErr != nil {
		return byPointer.OrigErr
	}
	return err
}
