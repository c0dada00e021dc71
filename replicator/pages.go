package replicator

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// PageRows is how many rows are read with one query, and end with a cursor.
const PageRows = 500

// pages reads rows of a table in the order of its key and puts them into a pipeline. A page ends
// with a cursor.
type pages struct {
	phi.Redacted

	conn  *pgx.Conn
	table *schema.Table
	among schema.Among
	chunk int      // the part of the table that they are of; 0: all of it
	after []string // the key that the next row comes behind of
	asked deid.Request
	// bytes is how much a page may have before another row comes to it; 0: any.
	bytes int64
	// turn waits, after so many rows, until more may be read; nil: it does not.
	turn func(ctx context.Context, rows int64) error
	put  func(context.Context, *deid.Item) error

	rows, held int64 // in the page
}

// read reads until there are no more rows, or stop is done.
func (p *pages) read(ctx, stop context.Context) error {
	for stop.Err() == nil {
		n, done, err := p.next(ctx)
		if err == nil {
			err = p.end(ctx, done)
		}
		if err != nil || done {
			return err
		}
		if p.turn != nil {
			if err := p.turn(ctx, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// next puts the rows of one query.
func (p *pages) next(ctx context.Context) (n int64, done bool, err error) {
	if p.table.Lines != nil {
		return p.nextNotes(ctx)
	}
	err = p.table.ReadAmong(ctx, p.conn, p.among, p.after, PageRows, func(row []schema.Value) error {
		it := deid.RowItem(&schema.Change{Op: schema.InsertOp, Table: p.table, Row: row, Read: true})
		it.Request = p.asked
		if p.bytes > 0 && p.held > 0 && p.held+it.Held > p.bytes {
			if err := p.end(ctx, false); err != nil {
				return err
			}
		}
		p.after, _ = p.table.KeyTexts(row)
		n, p.rows, p.held = n+1, p.rows+1, p.held+it.Held
		return p.put(ctx, it)
	})
	return n, n < PageRows, fault.New("copy table "+p.table.ID, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// nextNotes is next for a table with lines of notes: a page ends behind a whole note, and its
// cursor is the key of the last one.
func (p *pages) nextNotes(ctx context.Context) (n int64, done bool, err error) {
	p.after, done, err = deid.ReadNotes(ctx, p.conn, p.table, p.among, p.after, PageRows, func(rows schema.NoteRows) error {
		n += int64(len(rows.Rows))
		return p.put(ctx, deid.Carrier(deid.NewNote(rows, schema.Change{Op: schema.InsertOp, Table: p.table, Read: true}, p.asked)))
	})
	p.rows += n
	return n, done, err
}

// end puts the cursor that ends a page.
func (p *pages) end(ctx context.Context, done bool) error {
	at := &deid.Cursor{Table: p.table, Chunk: p.chunk, Key: p.after, Rows: p.rows, Done: done}
	p.rows, p.held = 0, 0
	return p.put(ctx, deid.MarkItem(deid.Position{Cursor: at}))
}
