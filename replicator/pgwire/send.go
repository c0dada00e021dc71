package pgwire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/statement"
	"github.com/pgdeid/pgdeid/internal/value"
)

// part is what one FETCH takes of a cursor.
type part struct {
	*scan

	left int64
}

func (p *part) fetch(ctx context.Context, want int) ([]Row, error) {
	if p.left <= 0 {
		return nil, io.EOF
	}
	got, err := p.scan.fetch(ctx, int(min(int64(want), p.left)))
	p.left -= int64(len(got))
	if err == nil && p.left == 0 {
		err = io.EOF
	}
	return got, err
}

// close keeps the cursor open: only its own end closes it.
func (p *part) close() { p.sent() }

// sendRows sends all rows of a result, and that it is complete.
func (c *session) sendRows(ctx context.Context, r *result) error {
	n := 0
	for more := r.rows != nil; more; {
		got, err := r.rows.fetch(ctx, chunkRows)
		if err != nil && !errors.Is(err, io.EOF) {
			return failureOf(ctx, err)
		}
		more = err == nil
		for _, row := range got {
			if err := c.sendRow(row); err != nil {
				return err
			}
		}
		n += len(got)
		if ctx.Err() != nil {
			return failureOf(ctx, context.Cause(ctx))
		}
	}
	c.server.opts.Metrics.statements.WithLabelValues("done").Inc()
	if r.tag == "" {
		return c.wire.send(&pgproto3.EmptyQueryResponse{}, 0)
	}
	tag := strings.Replace(r.tag, "%d", strconv.Itoa(n), 1)
	return c.wire.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)}, 0)
}

func (c *session) sendRow(r Row) error {
	room := 3 * r.Size() // for the values as they are sent, and the message that they are copied to
	if room > flushBytes {
		if err := c.budget.take(room); err != nil {
			return err
		}
		defer c.budget.giveBack(room)
	}
	m := pgproto3.DataRow{Values: make([][]byte, len(r))}
	size := 0
	for i := range r {
		switch {
		case r[i].Null:
		case r[i].List != nil:
			m.Values[i] = value.WriteList(r[i].List)
		default:
			m.Values[i] = []byte(r[i].Text)
		}
		size += len(m.Values[i]) + 4
	}
	if err := c.wire.send(&m, size); err != nil || room <= flushBytes {
		return err
	}
	return c.wire.flush() // nothing is left of what is given back
}

// rowDescription describes a result's columns.
func rowDescription(fields []field) *pgproto3.RowDescription {
	m := &pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, len(fields))}
	for i, f := range fields {
		m.Fields[i] = pgproto3.FieldDescription{Name: []byte(f.name), DataTypeOID: uint32(f.typ), DataTypeSize: f.typ.Size(), TypeModifier: -1}
	}
	return m
}

// sizeFields are what ANALYZE asks for.
var sizeFields = map[statement.Verb][]field{
	statement.TableSize: {{"?column?", value.Int8}},
	statement.TableKind: {{"reltuples", value.Text}, {"relkind", value.Text}},
}

// sizeOf answers what ANALYZE asks first. The rows that it wants to see then are refused, with a hint.
func (c *session) sizeOf(st *statement.Statement) (*result, *Error) {
	t, err := c.lookUp(statement.Name{Text: st.Name})
	if err != nil {
		return nil, err
	}
	row := Row{{Text: "1"}}
	if st.Verb == statement.TableKind {
		row = Row{{Text: fmt.Sprint(t.Rows)}, {Text: "r"}}
	}
	return &result{fields: sizeFields[st.Verb], rows: &fixed{rows: []Row{row}}, tag: "SELECT %d"}, nil
}
