package replicator

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Choice says which rows of the quarantine to try again. The zero value means all.
type Choice struct {
	IDs     []int64
	Reasons []string
}

// RetryResult counts what became of the rows that were tried again.
type RetryResult struct {
	Released int `json:"released"` // they are in the replica now
	Gone     int `json:"gone"`     // the source does not have them any more
	Kept     int `json:"kept"`     // still set aside
}

// aRow is a row of deid.quarantine.
type aRow struct {
	id     int64
	table  *table
	key    []string
	hash   []byte
	sealed []byte
}

// Retry reads rows that were set aside again from the source. It may run beside
// the stream: both take turns, and neither writes an older version over a newer
// one. progress, if not nil, is told how many of how many rows were tried.
func Retry(ctx context.Context, o Options, which Choice, progress func(done, total int)) (RetryResult, error) {
	var res RetryResult
	err := once(ctx, o, func(r *session, w *writer) error {
		list, err := quarantined(ctx, r, which)
		if err != nil {
			return err
		}
		for done := 0; done < len(list); {
			chunk := list[done:min(done+retryRows, len(list))]
			if err := retryRowsOf(ctx, w, r.control, chunk, &res); err != nil {
				return err
			}
			if done += len(chunk); progress != nil {
				progress(done, len(list))
			}
		}
		return nil
	})
	return res, err
}

// retryRows is how many rows are tried in one transaction, during which the
// stream waits.
const retryRows = 50

// once opens a session and a writer, and calls do with them.
func once(ctx context.Context, o Options, do func(*session, *writer) error) error {
	o, err := o.withDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	r, err := newSession(ctx, &o)
	if err != nil {
		return err
	}
	defer r.close()
	w, err := r.newWriter(ctx)
	if err != nil {
		return err
	}
	w.beside = true
	return do(r, w)
}

// quarantined reads the rows to try.
func quarantined(ctx context.Context, r *session, which Choice) ([]aRow, error) {
	const op = "read the quarantine"
	rows, err := r.control.Query(ctx, `
		select id, table_name, key_hmac, sealed from deid.quarantine
		where (cardinality($1::bigint[]) = 0 or id = any($1)) and (cardinality($2::text[]) = 0 or reason = any($2))
		order by id`, append([]int64{}, which.IDs...), append([]string{}, which.Reasons...))
	if err != nil {
		return nil, fault.New(op, connect.Lost(r.control, err), "")
	}
	var list []aRow
	var name string
	var row aRow
	_, err = pgx.ForEachRow(rows, []any{&row.id, &name, &row.hash, &row.sealed}, func() error {
		if row.table = r.plan.byID[name]; row.table == nil {
			return nil // not mapped any more
		}
		what, err := r.seals.OpenOrigin(row.sealed, name, row.hash)
		row.key = what.Key
		list = append(list, row)
		return err
	})
	return list, fault.New(op, connect.Lost(r.control, err), "")
}

// retryRowsOf tries rows in one transaction.
func retryRowsOf(ctx context.Context, w *writer, control *pgx.Conn, chunk []aRow, res *RetryResult) error {
	var items []*item
	err := w.redoAll(ctx, func(ctx context.Context) (_ []*item, err error) {
		items, err = readAside(ctx, w, chunk)
		return items, err
	}, func(ctx context.Context, tx pgx.Tx) error {
		return strikeGone(ctx, tx, chunk, items)
	})
	if err != nil {
		return err
	}
	ids := make([]int64, len(chunk))
	for i, row := range chunk {
		ids[i] = row.id
	}
	var kept int
	err = control.QueryRow(ctx, "select count(*) from deid.quarantine where id = any($1)", ids).Scan(&kept)
	res.Kept += kept
	res.Gone += len(chunk) - len(items)
	res.Released += len(items) - kept
	return fault.New("count what is left in the quarantine", connect.Lost(control, err), "")
}

// readAside reads the rows of a chunk that the source still has.
func readAside(ctx context.Context, w *writer, chunk []aRow) ([]*item, error) {
	byTable := map[*table][][]string{}
	for _, row := range chunk {
		byTable[row.table] = append(byTable[row.table], row.key)
	}
	var items []*item
	for t, keys := range byTable {
		err := w.look.readRows(ctx, t, keys, func(row []value) error {
			it := rowItem(&change{op: insertOp, table: t, row: row, read: true})
			it.fresh = true
			items = append(items, it)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return items, nil
}

// strikeGone takes rows off the quarantine that the source does not have any more.
func strikeGone(ctx context.Context, tx pgx.Tx, chunk []aRow, items []*item) error {
	there := map[string]bool{}
	for _, it := range items {
		key, _ := it.change.table.keyTexts(it.change.row)
		there[it.change.table.id+keyString(key)] = true
	}
	var gone []int64
	for _, row := range chunk {
		if !there[row.table.id+keyString(row.key)] {
			gone = append(gone, row.id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "delete from deid.quarantine where id = any($1)", gone)
	return fault.New("take rows off the quarantine", err, "")
}
