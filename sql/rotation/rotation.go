// Package rotation changes the key of a replica.
//
// Everything in the replica depends on the key. So another key makes another generation of it: what analysts
// read goes to a schema of its own, where it stays readable as it was, the vault is emptied, and the tables are made and
// copied anew with the next key, as after "migrate up". One transaction begins it, and one shows what was made.
package rotation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/research"
)

// State is a change of the key that is under way.
type State struct {
	OldCheck []byte
	From, To int // epochs
	Begun    time.Time
	Copied   *time.Time // when it was first seen that all is copied
	Before   []TableCount
}

// TableCount says how many rows a table has, and how many of these refer to rows of others that are there.
type TableCount struct {
	Table string      `json:"table"`
	Rows  int64       `json:"rows"`
	Joins []JoinCount `json:"joins"`
}

// JoinCount counts rows that refer to another table by a pseudonym.
type JoinCount struct {
	Column string `json:"column"`
	Other  string `json:"other"`
	Filled int64  `json:"filled"` // rows with a value in the column
	Found  int64  `json:"found"`  // of these, rows that find the other table's row
}

// Read reads the change of the key that is under way; nil if there is none.
func Read(ctx context.Context, conn *pgx.Conn) (*State, error) {
	var s State
	var before []byte
	err := conn.QueryRow(ctx, "select old_check, from_epoch, to_epoch, begun_at, copied_at, before::text::bytea from deid.rotation").
		Scan(&s.OldCheck, &s.From, &s.To, &s.Begun, &s.Copied, &before)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // none is under way
	}
	if err == nil {
		err = json.Unmarshal(before, &s.Before)
	}
	return &s, fault.New("look whether the key is being changed", err, "run 'pgdeid migrate up'")
}

// Change says which key follows which.
type Change struct {
	OldCheck, NewCheck []byte
	OldEpoch, NewEpoch int
	// Purged leads from the hash of each purged patient whom the source has to that of the next key.
	Purged map[string][]byte
	// Forget allows that purges of patients whom the source does not have are lost.
	Forget bool
	// Carry seals what people decided with the next key, in the transaction that begins the change.
	Carry func(context.Context, pgx.Tx) error
	// WriteLock is the lock of whoever writes the research tables.
	WriteLock int64
}

// Tables of the vault by what a change of the key does to them. Each is in one of these lists.
var (
	empties = []string{
		"surrogate", "date_shift", "note_provenance", "quarantine", "requeue", "requeue_path", "directory", "directory_word",
		"patient_former", "patient_filter", "patient_merge", "withheld", "snapshot", "row_order", "copy_plan", "copy_chunk",
	}
	keeps = []string{
		"key_check", "progress", "membership", "detector", "column_policy", "generated", "public_privilege", "verified",
		"verified_version", "release", "maintenance", "made_for", "dataset", "schema_migrations", "purged",
		"rotation", "rotation_word", "rotation_former",
	}
	carries = []string{ // what people decided: sealed with the next key
		"review_round", "review_item", "review_reading", "review_view", "review_repair", "review_member", "site_version", "site_phrase",
	}
)

// Begin moves what analysts read aside, and makes an empty replica for the next key in its place.
func Begin(ctx context.Context, cfg *config.Config, r Change, log *slog.Logger) error {
	const op = "begin to change the key"
	cat, err := catalog.ReadAsAdmin(ctx, cfg)
	if err != nil {
		return err
	}
	return postgres.AsReplicaAdmin(ctx, cfg, func(conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return fault.New(op, err, "")
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after a commit this does nothing
		b := beginning{r, cfg, cat, conn}
		statements, err := b.statements(ctx)
		if err != nil {
			return err
		}
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
				hint := "the role of replica.admin_dsn must be a superuser or own the database"
				if fault.State(err) == "55P03" {
					hint = "somebody reads a research table for long: try again later; nothing was changed"
				}
				return fault.New(op, err, hint)
			}
		}
		if err := r.Carry(ctx, tx); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return fault.New(op, err, "")
		}
		log.Info("rows are made with the next key from now on", "epoch", r.NewEpoch)
		return nil
	})
}

// beginning is the beginning of a change of the key, in a transaction of conn.
type beginning struct {
	Change

	cfg  *config.Config
	cat  *catalog.Catalog
	conn *pgx.Conn
}

