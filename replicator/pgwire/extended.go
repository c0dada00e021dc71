package pgwire

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"
)

// prepared is a statement that was parsed.
type prepared struct {
	stmt   statement
	types  []uint32 // of the parameters
	fields []field  // nil: it returns no rows, or FETCH, which has those of its cursor
	query  string   // for the places of errors; not longer than maxKeptQuery
	held   int64    // of the budget
}

// maxKeptQuery bounds the text that is kept of a statement.
const maxKeptQuery = 8 << 10

// portal is a statement with its parameters.
type portal struct {
	of      *prepared
	params  []datum
	formats []int16 // of the result
	result  *result // nil: not run yet
	held    int64   // of the budget
}

// parse handles Parse.
func (c *session) parse(m *pgproto3.Parse) *failure {
	if m.Name != "" && c.statements[m.Name] != nil {
		return failf(stateDuplicateStmt, "prepared statement \"%s\" already exists", shown(m.Name))
	}
	if len(c.statements) >= maxStatements {
		return failf(stateTooLarge, "too many prepared statements").hinted("DEALLOCATE those that are not used any more")
	}
	if len(m.Name) > maxProtocolName {
		return failf(stateLongName, "the name of a prepared statement is too long")
	}
	p := &prepared{stmt: emptyStmt{}}
	if err := c.budget.keep(int64(len(m.Query)), &p.held); err != nil {
		return err
	}
	list, held, err := parseAll(m.Query, c.budget)
	p.held += held
	if err == nil {
		err = c.prepare(p, list, m)
	}
	if err != nil {
		c.budget.giveBack(p.held)
		return err
	}
	c.forget(m.Name)
	c.statements[m.Name] = p
	c.wire.proto.Send(&pgproto3.ParseComplete{})
	return nil
}

// maxProtocolName bounds the names of prepared statements and portals, which drivers choose.
const maxProtocolName = 255

// prepare makes a prepared statement of what was parsed.
func (c *session) prepare(p *prepared, list []statement, m *pgproto3.Parse) *failure {
	if len(m.Query) <= maxKeptQuery {
		p.query = m.Query
	}
	switch {
	case len(list) > 1:
		return failf(stateSyntax, "cannot insert multiple commands into a prepared statement")
	case len(list) == 1:
		p.stmt = list[0]
	}
	if c.tx.status == txFailed && !endsTx(p.stmt) {
		return failf(stateFailedTx, "current transaction is aborted, commands ignored until end of transaction block")
	}
	return c.resolve(p, m.ParameterOIDs)
}

// forget drops a prepared statement, if it is there.
func (c *session) forget(name string) {
	if p := c.statements[name]; p != nil {
		c.budget.giveBack(p.held)
		delete(c.statements, name)
	}
}

// forgetAll drops all of them.
func (c *session) forgetAll() {
	for name := range c.statements {
		c.forget(name)
	}
}

// endsTx reports whether a statement may run in a transaction that failed.
func endsTx(stmt statement) bool {
	switch stmt.(type) {
	case *commitStmt, *rollbackStmt:
		return true
	}
	return false
}

// resolve finds the types of parameters and results.
func (c *session) resolve(p *prepared, declared []uint32) (err *failure) {
	switch st := p.stmt.(type) {
	case *selectStmt:
		if p.types, err = c.paramTypes(st.params, st.from, declared); err == nil {
			p.fields, err = c.fieldsOf(st)
		}
	case *declareStmt:
		p.types, err = c.paramTypes(st.query.params, st.query.from, declared)
	case *insertStmt:
		if p.types, err = c.paramTypes(st.params, &st.into, declared); err == nil && st.returning != nil {
			p.fields, err = c.fieldsOf(&selectStmt{items: st.returning, from: &st.into})
		}
	case *deleteStmt:
		p.types, err = c.paramTypes(st.params, &st.from, declared)
	case *showStmt:
		p.fields = []field{{st.name, oidText}}
		if st.name == "all" {
			p.fields = []field{{"name", oidText}, {"setting", oidText}, {"description", oidText}}
		}
	case *explainStmt:
		p.fields = explainFields
	}
	return err
}

func (c *session) fieldsOf(st *selectStmt) ([]field, *failure) {
	p, err := c.plan(st)
	if err != nil {
		return nil, err
	}
	if p.fields == nil {
		return []field{}, nil
	}
	return p.fields, nil
}

