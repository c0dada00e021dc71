package pgwire

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// session is one client's conversation after login. It belongs to one goroutine.
type session struct {
	*env
	server *Server
	wire   *wire
	who    *client
	key    *cancelKey
	stop   <-chan struct{} // closed when the server ends

	tx         transaction
	cursors    map[string]*cursor
	statements map[string]*prepared
	portals    map[string]*portal
	skipping   bool // until Sync, after an error of the extended protocol
	closed     bool // the client has to go
}

// session talks with a client until one of them has enough.
func (s *Server) session(stop, work context.Context, w *wire, who *client) {
	key, err := s.cancels.add()
	if err != nil {
		s.opts.Log.Error("no key to cancel with", "error", err)
		return
	}
	defer s.cancels.remove(key)
	c := s.newSession(stop.Done(), w, who, key)
	defer c.budget.end()
	defer c.audit()
	w.budget, w.messageMax, w.messageTime = c.budget, s.opts.MessageBytes, s.opts.MessageTime
	w.proto.SetMaxBodyLen(s.opts.MessageBytes)
	// Clients that wait, outside of a transaction, are told at once that the server ends.
	defer context.AfterFunc(stop, func() { _ = w.net.SetReadDeadline(time.Now()) })()
	if err := c.greet(); err == nil {
		err = c.converse(work)
		c.leave(err)
	}
	for _, cur := range c.cursors {
		cur.close()
	}
}

func (s *Server) newSession(stop <-chan struct{}, w *wire, who *client, key *cancelKey) *session {
	return &session{
		env: &env{
			engine: s.opts.Engine, tables: s.tables, user: who.user, addr: who.addr, database: who.database, version: s.opts.Version, pid: key.pid,
			account:  &account{user: who.user, users: s.opts.Users, limits: s.opts.Limits, quotas: s.quotas},
			settings: newSettings(who.user), budget: &sessionBudget{all: s.budget, limit: s.opts.SessionMemory},
			metrics: s.opts.Metrics, log: s.opts.Log, tally: map[*table]*counts{}, now: time.Now,
		},
		server: s, wire: w, who: who, key: key, stop: stop, tx: transaction{status: txIdle},
		cursors: map[string]*cursor{}, statements: map[string]*prepared{}, portals: map[string]*portal{},
	}
}

// greet tells the client what it has to know.
func (c *session) greet() error {
	for name, value := range c.who.params {
		if err := c.settings.set(name, value); err != nil {
			err.fatal = true
			c.wire.proto.Send(err.response(""))
			return errors.Join(err, c.wire.flush())
		}
	}
	for _, name := range reported {
		if v, ok := c.settings.get(name); ok {
			c.report(name, v)
		}
	}
	c.wire.proto.Send(&pgproto3.BackendKeyData{ProcessID: c.key.pid, SecretKey: c.key.secret[:]})
	return c.ready()
}

// report tells the client the value of a setting.
func (c *session) report(name, value string) {
	if as := reportedAs[name]; as != "" {
		name = as
	}
	c.wire.proto.Send(&pgproto3.ParameterStatus{Name: name, Value: value})
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
		var refused *failure
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
	limit, own := c.server.opts.IdleTime, c.settings.timeout("idle_session_timeout")
	if c.tx.status != txIdle {
		limit, own = c.server.opts.IdleInTx, c.settings.timeout("idle_in_transaction_session_timeout")
	}
	if own > 0 {
		limit = min(limit, own)
	}
	return limit
}

// refused answers a message that there was no room for.
func (c *session) refused(why *failure) error {
	if c.skipping {
		return nil
	}
	c.fail(why, "")
	if c.wire.kind == 'Q' {
		return c.ready()
	}
	c.skipping = true
	return nil
}

// answer handles one message.
func (c *session) answer(work context.Context, msg pgproto3.FrontendMessage) error {
	if _, ok := msg.(*pgproto3.Sync); ok {
		c.skipping = false
		c.endImplicit()
		return c.ready()
	}
	if _, ok := msg.(*pgproto3.Terminate); ok {
		c.closed = true
		return nil
	}
	if c.skipping {
		return nil
	}
	switch m := msg.(type) {
	case *pgproto3.Query:
		return c.simple(work, m.String)
	case *pgproto3.Flush:
		return c.wire.flush()
	case *pgproto3.Parse:
		return c.extended(c.parse(m), m.Query)
	case *pgproto3.Bind:
		return c.extended(c.bind(m), "")
	case *pgproto3.Describe:
		return c.extended(c.describe(m), "")
	case *pgproto3.Execute:
		return c.execute(work, m)
	case *pgproto3.Close:
		c.closeMessage(m)
		return nil
	case *pgproto3.FunctionCall:
		c.fail(failf(stateUnsupported, "function calls by the protocol are not supported"), "")
		return c.ready()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // left over from a COPY that was refused
	}
	return failf(stateProtocol, "unexpected message")
}

// extended reports an error of a message of the extended protocol: what follows is
// passed over until Sync.
func (c *session) extended(err *failure, query string) error {
	if err != nil {
		c.fail(err, query)
		c.skipping = true
	}
	return nil
}

// fail tells the client of an error and marks the transaction.
func (c *session) fail(f *failure, query string) {
	c.metrics.statements.WithLabelValues("failed").Inc()
	c.wire.proto.Send(f.response(query))
	if c.tx.status == txOpen {
		c.tx.status = txFailed
	}
	if c.tx.status == txIdle {
		c.rollbackImplicit()
	}
	if f.fatal {
		c.closed = true
	}
}

// leave says good-bye as the end demands it.
func (c *session) leave(err error) {
	var f *failure
	switch {
	case err == nil:
		_ = c.wire.flush() // a last error, if there was one
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
	c.server.opts.Log.Info("session ended", "user", tame(c.user), "from", c.who.addr, "why", f.message)
	c.wire.proto.Send(closing(f))
	_ = c.wire.flush() // it is closed anyway
}
