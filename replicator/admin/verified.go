package admin

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
)

// ReadVerified returns the list of what was verified that is in the vault, and its
// version; 0: nothing was ever imported.
func ReadVerified(ctx context.Context, cfg *config.Config) (list harvest.List, version int, err error) {
	err = withVault(ctx, cfg, func(conn *pgx.Conn) error {
		list, version, err = readVerified(ctx, conn)
		return err
	})
	return list, version, err
}

func readVerified(ctx context.Context, conn *pgx.Conn) (harvest.List, int, error) {
	const op = "read what was verified"
	var version int
	if err := conn.QueryRow(ctx, "select coalesce(max(version), 0) from deid.verified_version").Scan(&version); err != nil {
		return nil, 0, fault.New(op, connect.Lost(conn, err), "run 'pgdeid migrate up'")
	}
	rows, _ := conn.Query(ctx, `
		select kind, body, coalesce(detail::text, ''), reviewer, reviewed_at, origin, notes from deid.verified where retired is null`)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v harvest.Verified, err error) {
		var detail string
		err = row.Scan(&v.Kind, &v.Text, &detail, &v.Reviewer, &v.At, &v.Origin, &v.Notes)
		if v.At = v.At.UTC(); detail != "" {
			v.Detail = json.RawMessage(detail)
		}
		return v, err
	})
	return harvest.NewList(list), version, fault.New(op, connect.Lost(conn, err), "")
}

// VerifiedChange is what an import does to the list in the vault.
type VerifiedChange struct {
	Add     harvest.List
	Retire  []string // IDs of what was refused
	Replace bool     // everything that is not among Add goes as well
	By      string   // who imports it
}

// VerifiedResult says what an import did. Version is that of the list after it.
type VerifiedResult struct {
	Version int `json:"version"`
	Added   int `json:"added"`
	Retired int `json:"retired"`
	Listed  int `json:"listed"` // sentences and templates on the list now
}

// verifiedLock is the advisory lock of who changes the list, "pgdeidv" in ASCII.
const verifiedLock = 0x70676465696476

// StoreVerified changes the list in the vault, in one transaction. An entry that is
// there stays as it is; one whose detail differs is retired and added anew. Where
// nothing changes, neither does the version.
func StoreVerified(ctx context.Context, cfg *config.Config, c VerifiedChange) (res VerifiedResult, err error) {
	if c.By == "" {
		return res, fault.New("import what was verified", errors.New("it is not known who imports it"), "")
	}
	err = withVault(ctx, cfg, func(conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return fault.New("begin a transaction in the replica", connect.Lost(conn, err), "")
		}
		defer apply.Rollback(tx)
		if res, err = c.apply(ctx, conn, tx); err != nil {
			return err
		}
		return fault.New("commit to the replica", connect.Lost(conn, tx.Commit(ctx)), "")
	})
	return res, err
}

func (c VerifiedChange) apply(ctx context.Context, conn *pgx.Conn, tx pgx.Tx) (res VerifiedResult, err error) {
	const op = "import what was verified"
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(verifiedLock)); err != nil {
		return res, fault.New(op, connect.Lost(conn, err), "")
	}
	have, version, err := readVerified(ctx, conn)
	if err != nil {
		return res, err
	}
	add, retire := c.differences(have)
	res = VerifiedResult{Version: version, Added: len(add), Retired: len(retire), Listed: len(have) - len(retire) + len(add)}
	if len(add)+len(retire) == 0 {
		return res, nil
	}
	res.Version++
	batch := &pgx.Batch{}
	batch.Queue("insert into deid.verified_version (version, imported_by, added, retired) values ($1, $2, $3, $4)",
		res.Version, c.By, len(add), len(retire))
	batch.Queue("update deid.verified set retired = $1 where retired is null and kind || ' ' || id = any($2)", res.Version, retire)
	queueVerified(batch, res.Version, add)
	return res, fault.New(op, connect.Lost(conn, tx.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'")
}

// differences returns what to add, and the kinds and IDs of what to take off.
func (c VerifiedChange) differences(have harvest.List) (add harvest.List, retire []string) {
	there, wanted, refused := map[string]harvest.List{}, map[string]bool{}, map[string]bool{}
	for _, id := range c.Retire {
		refused[id] = true
	}
	for _, v := range have {
		there[v.ID()] = harvest.List{v}
	}
	for _, v := range c.Add {
		wanted[v.ID()] = true
		if was, ok := there[v.ID()]; !ok || was.Digest() != (harvest.List{v}).Digest() {
			add, refused[v.ID()] = append(add, v), ok
		}
	}
	for _, v := range have {
		if refused[v.ID()] || c.Replace && !wanted[v.ID()] {
			retire = append(retire, string(v.Kind)+" "+v.ID())
		}
	}
	return add, retire
}

func queueVerified(batch *pgx.Batch, version int, list harvest.List) {
	var kinds, ids, bodies, reviewers, origins []string
	var details []*string
	var times []time.Time
	var notes []int64
	for _, v := range list {
		var detail *string
		if len(v.Detail) > 0 {
			text := string(v.Detail)
			detail = &text
		}
		kinds, ids, bodies, details = append(kinds, string(v.Kind)), append(ids, v.ID()), append(bodies, v.Text), append(details, detail)
		reviewers, times = append(reviewers, v.Reviewer), append(times, v.At)
		origins, notes = append(origins, string(v.Origin)), append(notes, v.Notes)
	}
	batch.Queue(`
		insert into deid.verified (kind, id, added, body, detail, reviewer, reviewed_at, origin, notes)
		select u.kind, u.id, $1, u.body, u.detail::jsonb, u.reviewer, u.at, u.origin, u.notes
		from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::bigint[])
			u(kind, id, body, detail, reviewer, at, origin, notes)`,
		version, kinds, ids, bodies, details, reviewers, times, origins, notes)
}
