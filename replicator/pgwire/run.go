package pgwire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// run starts a statement. What it asks of the engine is asked when its rows are
// fetched.
func (c *session) run(ctx context.Context, stmt statement, params []datum) (*result, *failure) {
	if tag, ok, err := c.transactionStmt(stmt); ok {
		return &result{tag: tag}, err
	}
	if c.tx.status == txFailed {
		return nil, failf(stateFailedTx, "current transaction is aborted, commands ignored until end of transaction block")
	}
	c.beginImplicit()
	switch st := stmt.(type) {
	case emptyStmt:
		return &result{}, nil
	case *selectStmt:
		return c.selectRows(st, params)
	case *declareStmt:
		return c.declare(st, params)
	case *fetchStmt:
		return c.fetchStmt(ctx, st)
	case *closeStmt:
		return &result{tag: "CLOSE CURSOR"}, c.closeStmt(st)
	case *insertStmt:
		return c.insert(ctx, st, params)
	case *deleteStmt:
		return c.delete(st, params)
	case *setStmt:
		return c.setStmt(st)
	case *showStmt:
		return c.show(st)
	case *explainStmt:
		return c.explain(st), nil
	case *deallocateStmt:
		return &result{tag: "DEALLOCATE"}, c.deallocate(st)
	case *discardStmt:
		return c.discard()
	}
	return nil, failf(stateInternal, "a statement that nobody runs")
}

func (c *session) selectRows(st *selectStmt, params []datum) (*result, *failure) {
	p, err := c.plan(st)
	if err != nil {
		return nil, err
	}
	s, err := p.open(c.env, params)
	if err != nil {
		return nil, err
	}
	return &result{fields: p.fields, rows: s, tag: "SELECT %d"}, nil
}

func (c *session) closeStmt(st *closeStmt) *failure {
	if st.cursor == "" {
		c.closeCursors(-1)
		return nil
	}
	k, err := c.cursor(st.cursor)
	if err != nil {
		return err
	}
	k.close()
	delete(c.cursors, st.cursor)
	return nil
}

func (c *session) setStmt(st *setStmt) (*result, *failure) {
	next := c.settings
	var err *failure
	switch {
	case st.name == "transaction":
	case st.unset:
		err = next.reset(st.name)
	default:
		err = next.set(st.name, st.value)
	}
	if err != nil {
		return nil, err
	}
	c.putSettings(next)
	if st.unset && st.name == "" {
		return &result{tag: "RESET"}, nil
	}
	return &result{tag: "SET"}, nil
}

func (c *session) show(st *showStmt) (*result, *failure) {
	if st.name == "all" {
		return &result{
			fields: []field{{"name", oidText}, {"setting", oidText}, {"description", oidText}}, rows: &fixed{c.settings.all()}, tag: "SHOW",
		}, nil
	}
	v, ok := c.settings.get(st.name)
	if !ok {
		return nil, noSetting(st.name)
	}
	return &result{fields: []field{{st.name, oidText}}, rows: &fixed{[]row{{textDatum(v)}}}, tag: "SHOW"}, nil
}

func (c *session) deallocate(st *deallocateStmt) *failure {
	if st.name == "" {
		c.forgetAll()
		return nil
	}
	if c.statements[st.name] == nil {
		return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(st.name))
	}
	c.forget(st.name)
	return nil
}

// discard brings the session back to its beginning.
func (c *session) discard() (*result, *failure) {
	if c.tx.status != txIdle {
		return nil, failf(stateActiveTx, "DISCARD ALL cannot run inside a transaction block")
	}
	c.closeCursors(-1)
	c.closePortals()
	c.forgetAll()
	c.inbox.clear(c.budget)
	c.tx.implicit = nil
	c.putSettings(newSettings(c.user))
	return &result{tag: "DISCARD ALL"}, nil
}

// fetchChunk is how many rows are asked for at once where a client wants all of them.
const fetchChunk = 200

// sendRows sends up to most rows of a result, 0 being all, and reports how many.
func (c *session) sendRows(ctx context.Context, r *result, formats []int16, most int) (int, error) {
	n := 0
	for !r.ended && (most == 0 || n < most) {
		want := fetchChunk
		if most > 0 {
			want = min(want, most-n)
		}
		got, err := r.rows.fetch(ctx, want)
		if err != nil && !errors.Is(err, io.EOF) {
			return n, failureOf(ctx, err)
		}
		r.ended = err != nil
		for _, row := range got {
			if err := c.sendRow(row, r.fields, formats); err != nil {
				return n, err
			}
		}
		n += len(got)
		if err := context.Cause(ctx); err != nil {
			return n, failureOf(ctx, err)
		}
	}
	return n, nil
}

func (c *session) sendRow(r row, fields []field, formats []int16) error {
	var room int64 // for the values as they are sent, and the message that they are copied to
	for _, d := range r {
		room += 3 * d.size()
	}
	if room > flushBytes {
		if err := c.budget.take(room); err != nil {
			return err
		}
		defer c.budget.giveBack(room)
	}
	m := pgproto3.DataRow{Values: make([][]byte, len(r))}
	size := 0
	for i, d := range r {
		b, err := encode(d, fields[i].typ, formatOf(formats, i))
		if err != nil {
			return err
		}
		if b == nil && !d.null {
			b = []byte{}
		}
		m.Values[i], size = b, size+len(b)+4
	}
	if err := c.wire.send(&m, size); err != nil || room <= flushBytes {
		return err
	}
	return c.wire.flush() // nothing is left of what is given back
}

// formatOf returns the format of a column: one for each, one for all, or text.
func formatOf(formats []int16, i int) int16 {
	switch {
	case len(formats) == 1:
		return formats[0]
	case i < len(formats):
		return formats[i]
	}
	return textFormat
}

// complete tells the client that a statement is done.
func (c *session) complete(r *result, n int) {
	c.metrics.statements.WithLabelValues("done").Inc()
	switch {
	case r.tag == "":
		c.wire.proto.Send(&pgproto3.EmptyQueryResponse{})
	case strings.Contains(r.tag, "%d"):
		c.wire.proto.Send(&pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, r.tag, n)})
	default:
		c.wire.proto.Send(&pgproto3.CommandComplete{CommandTag: []byte(r.tag)})
	}
}

// rowDescription tells the client of a result's columns.
func rowDescription(fields []field, formats []int16) *pgproto3.RowDescription {
	m := &pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, len(fields))}
	for i, f := range fields {
		m.Fields[i] = pgproto3.FieldDescription{
			Name: []byte(f.name), DataTypeOID: f.typ, DataTypeSize: typeSize(f.typ), TypeModifier: -1, Format: formatOf(formats, i),
		}
	}
	return m
}
