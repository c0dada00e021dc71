package sql

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/golang-migrate/migrate/v4"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Options of a migration.
type Options struct {
	// DropData allows steps that delete rows of the replica: [Down], and an [Up]
	// whose mapping no longer names tables or columns that hold rows.
	DropData bool
	// Log hears what is done; nil: nothing.
	Log *slog.Logger
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// Up brings a database to the version that this program knows, then makes what
// follows from the mapping. It may be called again after every change of the
// mapping.
func Up(ctx context.Context, cfg *config.Config, t Target, opts Options) error {
	cat, err := sourceCatalog(ctx, cfg)
	if err != nil {
		return err
	}
	if err := refuse(ctx, cfg, cat, []Target{t}); err != nil {
		return err
	}
	admin, err := adminConfig(cfg, t)
	if err != nil {
		return err
	}
	if t == Replica {
		if err := refuseBeside(ctx, admin, Engine); err != nil {
			return err
		}
		if err := withConn(ctx, admin, func(conn *pgx.Conn) error { return refuseRotation(ctx, conn) }); err != nil {
			return err
		}
	}
	if err := ensureHome(ctx, admin, t); err != nil {
		return err
	}
	if err := withConn(ctx, admin, func(conn *pgx.Conn) error { return refusePlain(ctx, conn, t) }); err != nil {
		return err
	}
	if err := static(ctx, admin, t, func(m *migrate.Migrate) error { return m.Up() }); err != nil {
		return err
	}
	if t == Replica {
		if err := migrateJobs(ctx, admin); err != nil {
			return err
		}
	}
	return withConn(ctx, admin, func(conn *pgx.Conn) error {
		if t == Source {
			return generateSource(ctx, conn, cfg, cat, opts)
		}
		return generateReplica(ctx, conn, cfg, cat, opts)
	})
}

// Down takes away everything that Up made. On the replica this deletes the
// research tables and the vault.
func Down(ctx context.Context, cfg *config.Config, t Target, opts Options) error {
	admin, err := adminConfig(cfg, t)
	if err != nil {
		return err
	}
	err = withConn(ctx, admin, func(conn *pgx.Conn) error {
		s, err := ReadState(ctx, conn, t)
		if err != nil || s.Version == 0 {
			return err
		}
		if err := s.refuseOther(t); err != nil {
			return err
		}
		if t == Source {
			return dropSource(ctx, conn, cfg)
		}
		return dropReplica(ctx, conn, opts)
	})
	if err != nil {
		return err
	}
	if err := ensureHome(ctx, admin, t); err != nil {
		return err
	}
	if err := static(ctx, admin, t, func(m *migrate.Migrate) error { return m.Down() }); err != nil {
		return err
	}
	return dropHome(ctx, admin, t)
}

// dropHome drops the version table and its schema, after the last migration went.
func dropHome(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	return withConn(ctx, admin, func(conn *pgx.Conn) error {
		err := inTx(ctx, conn, []string{
			"drop table if exists " + ident(t.home(), t.versions()),
			"drop schema if exists " + ident(t.home()),
		})
		return fault.New("drop schema "+t.home()+" of the "+string(t), err, "it contains something that pgdeid did not make: move that elsewhere")
	})
}

// refuseOther stops a "down" by a program that does not know this version.
func (s State) refuseOther(t Target) error {
	if s.Dirty || s.Version > s.Latest {
		return s.check(t)
	}
	return nil
}

// Force sets the version without running anything, after a failed migration was
// repaired by hand. Version 0 means that nothing is there.
func Force(ctx context.Context, cfg *config.Config, t Target, version int) error {
	admin, err := adminConfig(cfg, t)
	if err != nil {
		return err
	}
	return force(ctx, admin, t, version)
}

func force(ctx context.Context, admin *pgx.ConnConfig, t Target, version int) error {
	list, err := versionsOf(t)
	if err != nil {
		return err
	}
	if version < 0 || version > 0 && !slices.Contains(list, uint(version)) {
		return fault.New("force the version of the "+string(t), fmt.Errorf("there is no version %d", version),
			"want 0 or one of "+strings.Trim(fmt.Sprint(list), "[]"))
	}
	if err := ensureHome(ctx, admin, t); err != nil {
		return err
	}
	if version == 0 {
		version = -1 // golang-migrate's word for "none"
	}
	return static(ctx, admin, t, func(m *migrate.Migrate) error { return m.Force(version) })
}

// Version returns how far a database has been migrated.
func Version(ctx context.Context, cfg *config.Config, t Target) (State, error) {
	admin, err := adminConfig(cfg, t)
	if err != nil {
		return State{}, err
	}
	var s State
	err = withConn(ctx, admin, func(conn *pgx.Conn) error {
		s, err = ReadState(ctx, conn, t)
		return err
	})
	return s, err
}

// adminConfig returns how to connect for migrations. Only pg_catalog is searched,
// so that no other user's function of a well-known name runs with a superuser's rights.
func adminConfig(cfg *config.Config, t Target) (*pgx.ConnConfig, error) {
	connect := cfg.SourceConn
	if t == Replica {
		connect = cfg.ReplicaConn
	}
	conf, err := connect(config.Admin)
	if err != nil {
		return nil, err
	}
	conf.RuntimeParams["search_path"] = "pg_catalog"
	return conf, nil
}

// sourceCatalog reads the source's catalogue as its admin or, where the file
// names none, as the replication role.
func sourceCatalog(ctx context.Context, cfg *config.Config) (*Catalog, error) {
	conf, err := cfg.SourceConn(config.Service)
	if cfg.Source.AdminDSN != "" {
		conf, err = adminConfig(cfg, Source)
	}
	if err != nil {
		return nil, err
	}
	var cat *Catalog
	err = withConn(ctx, conf, func(conn *pgx.Conn) error {
		cat, err = ReadCatalog(ctx, conn, cfg)
		return err
	})
	return cat, err
}

// ensureHome makes the schema of the version table, which golang-migrate expects.
func ensureHome(ctx context.Context, admin *pgx.ConnConfig, t Target) error {
	return withConn(ctx, admin, func(conn *pgx.Conn) error {
		if _, err := ServerVersion(ctx, conn); err != nil {
			return err
		}
		comments := map[Target]string{
			Source:  "pgdeid: the version of what it made in this database",
			Replica: "pgdeid''s vault: surrogates, date shifts, progress; not for analysts",
			Engine:  "pgdeid: functions and views that ask the engine",
		}
		err := inTx(ctx, conn, []string{
			"create schema if not exists " + ident(t.home()),
			"comment on schema " + ident(t.home()) + " is '" + comments[t] + "'",
			"revoke all on schema " + ident(t.home()) + " from public",
		})
		return fault.New("make schema "+t.home()+" in the "+string(t), err, t.rights())
	})
}

// withConn connects, calls do and disconnects.
func withConn(ctx context.Context, cfg *pgx.ConnConfig, do func(*pgx.Conn) error) error {
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

// inTx runs statements in one transaction, with a bound on waits for locks, so
// that a busy EHR is not held up.
func inTx(ctx context.Context, conn *pgx.Conn, statements []string) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after a commit this does nothing
	for _, s := range append([]string{"set local lock_timeout = '10s'"}, statements...) {
		if _, err := tx.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
