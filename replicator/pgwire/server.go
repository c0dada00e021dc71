package pgwire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/cancel"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
)

// Server answers clients that speak PostgreSQL's protocol.
type Server struct {
	opts     Options
	budget   *budget
	tables   []Table
	cancels  *cancel.Keys
	guard    *login.Guard
	lobby    *login.Lobby
	turns    *login.Turns
	sessions chan struct{} // a place for each client that may be logged in
}

// NewServer returns a server, or an error that says which option is wrong.
func NewServer(o Options) (*Server, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fault.New("start", err, "")
	}
	return &Server{
		opts: o, budget: &budget{limit: o.Memory, gauge: o.Metrics.held}, tables: o.Desk.Tables(),
		cancels: cancel.NewKeys(errUserCancel), guard: login.NewGuard(), turns: login.NewTurns(),
		lobby: login.NewLobby(o.Pending, o.PendingEach, time.Now), sessions: make(chan struct{}, o.Sessions),
	}, nil
}

// Metrics returns what the server counts.
func (s *Server) Metrics() *Metrics { return s.opts.Metrics }

// Listen listens on an address. One that other machines reach needs a certificate, since notes would cross the network in the clear.
func (s *Server) Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}}).
		Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fault.New("listen on "+addr, err, "choose another address with --listen")
	}
	if s.opts.TLS == nil && !s.opts.Plaintext && !local(l.Addr()) {
		return nil, errors.Join(fault.New("listen on "+addr, errors.New("other machines could connect, and notes would cross the network in the clear"),
			"name a certificate with --tls-cert and --tls-key, or say --plaintext where the network is encrypted otherwise"), l.Close())
	}
	return l, nil
}

// local reports whether only this machine reaches an address.
func local(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Serve answers clients until ctx is done. Then statements that run have a grace period, idle clients get an error that ends them, and everything is
// closed.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	sessions := &errgroup.Group{}
	stopped := context.AfterFunc(ctx, func() {
		_ = l.Close() // ends accept
		timer := time.AfterFunc(s.opts.Grace, func() { cancel(errShutdown) })
		context.AfterFunc(work, func() { timer.Stop() })
	})
	defer stopped()
	err := s.accept(ctx, work, l, sessions)
	if err != nil {
		cancel(errShutdown)
	}
	return errors.Join(err, sessions.Wait())
}

// Reload reads users and certificate again. What can't be read stays as it is.
func (s *Server) Reload() error {
	err := s.opts.Users.Reload()
	if s.opts.TLS != nil {
		err = errors.Join(err, s.opts.TLS.Reload())
	}
	return err
}

var errShutdown = &Error{State: stateShutdown, Message: "terminating connection due to administrator command", fatal: true}

// acceptPause is how long to wait after an error that may go away, such as too many open files.
const acceptPause = 50 * time.Millisecond

func (s *Server) accept(ctx, work context.Context, l net.Listener, g *errgroup.Group) error {
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // the listener was closed on purpose
			}
			var ne net.Error
			if !errors.As(err, &ne) || errors.Is(err, net.ErrClosed) {
				return fault.New("accept connections", err, "")
			}
			s.opts.Log.Warn("a connection could not be accepted", "error", err)
			time.Sleep(acceptPause)
			continue
		}
		until, cancel := context.WithTimeout(ctx, s.opts.LoginTime)
		place := s.lobby.Enter(c, cancel)
		if place == nil {
			cancel()
			s.opts.Metrics.connections.WithLabelValues("too_many").Inc()
			s.turnAway(c)
			continue
		}
		g.Go(func() error {
			s.handle(ctx, until, work, place)
			return nil
		})
	}
}

// turnAway closes a connection that there is no place for, without waiting for it.
func (s *Server) turnAway(c net.Conn) {
	_ = c.SetWriteDeadline(time.Now().Add(acceptPause)) // the close below is what counts
	f := failf(stateTooMany, "sorry, too many clients are logging in")
	f.fatal = true
	if b, err := f.response("").Encode(nil); err == nil && s.opts.TLS == nil {
		_, _ = c.Write(b)
	}
	_ = c.Close()
}

// handle serves one connection from its first byte to its last. The client must have logged in before until is done.
func (s *Server) handle(stop, until, work context.Context, place *login.Guest) {
	c := place.Conn
	defer s.lobby.Leave(place)
	defer place.Cancel()
	defer func() { _ = c.Close() }() // nothing can be done about it
	defer func() {
		if v := recover(); v != nil {
			s.opts.Metrics.panics.Inc()
			s.opts.Log.Error("a fault of the program ended a session", "kind", fmt.Sprintf("%T", v), "at", places()) // what v says may quote a text
		}
	}()
	// The end of the grace period finds connections that wait for their clients.
	defer context.AfterFunc(work, func() { _ = c.Close() })()
	w, who := s.welcome(until, place)
	defer w.close()
	if who == nil {
		return
	}
	select {
	case s.sessions <- struct{}{}:
	default:
		s.refuse(w, "too_many", failf(stateTooMany, "sorry, too many clients already").hinted("raise --sessions"))
		return
	}
	defer func() { <-s.sessions }()
	s.lobby.Leave(place)
	s.opts.Metrics.sessions.Inc()
	defer s.opts.Metrics.sessions.Dec()
	s.opts.Metrics.connections.WithLabelValues("logged_in").Inc()
	s.session(stop, work, w, who)
}

// refuse sends a client the reason why it may not stay.
func (s *Server) refuse(w *wire, outcome string, f *Error) {
	s.opts.Metrics.connections.WithLabelValues(outcome).Inc()
	f.fatal = true
	w.proto.Send(f.response(""))
	_ = w.flush() // it is closed anyway
}

// places names the functions on the stack, without their arguments.
func places() []string {
	var pc [32]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(4, pc[:])])
	var list []string
	for {
		f, more := frames.Next()
		list = append(list, fmt.Sprintf("%s:%d", f.Function, f.Line))
		if !more {
			return list
		}
	}
}

// closing is what a client is sent when it has to go.
func closing(f *Error) pgproto3.BackendMessage {
	gone := *f
	gone.fatal = true
	return gone.response("")
}
