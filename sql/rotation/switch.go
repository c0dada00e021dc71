package rotation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/research"
)

const (
	// switchTry is how long new readers wait for those who read already, below PostgreSQL's deadlock_timeout.
	switchTry = 250 * time.Millisecond
	// switchPause is how long readers come first in between.
	switchPause = 2 * time.Second
	// switchTries bounds the tries.
	switchTries = 30
)

// Finish has all views show the rows of the next key and drops those of the key before, in one transaction. All
// views are locked before the first is changed: who has read one of them in a transaction keeps the switch away until its
// end, and who comes later sees nothing but the new rows.
func Finish(ctx context.Context, cfg *config.Config, writeLock int64, log *slog.Logger) ([]TableCount, error) {
	const op = "show the rows of the next key"
	cat, err := catalog.ReadAsAdmin(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var counts []TableCount
	err = postgres.AsReplicaAdmin(ctx, cfg, func(conn *pgx.Conn) error {
		if err := research.CheckMapping(ctx, conn, cfg); err != nil {
			return err
		}
		for try := 1; ; try++ {
			err := postgres.Transact(ctx, conn, switchStatements(cfg, cat, writeLock))
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
		log.Info("analysts read the rows of the next key; those of the key before are gone")
		counts, err = countTables(ctx, conn, cfg, cat, viewOf)
		return err
	})
	return counts, err
}

func switchHint(err error) string {
	switch fault.State(err) {
	case "55P03", "40P01":
		return "somebody reads the research tables in a long transaction: try again when it has ended; analysts still read the rows of before"
	case "2BP01":
		return "something that pgdeid did not make depends on a table of schema " + research.BeforeSchema + ": drop it, then again"
	}
	return "the role of replica.admin_dsn must be a superuser or own the database"
}

// switchStatements lists what the switch does.
func switchStatements(cfg *config.Config, cat *catalog.Catalog, writeLock int64) []string {
	var views, before, replace []string
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		columns := research.Columns(t, cat.Tables[t.FullName()])
		if len(columns) == 0 {
			continue
		}
		name := viewOf(t)
		views, before = append(views, name), append(before, research.BeforeTable(t))
		replace = append(replace, fmt.Sprintf("create or replace view %s as select %s from %s", name, quote.Names(research.ColumnNames(columns)), research.VisibleTable(t, cfg.Release.Mode)))
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

// NoteCopied remembers that all tables were seen to be copied.
func NoteCopied(ctx context.Context, cfg *config.Config) error {
	return postgres.AsReplicaAdmin(ctx, cfg, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "update deid.rotation set copied_at = now() where copied_at is null")
		return fault.New("note that all tables are copied", err, "")
	})
}

// Refuse returns an error while the key is being changed: the research tables are of two keys then.
func Refuse(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	if err := conn.QueryRow(ctx, "select to_regclass('deid.rotation') is not null").Scan(&there); err != nil || !there {
		return fault.New("look whether the key is being changed", err, "")
	}
	s, err := Read(ctx, conn)
	if err != nil || s == nil {
		return err
	}
	return fault.New("set up the replica", errors.New("the key is being changed"), "'pgdeid key rotate' says how far it is, and ends it")
}
