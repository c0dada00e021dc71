package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

// The proof that nothing of the key before is left. Of the vault, every sealed value is opened: it opens only
// if the next key sealed it for just its row, pseudonyms and hashes included. Of the research tables, every row has to be
// explained: the source's rows are read, their keys, patients and other pseudonyms derived with the next key, and the rows
// that are just so, with texts of which the vault has the next key's hash, are set aside in a temporary table, all in one
// snapshot of the replica. Of other columns, surrogates and moved dates, the row's key speaks. What is left over was deleted or
// changed at the source meanwhile, or the next key has not made it. So the stream is awaited, and what is then still
// there, unchanged, is foreign.

// proof is the end of a change of the key.
type proof struct {
	s        *session.Session
	look     *patient.Lookups
	report   *RotationReport
	progress func(table string, read, total int64)
}

func (p *proof) run(ctx context.Context) error {
	sealed, err := vault.Verify(ctx, p.s.Control, p.s.Key)
	if err != nil {
		return err
	}
	hashes, err := vault.VerifyHashes(ctx, p.s.Control)
	if err != nil {
		return err
	}
	people, err := verifyPeople(ctx, p.s.Control, p.s.Key)
	if err != nil {
		return err
	}
	p.report.Vault = append(append(sealed, hashes...), people...)
	err = postgres.AsReplicaAdmin(ctx, p.s.Cfg, func(conn *pgx.Conn) error {
		for _, t := range p.s.Plan.Tables {
			if len(t.Publish) == 0 {
				continue
			}
			if err := p.table(ctx, conn, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	next, err := rotation.CountNext(ctx, p.s.Cfg)
	p.report.Broken = rotation.BrokenJoins(p.report.Before, next)
	return err
}

// mostDoubted bounds the rows that are looked at a second time.
const mostDoubted = 100_000

// table looks at one table.
func (p *proof) table(ctx context.Context, conn *pgx.Conn, t *schema.Table) error {
	const op = "look for rows of the key before"
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return fault.New(op, err, "")
	}
	defer apply.Rollback(tx) // takes the temporary table away
	counted := ProvenTable{Table: t.ID}
	if err := tx.QueryRow(ctx, "select count(*) from "+t.SQL.Table).Scan(&counted.Rows); err != nil {
		return fault.New(op, err, "")
	}
	_, err = tx.Exec(ctx, fmt.Sprintf("create temp table pgdeid_explained on commit drop as select %s from %s limit 0", t.SQL.KeyNames(""), t.SQL.Table))
	if err != nil {
		return fault.New(op, err, "the role of replica.admin_dsn needs TEMPORARY on the database")
	}
	if err := p.explain(ctx, tx, t); err != nil {
		return err
	}
	left, err := unexplained(ctx, tx, t)
	if err != nil {
		return err
	}
	stages, err := p.stages(ctx, tx, t)
	if err != nil {
		return err
	}
	apply.Rollback(tx)
	counted.Foreign = int64(len(left))
	if len(left) > 0 && len(left) <= mostDoubted {
		if err := p.awaitStream(ctx); err != nil {
			return err
		}
		if counted.Foreign, err = still(ctx, conn, t, left); err != nil {
			return err
		}
	}
	p.report.Tables = append(append(p.report.Tables, counted), stages...)
	return nil
}

// explain sets the rows aside that the source's rows and the key explain.
func (p *proof) explain(ctx context.Context, tx pgx.Tx, t *schema.Table) error {
	look := p.s.NewResolver(p.look, false)
	total := p.s.Estimate(ctx, t)
	var after []string
	read := int64(0)
	for done := false; !done; {
		var items []*deid.Item
		err := t.ReadAmong(ctx, p.look.Source, schema.Among{}, after, proofRows, func(row []schema.Value) error {
			after, _ = t.KeyTexts(row)
			items = append(items, deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: t, Row: row, Read: true}))
			return nil
		})
		if err != nil {
			return fault.New("read table "+t.ID, err, "")
		}
		if err := p.explainPage(ctx, tx, look, t, items); err != nil {
			return err
		}
		if read += int64(len(items)); p.progress != nil {
			p.progress(t.ID, read, total)
		}
		done = len(items) < proofRows
	}
	return nil
}

// proofRows is how many rows are looked at with one query.
const proofRows = 500

func (p *proof) explainPage(ctx context.Context, tx pgx.Tx, look *deid.Resolver, t *schema.Table, items []*deid.Item) error {
	if len(items) == 0 {
		return nil
	}
	if err := look.ResolveEach(ctx, items); err != nil {
		return err
	}
	defer func() {
		for _, it := range items {
			it.Release(p.s.Reg)
		}
	}()
	var columns []int
	var rows []*deid.Item
	var keys [][]string
	for _, it := range items {
		if of, why := p.s.Deid.PublishPseudonyms(it); why == "" {
			columns, rows, keys = of, append(rows, it), append(keys, it.Out.Key)
		}
	}
	others, err := p.s.Deid.OtherTexts(ctx, tx.Conn(), t, keys)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(it *deid.Item) bool { return others[it.Out.RowKey] })
	if len(rows) == 0 {
		return nil
	}
	args := make([]any, 0, len(columns)+1)
	for _, c := range columns {
		values := make([]*string, len(rows))
		for i, it := range rows {
			values[i] = it.Out.Values[c]
		}
		args = append(args, values)
	}
	if t.SQL.Owned {
		owners := make([]string, len(rows))
		for i, it := range rows {
			owners[i] = it.Owner
		}
		args = append(args, owners)
	}
	_, err = tx.Exec(ctx, "insert into pg_temp.pgdeid_explained "+t.SQL.Alike(columns), args...)
	return fault.New("compare table "+t.ID+" with the source", err, "")
}

