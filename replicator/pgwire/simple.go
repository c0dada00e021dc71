package pgwire

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgproto3"
)

// simple answers a query of the simple protocol: statements that semicolons part, of
// which the first error ends the rest.
func (c *session) simple(work context.Context, query string) error {
	if err := c.statementsOf(work, query); err != nil {
		return err
	}
	return c.ready()
}

// statementsOf runs the statements of a query.
func (c *session) statementsOf(work context.Context, query string) error {
	// The unnamed statement and portal end with a simple query (protocol, 55.2.3).
	c.forget("")
	c.closePortal("")
	list, held, syntax := parseAll(query, c.budget)
	defer c.budget.giveBack(held)
	c.statementSize = held + int64(len(query))
	if len(list) == 0 && syntax == nil {
		c.wire.proto.Send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	for _, stmt := range list {
		ok, err := c.simpleOne(work, stmt, query)
		if err != nil {
			return err
		}
		if !ok {
			syntax = nil
			break
		}
	}
	if syntax != nil {
		c.fail(syntax, query)
	}
	c.endImplicit()
	return nil
}

// simpleOne runs one statement, and reports whether the next one may run.
func (c *session) simpleOne(work context.Context, stmt statement, query string) (bool, error) {
	ctx, done := c.limited(work)
	defer done()
	r, f := c.run(ctx, stmt, nil)
	if f != nil {
		c.fail(f, query)
		return false, nil
	}
	n := 0
	if r.rows != nil {
		defer r.rows.close()
		var formats []int16
		if k, ok := r.rows.(*part); ok && k.binary {
			formats = []int16{binaryFormat}
		}
		c.wire.proto.Send(rowDescription(r.fields, formats))
		var err error
		if n, err = c.sendRows(ctx, r, formats, 0); err != nil {
			if errors.As(err, &f) {
				c.fail(f, query)
				return false, nil
			}
			return false, err
		}
	}
	c.complete(r, n)
	return !c.closed, nil
}

// errGone ends the statement of a client that hung up.
var errGone = &failure{state: stateConnection, message: "the client hung up", fatal: true}

// limited returns the context of one statement: it ends when the client cancels it,
// when its time is over, or when the server ends.
func (c *session) limited(work context.Context) (context.Context, func()) {
	limit := c.server.opts.StatementTime
	if own := c.settings.timeout("statement_timeout"); own > 0 {
		limit = min(limit, own)
	}
	ctx, cancel := context.WithCancelCause(work)
	ctx, release := context.WithTimeoutCause(ctx, limit, failf(stateCanceled, "canceling statement due to statement timeout"))
	c.key.running(cancel)
	stop := c.wire.watch(func() { cancel(errGone) })
	return ctx, func() {
		stop()
		c.key.running(nil)
		release()
		cancel(nil)
	}
}
