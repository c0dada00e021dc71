package pgwire

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/statement"
	"github.com/pgdeid/pgdeid/internal/value"
)

// prepared is a statement of the extended protocol.
type prepared struct {
	phi.Redacted

	*statement.Statement

	query string   // for the places of errors
	types []uint32 // of the parameters, as declared
	held  int64    // of the budget
}

// portal is a statement with its parameters. There is one: no client that this server is for has two.
type portal struct {
	phi.Redacted

	of     *prepared
	params []Datum
	result *result
	held   int64 // of the budget
}

// maxProtocolName bounds the names of prepared statements, which drivers choose.
const maxProtocolName = 255

// parse handles Parse.
func (c *session) parse(m *pgproto3.Parse) *Error {
	switch {
	case m.Name != "" && c.prepared[m.Name] != nil:
		return failf(stateDuplicateStmt, "prepared statement \"%s\" already exists", shown(m.Name))
	case len(c.prepared) >= maxStatements || len(m.Name) > maxProtocolName:
		return failf(stateTooLarge, "too many prepared statements, or a name that is too long")
	}
	p := &prepared{Statement: &statement.Statement{}, query: m.Query, types: slices.Clone(m.ParameterOIDs)}
	if err := c.prepare(p); err != nil {
		c.budget.giveBack(p.held)
		return err
	}
	c.forget(m.Name)
	c.prepared[m.Name] = p
	return c.sent(&pgproto3.ParseComplete{})
}

// sent sends a message. The error of a connection shows when the next message is read.
func (c *session) sent(m pgproto3.BackendMessage) *Error {
	_ = c.wire.send(m, 0)
	return nil
}

// prepare reads the statement.
func (c *session) prepare(p *prepared) *Error {
	if err := c.budget.keep(int64(len(p.query)), &p.held); err != nil {
		return err
	}
	list, err := c.read(p.query, &p.held)
	switch {
	case err != nil:
		return err
	case len(list) > 1:
		return unsupported("several statements in one message", 0)
	case len(list) == 1:
		p.Statement = list[0]
	}
	if c.tx.status == txFailed && !p.endsTx() {
		return errFailedTx
	}
	if p.From == nil || p.Verb == statement.Explain {
		return nil
	}
	_, err = c.plan(p.From)
	return err
}

// endsTx reports whether a statement may run in a transaction that failed.
func (p *prepared) endsTx() bool {
	return p.Verb == statement.Commit || p.Verb == statement.Rollback || p.Verb == statement.RollbackTo
}

// forget drops a prepared statement, if it is there.
func (c *session) forget(name string) {
	if p := c.prepared[name]; p != nil {
		c.budget.giveBack(p.held)
		delete(c.prepared, name)
	}
}

// deallocate drops a prepared statement, or all of them for "".
func (c *session) deallocate(name string) *Error {
	if name != "" && c.prepared[name] == nil {
		return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(name))
	}
	for have := range c.prepared {
		if name == "" || name == have {
			c.forget(have)
		}
	}
	return nil
}

// discard brings the session back to its beginning.
func (c *session) discard() *Error {
	if c.tx.status != txIdle {
		return failf(stateActiveTx, "DISCARD ALL cannot run inside a transaction block")
	}
	c.timeout = 0
	return c.deallocate("")
}

// bind handles Bind.
func (c *session) bind(m *pgproto3.Bind) *Error {
	p := c.prepared[m.PreparedStatement]
	switch {
	case p == nil:
		return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(m.PreparedStatement))
	case m.DestinationPortal != "":
		return unsupported("a portal with a name", 0)
	case len(m.Parameters) != p.Params:
		return failf(stateProtocol, "bind message supplies %d parameters, but the statement requires %d", len(m.Parameters), p.Params)
	case slices.Contains(m.ParameterFormatCodes, 1) || slices.Contains(m.ResultFormatCodes, 1):
		return unsupported("the binary format of values", 0)
	case c.tx.status == txFailed && !p.endsTx():
		return errFailedTx
	}
	c.closePortal()
	o := &portal{of: p}
	for _, raw := range m.Parameters {
		if err := c.budget.keep(int64(len(raw))+value.Bytes, &o.held); err != nil {
			c.budget.giveBack(o.held)
			return err
		}
	}
	o.params = make([]Datum, len(m.Parameters))
	for i, raw := range m.Parameters {
		if !utf8.Valid(raw) || slices.Contains(raw, 0) {
			c.budget.giveBack(o.held)
			return failf(stateBadEncoding, "a parameter is not valid UTF-8")
		}
		o.params[i] = Datum{Text: string(raw), Null: raw == nil}
	}
	c.portal = o
	return c.sent(&pgproto3.BindComplete{})
}

