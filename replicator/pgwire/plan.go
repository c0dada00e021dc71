package pgwire

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/internal/statement"
	"github.com/pgdeid/pgdeid/internal/value"
)

// field is a column of a result.
type field struct {
	name string
	typ  value.Type
}

// plan is a selection whose names are resolved.
type plan struct {
	sel    *statement.Selection
	table  *Table
	fields []field
	// columns are those of the table that the fields show; nullColumn shows NULL.
	columns []int
	inputs  []*statement.Condition // by column of the table: what says its value
	filters []filter
	order   []sortKey
	wants   []bool // by column of the table
	counts  bool   // one row, with the number of rows
}

const nullColumn = -1

// filter is a condition that picks among rows.
type filter struct {
	at int // the column
	*statement.Condition
}

type sortKey struct {
	column                 int
	descending, nullsFirst bool
}

// lookUp finds a table by name, for a user who may ask it.
func (c *session) lookUp(n statement.Name) (*Table, *Error) {
	i := slices.IndexFunc(c.server.tables, func(t Table) bool { return t.Name == n.Text })
	if i < 0 {
		return nil, failf(stateNoTable, "relation \"%s\" does not exist", shown(n.Text)).near(n.Pos).hinted(elsewhere)
	}
	if t := &c.server.tables[i]; c.rights().May(t.Name) {
		return t, nil
	}
	return nil, failf(stateNoRight, "permission denied for table %s", n.Text).near(n.Pos).
		hinted("the user's line in the file of 'pgdeid serve --users' must name it: tables=%s", n.Text)
}

// plan resolves the names of a selection.
func (c *session) plan(sel *statement.Selection) (*plan, *Error) {
	t, err := c.lookUp(sel.Table)
	if err != nil {
		return nil, err
	}
	p := &plan{sel: sel, table: t, wants: make([]bool, len(t.Columns)), inputs: make([]*statement.Condition, len(t.Columns))}
	for _, it := range sel.Items {
		if err := p.resolveItem(it); err != nil {
			return nil, err
		}
	}
	for i := range sel.Where {
		if err := p.resolveCondition(&sel.Where[i]); err != nil {
			return nil, err
		}
	}
	for _, o := range sel.Order {
		i, err := p.column(o.Name)
		if err != nil {
			return nil, err
		}
		if err := p.answerable(); err != nil { // says more than what follows
			return nil, err
		}
		if t.Columns[i].Type != value.Int4 && t.Columns[i].Type != value.Int8 { // texts sort by a collation that only the client has
			return nil, unsupported("sorting by a text", o.Pos)
		}
		p.wants[i] = true
		p.order = append(p.order, sortKey{i, o.Descending, o.NullsFirst})
	}
	return p, nil
}

// column finds a column of the plan's table.
func (p *plan) column(n statement.Name) (int, *Error) {
	if i := p.table.column(n.Text); i >= 0 {
		return i, nil
	}
	return 0, failf(stateNoColumn, "column \"%s\" does not exist", shown(n.Text)).near(n.Pos)
}

func (p *plan) resolveItem(it statement.Item) *Error {
	switch it.Kind {
	case statement.All:
		for i := range p.table.Columns {
			p.show(i)
		}
	case statement.NullItem:
		p.fields, p.columns = append(p.fields, field{"?column?", value.Text}), append(p.columns, nullColumn)
	case statement.Count:
		if len(p.sel.Items) > 1 {
			return unsupported("count(*) beside anything else", it.Pos)
		}
		p.counts = true
		p.fields = append(p.fields, field{"count", value.Int8})
	default:
		i, err := p.column(it.Name)
		if err != nil {
			return err
		}
		p.show(i)
	}
	return nil
}

// show adds a column to the result.
func (p *plan) show(i int) {
	p.fields, p.columns = append(p.fields, field{p.table.Columns[i].Name, p.table.Columns[i].Type}), append(p.columns, i)
	p.wants[i] = true
}

// resolveCondition takes the first condition that says the value of an input as such; the others pick among rows.
func (p *plan) resolveCondition(c *statement.Condition) *Error {
	i, err := p.column(c.Column)
	if err != nil {
		return err
	}
	col := p.table.Columns[i]
	if col.Role != Output && p.inputs[i] == nil && (c.Op == "=" || c.Op == "any" && col.Type != value.TextList) {
		p.inputs[i] = c
		return nil
	}
	ordered := c.Op != "=" && c.Op != "<>" && c.Op != "any" && c.Op != "null" && c.Op != "not null"
	list := col.Type == value.TextList && c.Op != "null" && c.Op != "not null"
	if list || ordered && col.Type == value.Text { // texts are compared by a collation that only the client has
		return unsupported("that condition on column "+col.Name, c.Column.Pos)
	}
	p.filters = append(p.filters, filter{i, c})
	p.wants[i] = true
	return nil
}

// missing returns the name of the first input that the selection does not say, or "".
func (p *plan) missing() string {
	for i, col := range p.table.Columns {
		if col.Role == Needed && p.inputs[i] == nil {
			return col.Name
		}
	}
	return ""
}

// answerable returns an error if the selection leaves out inputs.
func (p *plan) answerable() *Error {
	if p.table.Kind == Inbox {
		return failf(stateUnsupported, "table \"%s\" can't be read", p.table.Name).hinted("%s", p.table.Hint)
	}
	if n := p.missing(); n != "" {
		return failf(stateUnsupported, "table \"%s\" has no rows of its own: the query must say what %s is", p.table.Name, n).
			hinted("%s", p.table.Hint)
	}
	return nil
}

// Costs steer a planner that asks (use_remote_estimate): what can't be answered costs more than anything that can.
const (
	costNever = 1e10
	rowsNever = 1e8
)

var explainFields = []field{{"QUERY PLAN", value.Text}}

// explain says what a selection costs.
func (c *session) explain(st *statement.Statement) (*result, *Error) {
	first, last, rows, width := costNever, costNever, rowsNever, 1000
	if st.Verb == statement.Explain {
		p, err := c.plan(st.From)
		switch {
		case err == nil && p.answerable() == nil:
			first, last, rows, width = 1, p.table.Rows, p.table.Rows, 500*len(p.fields)
		case err != nil && err.State != stateUnsupported && err.State != stateNoColumn: // ctid is one that does not exist
			return nil, err
		}
		if p != nil && p.counts {
			rows = 1
		}
	}
	line := fmt.Sprintf("Engine Scan  (cost=%.2f..%.2f rows=%.0f width=%d)", first, last, rows, width)
	return &result{fields: explainFields, rows: &fixed{rows: []Row{{{Text: line}}}}, tag: "EXPLAIN"}, nil
}