// unexplained reads hashes of the rows that were not set aside. A hash is of a whole row, its key included.
func unexplained(ctx context.Context, tx pgx.Tx, t *schema.Table) ([]string, error) {
	match := joinKeys(&t.SQL, "e.%[1]s = t.%[1]s")
	rows, _ := tx.Query(ctx, fmt.Sprintf("select md5(t::text) from %s t where not exists (select from pg_temp.pgdeid_explained e where %s) limit %d",
		t.SQL.Table, match, mostDoubted+1))
	left, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return left, fault.New("look for rows of the key before", err, "")
}

// joinKeys writes a condition for each column that tells rows apart.
func joinKeys(s *schema.Statements, condition string) string {
	list := make([]string, len(s.Keys))
	for n, i := range s.Keys {
		list[n] = fmt.Sprintf(condition, s.Names[i])
	}
	return strings.Join(list, " and ")
}

// still counts the doubted rows that are there unchanged.
func still(ctx context.Context, conn *pgx.Conn, t *schema.Table, left []string) (n int64, err error) {
	err = conn.QueryRow(ctx, fmt.Sprintf("select count(*) from %s t join unnest($1::text[]) u(print) on md5(t::text) = u.print", t.SQL.Table), left).Scan(&n)
	return n, fault.New("look at rows again that the source does not explain", err, "")
}

// stages looks at what waits and what was released: of rows that are there, of the same patients.
func (p *proof) stages(ctx context.Context, tx pgx.Tx, t *schema.Table) ([]ProvenTable, error) {
	if t.SQL.Release == nil {
		return nil, nil
	}
	match := joinKeys(&t.SQL, "t.%[1]s = r.%[1]s")
	if t.SQL.Owned {
		match += fmt.Sprintf(" and t.%[1]s is not distinct from r.%[1]s", research.PatientColumn)
	}
	var list []ProvenTable
	for n, place := range []string{research.WaitingTable(t.Table), research.ReleasedTable(t.Table)} {
		c := ProvenTable{Table: t.ID + []string{" (waiting)", " (released)"}[n]}
		err := tx.QueryRow(ctx, fmt.Sprintf("select count(*), count(*) filter (where not exists (select from %s t where %s)) from %s r",
			t.SQL.Table, match, place)).Scan(&c.Rows, &c.Foreign)
		if err != nil {
			return nil, fault.New("look for rows of the key before", err, "")
		}
		list = append(list, c)
	}
	return list, nil
}

// streamPatience is how long the stream may take to come to what the source has now.
const streamPatience = 2 * time.Minute

var errBehind = errors.New("the stream does not come to what the source has now")

// awaitStream waits until the replica has what the source has now.
func (p *proof) awaitStream(ctx context.Context) error {
	var end pglogrepl.LSN
	if err := p.s.Source.QueryRow(ctx, "select pg_current_wal_insert_lsn()").Scan(&end); err != nil {
		return fault.New("read the end of the source's WAL", err, "")
	}
	ctx, cancel := context.WithTimeout(ctx, streamPatience)
	defer cancel()
	for {
		var there bool
		err := p.s.Control.QueryRow(ctx, "select lsn >= $2 from deid.progress where slot = $1", p.s.Cfg.Source.Slot, end).Scan(&there)
		if err == nil && there {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return fault.New("wait for the stream", err, "")
		}
		select {
		case <-ctx.Done():
			return fault.New("wait for the stream", errBehind, "'pgdeid run' has to follow it: start it, or wait until its lag is small ('pgdeid status')")
		case <-time.After(time.Second):
		}
	}
}
