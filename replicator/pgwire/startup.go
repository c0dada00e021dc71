package pgwire

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/login"
)

// client is who logged in, and what it said about itself.
type client struct {
	user        string
	application string
	addr        string
	from        netip.Prefix
	secure      bool
	endTurn     func()            // lets the next password for the same name be checked
	params      map[string]string // settings of the startup message
}

// tlsFirstByte starts a TLS handshake: clients of PostgreSQL 17 and later may begin with it at once (sslnegotiation=direct).
const tlsFirstByte = 0x16

// welcome takes a connection to where its client has logged in, or returns no client.
func (s *Server) welcome(ctx context.Context, place *login.Guest) (*wire, *client) {
	c := place.Conn
	w := newWire(c, s.opts.LoginTime)
	// A client that sends its bytes too slowly is cut off when the time to log in is over.
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	who := &client{addr: c.RemoteAddr().String(), from: place.From, endTurn: func() {}}
	defer func() { who.endTurn() }()
	if err := s.awaitFirst(w, place); err != nil {
		s.opts.Metrics.connections.WithLabelValues("broken").Inc()
		return w, nil
	}
	msg, err := s.greet(ctx, w, who)
	if err != nil {
		s.opts.Metrics.connections.WithLabelValues("broken").Inc()
		s.opts.Log.Debug("a connection ended before login", "from", who.addr, "secure", who.secure)
		return w, nil
	}
	if msg == nil { // it cancelled something
		return w, nil
	}
	if f := s.admit(w, who, msg); f != nil {
		s.refuse(w, "refused", f)
		return w, nil
	}
	if err := s.authenticate(ctx, w, who); err != nil {
		s.loginFailed(ctx, w, who, err)
		return w, nil
	}
	return w, who
}

// greet reads up to the startup message: requests for encryption, or to cancel.
func (s *Server) greet(ctx context.Context, w *wire, who *client) (*pgproto3.StartupMessage, error) {
	if err := s.greetDirect(ctx, w, who); err != nil {
		return nil, err
	}
	for range 3 { // encryption of two kinds may be asked for
		msg, err := w.receiveStartup()
		if err != nil {
			return nil, err
		}
		switch m := msg.(type) {
		case *pgproto3.StartupMessage:
			return m, nil
		case *pgproto3.CancelRequest:
			outcome := "none"
			if s.cancels.Cancel(m.ProcessID, m.SecretKey) {
				outcome = "cancelled"
			}
			s.opts.Metrics.cancels.WithLabelValues(outcome).Inc()
			return nil, nil
		case *pgproto3.SSLRequest:
			if err := s.greetTLS(ctx, w, who); err != nil {
				return nil, err
			}
		default:
			if err := w.answerByte('N'); err != nil {
				return nil, err
			}
		}
	}
	return nil, errors.New("too many requests before the startup message")
}

func (s *Server) greetTLS(ctx context.Context, w *wire, who *client) error {
	if s.opts.TLS == nil || who.secure {
		return w.answerByte('N')
	}
	if w.in.Buffered() > 0 {
		return errStuffed
	}
	if err := w.answerByte('S'); err != nil {
		return err
	}
	who.secure = true
	return w.encrypt(ctx, s.opts.TLS, false)
}

// awaitFirst waits for a client's first byte, which comes at once from one that means it.
func (s *Server) awaitFirst(w *wire, place *login.Guest) error {
	if err := w.deadline(min(s.opts.FirstTime, s.opts.LoginTime)); err != nil {
		return err
	}
	if _, err := w.in.Peek(1); err != nil {
		return err
	}
	s.lobby.Heard(place)
	return w.deadline(s.opts.LoginTime)
}

// greetDirect begins with TLS where the client does.
func (s *Server) greetDirect(ctx context.Context, w *wire, who *client) error {
	first, err := w.in.Peek(1)
	if err != nil || first[0] != tlsFirstByte || s.opts.TLS == nil {
		return err
	}
	who.secure = true
	return w.encrypt(ctx, s.opts.TLS, true)
}

// admit looks at what a client says of itself before it is asked for a password.
func (s *Server) admit(w *wire, who *client, m *pgproto3.StartupMessage) *Error {
	who.user, who.params = m.Parameters["user"], map[string]string{}
	who.application = Printable(m.Parameters["application_name"])
	if !who.secure && !s.opts.Plaintext && !local(w.net.RemoteAddr()) {
		return failf(stateBadAuth, "connections from other machines must be encrypted").hinted("connect with sslmode=require, or better verify-full")
	}
	if who.user == "" || len(who.user) > 63 {
		return failf(stateBadAuth, "no user name specified in startup packet")
	}
	var unknown []string
	for name, value := range m.Parameters {
		switch {
		case strings.HasPrefix(name, "_pq_."):
			unknown = append(unknown, name)
		case name == "replication" && value != "false" && value != "off" && value != "0":
			return unsupported("replication", 0)
		case name == "user", name == "database", name == "replication", name == "options":
		default:
			who.params[strings.ToLower(name)] = value
		}
	}
	if f := options(m.Parameters["options"], who.params); f != nil {
		return f
	}
	if m.ProtocolVersion != pgproto3.ProtocolVersion30 || len(unknown) > 0 {
		w.proto.Send(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: pgproto3.ProtocolVersion30, UnrecognizedOptions: unknown})
	}
	return nil
}

// options reads "-c name=value" and "--name=value".
func options(s string, into map[string]string) *Error {
	words := strings.Fields(s)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "-c" && i+1 < len(words) {
			i++
			word = words[i]
		} else {
			word = strings.TrimPrefix(strings.TrimPrefix(word, "-c"), "--")
		}
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return failf(stateProtocol, "options must be of the form -c name=value")
		}
		into[strings.ToLower(strings.ReplaceAll(name, "-", "_"))] = value
	}
	return nil
}

// Printable returns a name as logs may show it.
func Printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 63)]
}
