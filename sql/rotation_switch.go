package sql

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

const (
	// switchTry is how long new readers wait for those who read already, below PostgreSQL's deadlock_timeout.
	switchTry = 250 * time.Millisecond
	// switchPause is how long readers come first in between.
	switchPause = 2 * time.Second
	// switchTries bounds the tries.
	switchTries = 30
)

// FinishRotation has all views show the rows of the next key and drops those of the key before, in one transaction. All
// views are locked before the first is changed: who has read one of them in a transaction keeps the switch away until its
// end, and who comes later sees nothing but the new rows.
func FinishRotation(ctx context.Context, cfg *config.Config, writeLock int64, opts Options) ([]TableCount, error) {
	const op = "show the rows of the next key"
	cat, err := sourceCatalog(ctx, cfg)
	if err != nil {
		return nil, err
	}
	admin, err := adminConfig(cfg, Replica)
	if err != nil {
		return nil, err
	}
	var counts []TableCount
	err = withConn(ctx, admin, func(conn *pgx.Conn) error {
		if err := CheckMadeFor(ctx, conn, cfg); err != nil {
			return err
		}
		for try := 1; ; try++ {
			err := runSwitch(ctx, conn, switchStatements(cfg, cat, writeLock))
			if err == nil {
				break
			}
			if code := fault.State(err); try == switchTries || code != "55P03" && code != "40P01" {
				return fault.New(op, err, switchHint(err))
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(switchPause):
			}
		}
		opts.log().Info("analysts read the rows of the next key; those of the key before are gone")
		counts, err = countTables(ctx, conn, cfg, cat, shownView)
		return err
	})
	return counts, err
}

func switchHint(err error) string {
	switch fault.State(err) {
	case "55P03", "40P01":
		return "somebody reads the research tables in a long transaction: try again when it has ended; analysts still read the rows of before"
	case "2BP01":
		return "something that pgdeid did not make depends on a table of schema " + BeforeSchema + ": drop it, then again"
	}
	return "the role of replica.admin_dsn must be a superuser or own the database"
}

// switchStatements lists what the switch does.
func switchStatements(cfg *config.Config, cat *Catalog, writeLock int64) []string {
	var views, before, replace []string
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		columns := researchColumns(t, cat.Tables[t.FullName()])
		if len(columns) == 0 {
			continue
		}
		over := RowsTable(t)
		if cfg.Release.Mode != config.Live {
			over = ReleasedTable(t)
		}
		list := make([]string, len(columns))
		for n, c := range columns {
			list[n] = c.name
		}
		name := ident(t.Schema, t.Name)
		views, before = append(views, name), append(before, BeforeTable(t))
		replace = append(replace, fmt.Sprintf("create or replace view %s as select %s from %s", name, idents(list), over))
	}
	statements := []string{
		fmt.Sprintf("set local lock_timeout = %d", switchTry.Milliseconds()),
		fmt.Sprintf("select pg_advisory_xact_lock(%d)", writeLock),
		"lock table " + strings.Join(views, ", ") + " in access exclusive mode",
	}
	statements = append(statements, replace...)
	return append(statements, "drop table "+strings.Join(before, ", "),
		"truncate deid.rotation, deid.rotation_word, deid.rotation_former")
}

func runSwitch(ctx context.Context, conn *pgx.Conn, statements []string) error {
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

// NoteCopied remembers that all tables were seen to be copied.
func NoteCopied(ctx context.Context, cfg *config.Config) error {
	return AsAdmin(ctx, cfg, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "update deid.rotation set copied_at = now() where copied_at is null")
		return fault.New("note that all tables are copied", err, "")
	})
}

// refuseRotation returns an error while the key is being changed: the research tables are of two keys then.
func refuseRotation(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	if err := conn.QueryRow(ctx, "select to_regclass('deid.rotation') is not null").Scan(&there); err != nil || !there {
		return fault.New("look whether the key is being changed", err, "")
	}
	s, err := ReadRotation(ctx, conn)
	if err != nil || s == nil {
		return err
	}
	return fault.New("set up the replica", errors.New("the key is being changed"), "'pgdeid key rotate' says how far it is, and ends it")
}

// AsAdmin calls do with a connection of the replica's administrator.
func AsAdmin(ctx context.Context, cfg *config.Config, do func(*pgx.Conn) error) error {
	admin, err := adminConfig(cfg, Replica)
	if err != nil {
		return err
	}
	return withConn(ctx, admin, do)
}
