package pgwire

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/cancel"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/statement"
)

// session is one client's conversation after login. It belongs to one goroutine.
type session struct {
	phi.Redacted

	server *Server
	wire   *wire
	who    *client
	key    *cancel.Key
	stop   <-chan struct{} // closed when the server ends
	budget *sessionBudget
	tally  map[string]*tally // by table, since the last line of the audit log

	timeout  time.Duration // statement_timeout; 0: none
	tx       transaction
	inbox    inbox
	cursors  map[string]*cursor
	prepared map[string]*prepared
	portal   *portal
	skipping bool // until Sync, after an error of the extended protocol
	closed   bool // the client has to go
}

// Most statements, cursors and savepoints that a session may have.
const (
	maxStatements = 1000
	maxCursors    = 1000
	maxSavepoints = 1000
)

// session talks with a client until one of them ends it.
func (s *Server) session(stop, work context.Context, w *wire, who *client) {
	key, err := s.cancels.Add()
	if err != nil {
		s.opts.Log.Error("no key to cancel with", "error", err)
		return
	}
	defer s.cancels.Remove(key)
	c := &session{
		server: s, wire: w, who: who, key: key, stop: stop.Done(), budget: &sessionBudget{all: s.budget, limit: s.opts.SessionMemory},
		tally: map[string]*tally{}, tx: transaction{status: txIdle}, cursors: map[string]*cursor{}, prepared: map[string]*prepared{},
	}
	defer c.budget.end()
	defer c.audit()
	w.budget, w.messageMax, w.messageTime = c.budget, s.opts.MessageBytes, s.opts.MessageTime
	w.proto.SetMaxBodyLen(s.opts.MessageBytes)
	// Clients that wait, outside of a transaction, learn at once that the server ends.
	defer context.AfterFunc(stop, func() { _ = w.net.SetReadDeadline(time.Now()) })()
	err = c.greet()
	if err == nil {
		err = c.converse(work)
	}
	c.leave(err)
	c.endTx()
}

// rights are the user's at this moment: a session may outlive the file that let it in.
func (c *session) rights() login.Rights { return c.server.opts.Users.Rights(c.who.user) }

// greet sends the client the settings and the key of its session.
func (c *session) greet() error {
	for _, p := range parameters {
		c.wire.proto.Send(&pgproto3.ParameterStatus{Name: p.name, Value: p.value})
	}
	for name, value := range c.who.params {
		if f := c.set(name, value); f != nil {
			return f
		}
	}
	c.wire.proto.Send(&pgproto3.BackendKeyData{ProcessID: c.key.PID, SecretKey: c.key.Secret[:]})
	return c.ready()
}

func (c *session) ready() error {
	c.wire.proto.Send(&pgproto3.ReadyForQuery{TxStatus: byte(c.tx.status)})
	return c.wire.flush()
}