// describe handles Describe. Parameters that no type was declared for are texts.
func (c *session) describe(m *pgproto3.Describe) *Error {
	var p *prepared
	switch {
	case m.ObjectType == 'S' && c.prepared[m.Name] != nil:
		p = c.prepared[m.Name]
		types := slices.Repeat([]uint32{uint32(value.Text)}, max(p.Params, 0))
		for i, t := range p.types[:min(len(p.types), len(types))] {
			if t != 0 {
				types[i] = t
			}
		}
		_ = c.sent(&pgproto3.ParameterDescription{ParameterOIDs: types})
	case m.ObjectType == 'S':
		return failf(stateNoStatement, "prepared statement \"%s\" does not exist", shown(m.Name))
	case m.Name != "" || c.portal == nil:
		return noPortal(m.Name)
	default:
		p = c.portal.of
	}
	fields, err := c.fieldsOf(p.Statement)
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		return c.sent(&pgproto3.NoData{})
	}
	return c.sent(rowDescription(fields))
}

func noPortal(name string) *Error {
	return failf(stateNoCursor, "portal \"%s\" does not exist", shown(name))
}

// fieldsOf returns the fields of a statement's rows; none if it has no rows.
func (c *session) fieldsOf(st *statement.Statement) ([]field, *Error) {
	switch st.Verb {
	case statement.Select, statement.Insert:
		p, err := c.plan(st.From)
		if err != nil {
			return nil, err
		}
		return p.fields, nil
	case statement.Fetch:
		k, err := c.cursor(st.Name)
		if err != nil {
			return nil, err
		}
		return k.fields, nil
	case statement.Explain, statement.ExplainUnknown:
		return explainFields, nil
	case statement.TableSize, statement.TableKind:
		return sizeFields[st.Verb], nil
	}
	return nil, nil
}

// execute handles Execute.
func (c *session) execute(work context.Context, m *pgproto3.Execute) error {
	o := c.portal
	switch {
	case m.Portal != "" || o == nil:
		return c.extended(noPortal(m.Portal), "")
	case m.MaxRows != 0:
		return c.extended(unsupported("Execute for a part of the rows", 0), "")
	case o.result != nil:
		return c.extended(unsupported("a second Execute of a portal", 0), "")
	}
	ctx, done := c.limited(work)
	defer done()
	r, f := c.run(o.of.Statement, o.params, o.of.held)
	if f != nil {
		return c.extended(f, o.of.query)
	}
	o.result = r
	if k := c.cursors[o.of.Name]; o.of.Verb == statement.Declare && k != nil { // it goes on with the parameters
		k.kept += o.held
		o.held = 0
	}
	err := c.sendRows(ctx, r)
	if errors.As(err, &f) {
		return c.extended(f, o.of.query)
	}
	return err
}

// extended sends the client an error of the extended protocol: what follows is passed over until Sync.
func (c *session) extended(f *Error, query string) error {
	if f == nil {
		return nil
	}
	c.skipping = true
	return c.fail(f, query)
}

// closeMessage handles Close. To close what is not there is no error.
func (c *session) closeMessage(m *pgproto3.Close) error {
	if m.ObjectType == 'S' {
		c.forget(m.Name)
	} else if m.Name == "" {
		c.closePortal()
	}
	return c.wire.send(&pgproto3.CloseComplete{}, 0)
}

// closePortal forgets the portal, if there is one.
func (c *session) closePortal() {
	o := c.portal
	if o == nil {
		return
	}
	if o.result != nil && o.result.rows != nil {
		o.result.rows.close()
	}
	c.budget.giveBack(o.held)
	c.portal = nil
}