// bind handles Bind.
func (c *session) bind(m *pgproto3.Bind) *failure {
	p := c.statements[m.PreparedStatement]
	if p == nil {
		return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(m.PreparedStatement))
	}
	switch n := len(m.ParameterFormatCodes); {
	case len(m.Parameters) != len(p.types):
		return failf(stateProtocol, "bind message supplies %d parameters, but the statement requires %d", len(m.Parameters), len(p.types))
	case n > 1 && n != len(m.Parameters):
		return failf(stateProtocol, "bind message has %d parameter formats but %d parameters", n, len(m.Parameters))
	case m.DestinationPortal != "" && c.portals[m.DestinationPortal] != nil:
		return failf(stateDuplicateCursor, "portal \"%s\" already exists", shown(m.DestinationPortal))
	case len(c.portals) >= maxPortals:
		return failf(stateTooLarge, "too many portals")
	case len(m.DestinationPortal) > maxProtocolName:
		return failf(stateLongName, "the name of a portal is too long")
	case c.tx.status == txFailed && !endsTx(p.stmt):
		return failf(stateFailedTx, "current transaction is aborted, commands ignored until end of transaction block")
	}
	c.closePortal(m.DestinationPortal)
	o := &portal{of: p, formats: slices.Clone(m.ResultFormatCodes)}
	if err := c.bindParams(o, m); err != nil {
		c.budget.giveBack(o.held)
		return err
	}
	c.portals[m.DestinationPortal] = o
	c.wire.proto.Send(&pgproto3.BindComplete{})
	return nil
}

// bindParams decodes the parameters of a portal. What they come to is accounted for first:
// elements of an array may take twelve times the bytes that were sent.
func (c *session) bindParams(o *portal, m *pgproto3.Bind) *failure {
	for i, raw := range m.Parameters {
		size := decodedSize(raw, formatOf(m.ParameterFormatCodes, i), o.of.types[i])
		if err := c.budget.keep(size, &o.held); err != nil {
			return err
		}
	}
	o.params = make([]datum, len(m.Parameters))
	for i, raw := range m.Parameters {
		d, err := decode(raw, formatOf(m.ParameterFormatCodes, i), o.of.types[i])
		if err != nil {
			return err
		}
		o.params[i] = d
	}
	return nil
}

// describe handles Describe.
func (c *session) describe(m *pgproto3.Describe) *failure {
	if m.ObjectType == 'S' {
		p := c.statements[m.Name]
		if p == nil {
			return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(m.Name))
		}
		c.wire.proto.Send(&pgproto3.ParameterDescription{ParameterOIDs: p.types})
		c.describeFields(p, nil)
		return nil
	}
	o := c.portals[m.Name]
	if o == nil {
		return failf(stateNoCursor, "portal \"%s\" does not exist", shown(m.Name))
	}
	c.describeFields(o.of, o.formats)
	return nil
}

func (c *session) describeFields(p *prepared, formats []int16) {
	fields := p.fields
	if st, ok := p.stmt.(*fetchStmt); ok && !st.move && c.cursors[st.cursor] != nil {
		fields = c.cursors[st.cursor].scan.fields
	}
	if fields == nil {
		c.wire.proto.Send(&pgproto3.NoData{})
		return
	}
	c.wire.proto.Send(rowDescription(fields, formats))
}

// execute handles Execute: all rows of a portal, or as many as the client wants.
func (c *session) execute(work context.Context, m *pgproto3.Execute) error {
	o := c.portals[m.Portal]
	if o == nil {
		return c.extended(failf(stateNoCursor, "portal \"%s\" does not exist", shown(m.Portal)), "")
	}
	ctx, done := c.limited(work)
	defer done()
	if o.result == nil {
		c.statementSize = o.of.held
		r, f := c.run(ctx, o.of.stmt, o.params)
		if f != nil {
			return c.extended(f, o.of.query)
		}
		o.result = r
		if st, ok := o.of.stmt.(*declareStmt); ok { // the cursor goes on with the parameters
			c.cursors[st.cursor].held += o.held
			o.held = 0
		}
	}
	n := 0
	if o.result.rows != nil {
		var err error
		if n, err = c.sendRows(ctx, o.result, o.formats, int(min(m.MaxRows, 1<<30))); err != nil {
			if f := (*failure)(nil); errors.As(err, &f) {
				return c.extended(f, o.of.query)
			}
			return err
		}
		if !o.result.ended && m.MaxRows > 0 {
			c.wire.proto.Send(&pgproto3.PortalSuspended{})
			return nil
		}
	}
	c.complete(o.result, n)
	return nil
}

// closeMessage handles Close. To close what is not there is no error.
func (c *session) closeMessage(m *pgproto3.Close) {
	if m.ObjectType == 'S' {
		c.forget(m.Name)
	} else {
		c.closePortal(m.Name)
	}
	c.wire.proto.Send(&pgproto3.CloseComplete{})
}

// closePortal forgets a portal, if it is there.
func (c *session) closePortal(name string) {
	o := c.portals[name]
	if o == nil {
		return
	}
	if o.result != nil && o.result.rows != nil {
		o.result.rows.close()
	}
	c.budget.giveBack(o.held)
	delete(c.portals, name)
}

func (c *session) closePortals() {
	for name := range c.portals {
		c.closePortal(name)
	}
}
