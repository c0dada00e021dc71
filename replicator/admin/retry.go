package admin

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
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

// quarantinedRow is a row of deid.quarantine.
type quarantinedRow struct {
	phi.Redacted

	id     int64
	table  *schema.Table
	key    []string
	hash   []byte
	sealed []byte
}

// Retry reads rows that were set aside again from the source. It may run while the stream
// does: both take turns, and neither writes an older version over a newer
// one. progress, if not nil, is called with how many of how many rows were tried.
func Retry(ctx context.Context, o session.Options, which Choice, progress func(done, total int)) (RetryResult, error) {
	var res RetryResult
	err := session.Once(ctx, o, func(r *session.Session) error {
		m, err := r.NewRemaker(ctx)
		if err != nil {
			return err
		}
		list, err := quarantined(ctx, r, which)
		if err != nil {
			return err
		}
		done := 0
		for _, chunk := range chunks(list) {
			if err := retryRowsOf(ctx, m, r.Control, chunk, &res); err != nil {
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

// retryRows is about how many rows are tried in one transaction, during which the
// stream waits.
const retryRows = 50

// chunks cuts a list into parts of about retryRows rows. Lines of one note, which are tried
// together, are in one of them.
func chunks(list []quarantinedRow) [][]quarantinedRow {
	place, units := map[string]int{}, [][]quarantinedRow(nil)
	for _, row := range list {
		unit := row.table.ID + schema.KeyString(row.unit())
		i, ok := place[unit]
		if !ok {
			i = len(units)
			place[unit], units = i, append(units, nil)
		}
		units[i] = append(units[i], row)
	}
	var parts [][]quarantinedRow
	for _, rows := range units {
		last := len(parts) - 1
		if last < 0 || len(parts[last])+len(rows) > retryRows {
			parts, last = append(parts, nil), last+1
		}
		parts[last] = append(parts[last], rows...)
	}
	return parts
}

// unit returns the key of the note that the row is a line of, or of the row.
func (q *quarantinedRow) unit() []string {
	if q.table.Lines == nil {
		return q.key
	}
	return q.table.NoteOf(q.key)
}

// quarantined reads the rows to try.
func quarantined(ctx context.Context, r *session.Session, which Choice) ([]quarantinedRow, error) {
	const op = "read the quarantine"
	rows, _ := r.Control.Query(ctx, `
		select id, table_name, key_hmac, sealed from deid.quarantine
		where (cardinality($1::bigint[]) = 0 or id = any($1)) and (cardinality($2::text[]) = 0 or reason = any($2))
		order by id`, append([]int64{}, which.IDs...), append([]string{}, which.Reasons...))
	var list []quarantinedRow
	var name string
	var row quarantinedRow
	_, err := pgx.ForEachRow(rows, []any{&row.id, &name, &row.hash, &row.sealed}, func() error {
		if row.table = r.Plan.ByID[name]; row.table == nil {
			return nil // not mapped any more
		}
		what, err := r.Seals.OpenOrigin(row.sealed, name, row.hash)
		row.key = what.Key
		list = append(list, row)
		return err
	})
	return list, fault.New(op, connect.Lost(r.Control, err), "")
}

// retryRowsOf tries rows in one transaction.
func retryRowsOf(ctx context.Context, m *apply.Remaker, control *pgx.Conn, chunk []quarantinedRow, res *RetryResult) error {
	var items []*deid.Item
	var gone int
	err := m.Remake(ctx, func(ctx context.Context) (_ []*deid.Item, err error) {
		items, err = readAside(ctx, m.Look, chunk)
		return items, err
	}, func(ctx context.Context, tx pgx.Tx) (err error) {
		gone, err = strikeGone(ctx, tx, chunk, items)
		return err
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
	res.Gone += gone
	res.Released += len(chunk) - gone - kept
	return fault.New("count what is left in the quarantine", connect.Lost(control, err), "")
}

// readAside reads the rows of a chunk that the source still has.
func readAside(ctx context.Context, look *deid.Resolver, chunk []quarantinedRow) ([]*deid.Item, error) {
	byTable := map[*schema.Table][][]string{}
	for _, row := range chunk {
		byTable[row.table] = append(byTable[row.table], row.key)
	}
	var items []*deid.Item
	for t, keys := range byTable {
		more, err := readAgain(ctx, look, t, keys, deid.Request{Fresh: true})
		if err != nil {
			return nil, err
		}
		items = append(items, more...)
	}
	return items, nil
}

// readAgain reads rows by their keys, and where rows are lines the whole notes of these.
func readAgain(ctx context.Context, look *deid.Resolver, t *schema.Table, keys [][]string, asked deid.Request) ([]*deid.Item, error) {
	if t.Lines != nil {
		return readLinesAgain(ctx, look, t, keys, asked)
	}
	var items []*deid.Item
	err := look.ReadRows(ctx, t, keys, func(row []schema.Value) error {
		it := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: t, Row: row, Read: true})
		it.Request = asked
		items = append(items, it)
		return nil
	})
	return items, err
}

// readLinesAgain reads the notes of lines by the lines' keys. Of a note that is too large it returns
// these lines alone.
func readLinesAgain(ctx context.Context, look *deid.Resolver, t *schema.Table, keys [][]string, asked deid.Request) ([]*deid.Item, error) {
	wanted, notes := map[string]bool{}, map[string][]string{}
	for _, key := range keys {
		wanted[schema.KeyString(key)] = true
		notes[schema.KeyString(t.NoteOf(key))] = t.NoteOf(key)
	}
	const hint = "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'"
	sizes, err := t.NoteSizes(ctx, look.Source, slices.Collect(maps.Values(notes)))
	if err != nil {
		return nil, fault.New("read notes of table "+t.ID, err, hint)
	}
	var items []*deid.Item
	err = t.ReadNotes(ctx, look.Source, sizes, func(rows schema.NoteRows) error {
		if rows.TooLarge {
			rows.Rows = slices.DeleteFunc(rows.Rows, func(row []schema.Value) bool {
				key, _ := t.KeyTexts(row)
				return !wanted[schema.KeyString(key)]
			})
		}
		items = append(items, deid.NewNote(rows, schema.Change{Op: schema.InsertOp, Table: t, Read: true}, asked)...)
		return nil
	})
	return items, fault.New("read notes of table "+t.ID, err, hint)
}

// strikeGone takes rows off the quarantine that the source does not have any more, and returns
// how many these are.
func strikeGone(ctx context.Context, tx pgx.Tx, chunk []quarantinedRow, items []*deid.Item) (int, error) {
	there := map[string]bool{}
	for _, it := range items {
		key, _ := it.Change.Table.KeyTexts(it.Change.Row)
		there[it.Change.Table.ID+schema.KeyString(key)] = true
	}
	var gone []int64
	for _, row := range chunk {
		if !there[row.table.ID+schema.KeyString(row.key)] {
			gone = append(gone, row.id)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	_, err := tx.Exec(ctx, "delete from deid.quarantine where id = any($1)", gone)
	return len(gone), fault.New("take rows off the quarantine", err, "")
}
