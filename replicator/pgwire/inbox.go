package pgwire

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/statement"
	"github.com/pgdeid/pgdeid/internal/value"
)

// inbox holds the rows that a transaction put in. Rows that a savepoint knows are never changed, only replaced, so that going back is an
// assignment.
type inbox struct {
	phi.Redacted

	rows []Row
	held int64 // of the budget, until the transaction ends
}

// insert takes rows in, or answers them at once where the statement returns something.
func (c *session) insert(st *statement.Statement, params []Datum) (*result, *Error) {
	t, err := c.lookUp(st.From.Table)
	if err != nil {
		return nil, err
	}
	if t.Kind != Inbox {
		return nil, failf(stateReadOnly, "table \"%s\" can't be written to", t.Name).near(st.From.Table.Pos)
	}
	if len(st.From.Items) > 0 {
		return c.returning(st, params)
	}
	if c.tx.status != txOpen {
		return nil, failf(stateNoTx, "what is put into table \"%s\" lasts until its transaction ends", t.Name).hinted("BEGIN first")
	}
	rows, err := c.insertedRows(t, st, params, &c.inbox.held)
	if err != nil {
		return nil, err
	}
	c.inbox.rows = append(c.inbox.rows, rows...)
	return &result{tag: fmt.Sprintf("INSERT 0 %d", len(rows))}, nil
}

// insertedRows evaluates the rows of an INSERT. What they take is added to held, also before an error.
func (c *session) insertedRows(t *Table, st *statement.Statement, params []Datum, held *int64) ([]Row, *Error) {
	columns := make([]int, len(st.Columns))
	for i, n := range st.Columns {
		if columns[i] = t.column(n.Text); columns[i] < 0 {
			return nil, failf(stateNoColumn, "column \"%s\" does not exist", shown(n.Text)).near(n.Pos)
		}
	}
	if err := c.budget.keep(int64(len(st.Rows)*(len(t.Columns)+1))*value.Bytes, held); err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(st.Rows))
	for _, values := range st.Rows {
		r := slices.Repeat(Row{value.Null}, len(t.Columns))
		for i := range values {
			if values[i].Kind == statement.Default {
				continue
			}
			col := &t.Columns[columns[i]]
			d, err := c.evaluate(&values[i], params, col.Type, held)
			if err == nil && col.Role == Output && !d.Null {
				err = failf(stateReadOnly, "column \"%s\" can't be written to", col.Name).near(st.Columns[i].Pos)
			}
			if err == nil {
				err = c.budget.keep(int64(len(d.Text)), held)
			}
			if err != nil {
				return nil, err
			}
			d.Text = strings.Clone(d.Text) // the message that it is part of must not stay
			r[columns[i]] = d
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// returning answers the rows of an INSERT … RETURNING without keeping them.
func (c *session) returning(st *statement.Statement, params []Datum) (*result, *Error) {
	p, err := c.plan(st.From)
	if err != nil {
		return nil, err
	}
	s := &scan{plan: p, c: c, listed: true, left: math.MaxInt64}
	if s.list, err = c.insertedRows(p.table, st, params, &s.held); err != nil {
		s.close()
		return nil, err
	}
	return &result{fields: p.fields, rows: s, tag: "INSERT 0 %d"}, nil
}

// remove takes rows out of the inbox: those of some values of one column, or all of them.
func (c *session) remove(st *statement.Statement, params []Datum) (*result, *Error) {
	p, err := c.plan(st.From)
	if err != nil {
		return nil, err
	}
	if p.table.Kind != Inbox {
		return nil, failf(stateReadOnly, "table \"%s\" can't be written to", p.table.Name).near(st.From.Table.Pos)
	}
	if len(p.filters) > 0 {
		return nil, unsupported("that condition of DELETE", p.filters[0].Column.Pos)
	}
	s := &scan{plan: p, c: c, params: params}
	defer s.close()
	kept := make([]Row, 0, len(c.inbox.rows))
	values := make([][]Datum, len(p.inputs))
	for i, cond := range p.inputs {
		if cond == nil {
			continue
		}
		if values[i], err = s.values(cond, p.table.Columns[i].Type); err != nil {
			return nil, err
		}
	}
	for _, r := range c.inbox.rows {
		if !r.HasAll(values) {
			kept = append(kept, r)
		}
	}
	n := len(c.inbox.rows) - len(kept)
	c.inbox.rows = kept
	return &result{tag: fmt.Sprintf("DELETE %d", n)}, nil
}