// converse answers messages until the client leaves or has to go.
func (c *session) converse(work context.Context) error {
	for !c.closed {
		if c.ending() && c.tx.status == txIdle {
			return errShutdown
		}
		msg, err := c.wire.receive(c.idle())
		var refused *Error
		switch {
		case errors.As(err, &refused):
			err = c.refused(refused)
		case err != nil && isTimeout(err) && c.ending() && c.tx.status != txIdle && c.wire.left == 0:
			continue // the transaction may go on for the grace period
		case err == nil:
			err = c.answer(work, msg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ending reports whether the server is about to end.
func (c *session) ending() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// idle is how long to wait for the next message.
func (c *session) idle() time.Duration {
	if c.tx.status != txIdle {
		return c.server.opts.IdleInTx
	}
	return c.server.opts.IdleTime
}

// refused answers a message that there was no room for.
func (c *session) refused(why *Error) error {
	if c.skipping {
		return nil
	}
	if c.wire.kind == 'Q' {
		return errors.Join(c.fail(why, ""), c.ready())
	}
	return c.extended(why, "")
}

// answer handles one message.
func (c *session) answer(work context.Context, msg pgproto3.FrontendMessage) error {
	switch msg.(type) {
	case *pgproto3.Sync:
		c.skipping = false
		c.endStatement()
		return c.ready()
	case *pgproto3.Terminate:
		c.closed = true
		return nil
	case *pgproto3.Flush:
		return c.wire.flush()
	}
	if c.skipping {
		return nil
	}
	switch m := msg.(type) {
	case *pgproto3.Query:
		return c.simple(work, m.String)
	case *pgproto3.Parse:
		return c.extended(c.parse(m), m.Query)
	case *pgproto3.Bind:
		return c.extended(c.bind(m), "")
	case *pgproto3.Describe:
		return c.extended(c.describe(m), "")
	case *pgproto3.Execute:
		return c.execute(work, m)
	case *pgproto3.Close:
		return c.closeMessage(m)
	case *pgproto3.FunctionCall:
		return errors.Join(c.fail(unsupported("a function call", 0), ""), c.ready())
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // left over from a COPY that was refused
	}
	return failf(stateProtocol, "unexpected message")
}

// simple answers a query of the simple protocol: statements that semicolons part, of which the first error ends the rest.
func (c *session) simple(work context.Context, query string) error {
	if err := c.statements(work, query); err != nil || c.closed {
		return err
	}
	c.endStatement()
	return c.ready()
}

// statements runs the statements of a query.
func (c *session) statements(work context.Context, query string) error {
	c.forget("") // the unnamed statement and portal end with a simple query (protocol, 55.2.3)
	c.closePortal()
	held := int64(0)
	defer func() { c.budget.giveBack(held) }()
	list, failed := c.read(query, &held)
	if len(list) == 0 && failed == nil {
		c.wire.proto.Send(&pgproto3.EmptyQueryResponse{})
	}
	for _, st := range list {
		done, err := c.simpleStatement(work, st, query, held)
		if err != nil || c.closed {
			return err
		}
		if !done {
			failed = nil // the first error counts
			break
		}
	}
	if failed != nil {
		return c.fail(failed, query)
	}
	return nil
}

// simpleStatement runs one statement, and reports whether the next one may run.
func (c *session) simpleStatement(work context.Context, st *statement.Statement, query string, held int64) (bool, error) {
	ctx, done := c.limited(work)
	defer done()
	if st.Params > 0 {
		return false, c.fail(unsupported("a parameter without a value", 0), query)
	}
	r, f := c.run(st, nil, held+int64(len(query)))
	if f != nil {
		return false, c.fail(f, query)
	}
	if r.rows != nil {
		defer r.rows.close()
		c.wire.proto.Send(rowDescription(r.fields))
	}
	err := c.sendRows(ctx, r)
	if errors.As(err, &f) {
		return false, c.fail(f, query)
	}
	return err == nil, err
}

// read reads the statements of a query. What they take of the budget is added to held.
func (c *session) read(query string, held *int64) ([]*statement.Statement, *Error) {
	if !utf8.ValidString(query) {
		return nil, failf(stateBadEncoding, "the statement is not valid UTF-8")
	}
	list, err := statement.Read(query, c.room(held))
	var unknown *statement.Error
	if errors.As(err, &unknown) {
		return list, unsupported(unknown.What, unknown.Pos)
	}
	return list, asError(err)
}

// room returns what takes memory of the budget, and adds it to held.
func (c *session) room(held *int64) func(int64) error {
	return func(n int64) error {
		if f := c.budget.keep(n, held); f != nil {
			return f
		}
		return nil
	}
}

// run starts a statement of a size. What it asks of the desk is asked when its rows are fetched.
func (c *session) run(st *statement.Statement, params []Datum, size int64) (*result, *Error) {
	if tag, err := c.transactionStatement(st); tag != "" || err != nil {
		return &result{tag: tag}, err
	}
	if c.tx.status == txFailed {
		return nil, errFailedTx
	}
	switch st.Verb {
	case statement.Empty:
		return &result{}, nil
	case statement.Select:
		p, err := c.plan(st.From)
		if err != nil {
			return nil, err
		}
		s, err := c.open(p, params)
		return &result{fields: p.fields, rows: s, tag: "SELECT %d"}, err
	case statement.Declare:
		return c.declare(st, params, size)
	case statement.Insert:
		return c.insert(st, params)
	case statement.Delete:
		return c.remove(st, params)
	case statement.Explain, statement.ExplainUnknown:
		return c.explain(st)
	case statement.Set:
		return &result{tag: "SET"}, c.set(st.Name, st.Value)
	case statement.Deallocate:
		return &result{tag: "DEALLOCATE"}, c.deallocate(st.Name)
	case statement.Discard:
		return &result{tag: "DISCARD ALL"}, c.discard()
	case statement.TableSize, statement.TableKind:
		return c.sizeOf(st)
	default:
		return c.cursorStatement(st)
	}
}

var errFailedTx = failf(stateFailedTx, "current transaction is aborted, commands ignored until end of transaction block")

// endStatement ends what is outside of a transaction block.
func (c *session) endStatement() {
	if c.tx.status == txIdle {
		c.closePortal()
		c.audit()
	}
}

// fail sends the client an error at once, and marks the transaction.
func (c *session) fail(f *Error, query string) error {
	c.server.opts.Metrics.statements.WithLabelValues("failed").Inc()
	c.wire.proto.Send(f.response(query))
	if c.tx.status == txOpen {
		c.tx.status = txFailed
	}
	c.closed = c.closed || f.fatal
	return c.wire.flush()
}

// errGone ends the statement of a client that hung up.
var errGone = &Error{State: stateConnection, Message: "the client hung up", fatal: true}

// limited returns the context of one statement: it ends when the client cancels it, when its time is over, or when the server ends.
func (c *session) limited(work context.Context) (context.Context, func()) {
	limit := c.server.opts.StatementTime
	if c.timeout > 0 {
		limit = min(limit, c.timeout)
	}
	ctx, stop := context.WithCancelCause(work)
	ctx, release := context.WithTimeoutCause(ctx, limit, failf(stateCanceled, "canceling statement due to statement timeout"))
	c.key.Running(stop)
	unwatch := c.wire.watch(func() { stop(errGone) })
	return ctx, func() {
		unwatch()
		c.key.Running(nil)
		release()
		stop(nil)
	}
}

// leave sends the last message that the end demands.
func (c *session) leave(err error) {
	var f *Error
	switch {
	case err == nil:
		return
	case c.ending() && (isTimeout(err) || errors.Is(err, net.ErrClosed)):
		f = errShutdown
	case errors.As(err, &f):
	case isTimeout(err) && c.wire.left > 0:
		f = failf(stateConnection, "a message did not arrive in time")
	case isTimeout(err) && c.tx.status != txIdle:
		f = failf(stateIdleInTx, "terminating connection due to idle-in-transaction timeout")
	case isTimeout(err):
		f = failf(stateIdleSession, "terminating connection due to idle-session timeout")
	case errors.Is(err, errTooLong):
		f = failf(stateTooLarge, "a message is longer than %d MB", c.server.opts.MessageBytes>>20).hinted("work in smaller batches, or raise --message-size")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return
	default:
		f = failf(stateProtocol, "a message could not be read")
	}
	c.server.opts.Log.Info("session ended", "user", Printable(c.who.user), "from", c.who.addr, "why", f.Message)
	c.wire.proto.Send(closing(f))
	_ = c.wire.flush() // it is closed anyway
}