// statements looks whether all is ready, and returns what is to be done.
func (b *beginning) statements(ctx context.Context) ([]string, error) {
	const op = "begin to change the key"
	for _, s := range []string{"set local lock_timeout = '10s'", fmt.Sprintf("select pg_advisory_xact_lock(%d)", b.WriteLock)} {
		if _, err := b.conn.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return nil, fault.New(op, err, "")
		}
	}
	if err := research.LockSlot(ctx, b.conn, b.cfg.Source.Slot); err != nil {
		return nil, err
	}
	if err := migrations.CheckReplica(ctx, b.conn); err != nil {
		return nil, err
	}
	if err := research.CheckMapping(ctx, b.conn, b.cfg); err != nil {
		return nil, err
	}
	if same, _, err := research.KeyMatches(ctx, b.conn, b.OldCheck); err != nil || !same {
		return nil, fault.New(op, errors.Join(err, errors.New("old_key_file is not the key that this replica was written with")),
			"name the key of the replica in old_key_file, and the next one in key_file")
	}
	tables, err := postgres.Names(ctx, b.conn, "select relname::text from pg_class where relnamespace = 'deid'::regnamespace and relkind = 'r' order by 1")
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if err := b.unready(ctx, tables); err != nil {
		return nil, err
	}
	have, err := research.Read(ctx, b.conn)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	counts, err := countTables(ctx, b.conn, b.cfg, b.cat, viewOf)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(counts)
	if err != nil {
		return nil, err
	}
	plan := research.NextGeneration(b.cfg, b.cat, have)
	list := append(b.emptyVault(tables), plan.Statements...)
	return append(list,
		fmt.Sprintf("update deid.key_check set check_value = %s, epoch = %d, created_at = now()", quote.Bytes(b.NewCheck), b.NewEpoch),
		"update deid.release set as_of = null, released_at = null, through = (now() at time zone 'utc')::date - 1",
		fmt.Sprintf("insert into deid.rotation (old_check, from_epoch, to_epoch, before) values (%s, %d, %d, %s)",
			quote.Bytes(b.OldCheck), b.OldEpoch, b.NewEpoch, quote.Literal(string(before)))), nil
}

// unready says why the key can't be changed now.
func (b *beginning) unready(ctx context.Context, tables []string) error {
	const op = "begin to change the key"
	for _, name := range tables {
		if !slices.Contains(empties, name) && !slices.Contains(keeps, name) && !slices.Contains(carries, name) {
			return fault.New(op, fmt.Errorf("table deid.%s is not known: it may hold what the key made", name), "move it out of schema deid")
		}
	}
	var copying, lost int
	err := b.conn.QueryRow(ctx, `select (select count(*) from deid.snapshot s where not s.done) +
		(select count(*) from deid.generated g where g.kind = 'table' and not exists (select from deid.snapshot s where s.table_name = g.name))`).Scan(&copying)
	if err != nil || copying > 0 {
		return fault.New(op, errors.Join(err, fmt.Errorf("%d tables are not copied yet", copying)), "run 'pgdeid run' until they are")
	}
	if b.Forget {
		return nil
	}
	hashes := make([][]byte, 0, len(b.Purged))
	for hash := range b.Purged {
		hashes = append(hashes, []byte(hash))
	}
	err = b.conn.QueryRow(ctx, "select count(*) from deid.purged where patient_hmac <> all($1)", hashes).Scan(&lost)
	if err != nil || lost > 0 {
		return fault.New(op, errors.Join(err, fmt.Errorf("%d purged patients are not in the source: only the key of before knows them", lost)),
			"--forget goes on without them: should they come back to the source, purge them again")
	}
	return nil
}

// emptyVault keeps the hashes of words that left records and directory, and empties what the key made.
func (b *beginning) emptyVault(tables []string) []string {
	list := []string{
		"insert into deid.rotation_word select 'record', patient, original_hmac from deid.surrogate where kind = 'record'",
		"insert into deid.rotation_word select distinct 'directory', '', hash from deid.directory_word",
		"insert into deid.rotation_word select 'purged', '', patient_hmac from deid.purged",
		"insert into deid.rotation_former select patient, former from deid.patient_former",
	}
	var emptied []string
	for _, name := range tables {
		if slices.Contains(empties, name) {
			emptied = append(emptied, "deid."+name)
		}
	}
	list = append(list, "truncate "+strings.Join(emptied, ", "))
	for was, now := range b.Purged {
		list = append(list, fmt.Sprintf("update deid.purged set patient_hmac = %s where patient_hmac = %s", quote.Bytes(now), quote.Bytes([]byte(was))))
	}
	return append(list, "delete from deid.purged where patient_hmac in (select hash from deid.rotation_word where kind = 'purged')")
}

// countTables counts the rows of the tables that analysts read, and those that find what they refer to: by a column of
// pseudonyms of the domain that another table's only key column has.
func countTables(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog, place func(*config.Table) string) ([]TableCount, error) {
	const op = "count the rows that analysts read"
	var list []TableCount
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		columns := research.Columns(t, cat.Tables[t.FullName()])
		if len(columns) == 0 {
			continue
		}
		view := place(t)
		c := TableCount{Table: t.FullName()}
		if err := conn.QueryRow(ctx, "select count(*) from "+view).Scan(&c.Rows); err != nil {
			return nil, fault.New(op, err, "")
		}
		for _, of := range referred(cfg, cat, t, columns) {
			j := JoinCount{Column: of.column, Other: of.table.FullName()}
			err := conn.QueryRow(ctx, fmt.Sprintf("select count(t.%[1]s), count(o.%[2]s) from %[3]s t left join %[4]s o on o.%[2]s = t.%[1]s",
				quote.Name(of.column), quote.Name(of.key), view, place(of.table))).Scan(&j.Filled, &j.Found)
			if err != nil {
				return nil, fault.New(op, err, "")
			}
			c.Joins = append(c.Joins, j)
		}
		list = append(list, c)
	}
	return list, nil
}

// viewOf returns the view that analysts read.
func viewOf(t *config.Table) string { return quote.Name(t.Schema, t.Name) }

// CountNext counts what analysts will read once the key is changed.
func CountNext(ctx context.Context, cfg *config.Config) (counts []TableCount, err error) {
	cat, err := catalog.ReadAsAdmin(ctx, cfg)
	if err != nil {
		return nil, err
	}
	place := func(t *config.Table) string { return research.VisibleTable(t, cfg.Release.Mode) }
	err = postgres.AsReplicaAdmin(ctx, cfg, func(conn *pgx.Conn) error {
		counts, err = countTables(ctx, conn, cfg, cat, place)
		return err
	})
	return counts, err
}

// BrokenJoins names the tables that had rows and have none, and the columns whose rows found those of another table
// and do not any more.
func BrokenJoins(before, after []TableCount) []string {
	now := map[string]TableCount{}
	for _, t := range after {
		now[t.Table] = t
	}
	var list []string
	for _, t := range before {
		if t.Rows > 0 && now[t.Table].Rows == 0 {
			list = append(list, t.Table)
		}
		for _, j := range t.Joins {
			holds := slices.ContainsFunc(now[t.Table].Joins, func(n JoinCount) bool {
				return n.Column == j.Column && n.Other == j.Other && (n.Found > 0 || n.Filled == 0)
			})
			if j.Found > 0 && !holds {
				list = append(list, t.Table+"."+j.Column+" to "+j.Other)
			}
		}
	}
	return list
}

// reference is a column that refers to the only key column of another table.
type reference struct {
	column string
	table  *config.Table
	key    string
}

func referred(cfg *config.Config, cat *catalog.Catalog, t *config.Table, columns []research.Column) []reference {
	var list []reference
	for _, c := range columns {
		col, ok := t.Column(c.Name)
		if !ok || col.Publish != config.Pseudonym || col.Format != "" {
			continue
		}
		for i := range cfg.Tables {
			o := &cfg.Tables[i]
			key := cat.Tables[o.FullName()].PrimaryKey
			if o == t || len(key) != 1 {
				continue
			}
			there := research.Columns(o, cat.Tables[o.FullName()])
			n := slices.IndexFunc(there, func(r research.Column) bool { return r.Name == key[0] })
			if other, ok := o.Column(key[0]); ok && n >= 0 && other.Publish == config.Pseudonym && other.Domain == col.Domain && there[n].Type == c.Type {
				list = append(list, reference{c.Name, o, key[0]})
			}
		}
	}
	return list
}
