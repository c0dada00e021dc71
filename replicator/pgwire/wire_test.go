package pgwire

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/scram"
)

func TestWrongPasswords(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	for _, c := range []struct{ user, password string }{{"staging", "wrong"}, {"nobody", testPassword}, {"nobody", ""}, {"staging", ""}} {
		dsn := strings.Replace(s.dsn(""), testPassword, c.password, 1)
		_, err := pgx.Connect(t.Context(), strings.Replace(dsn, "user=staging", "user="+c.user, 1))
		if c.password == "" { // pgx has nothing to say
			if err == nil {
				t.Errorf("%s got in without a password", c.user)
			}
			continue
		}
		wantState(t, err, stateBadPassword)
	}
	if log := s.log.String(); strings.Count(log, "login refused") < 2 || strings.Contains(log, testPassword) || strings.Contains(log, "wrong_") {
		t.Errorf("the log: %s", log)
	}
	s.connect(t, "")
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert, authority := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	dsn := strings.Replace(s.dsn(""), "sslmode=disable", "sslmode=verify-full sslrootcert="+authority, 1)
	for _, more := range []string{"", " sslnegotiation=direct", " channel_binding=disable"} {
		conn, err := pgx.Connect(t.Context(), dsn+more)
		if err != nil {
			t.Errorf("%q: %v", more, err)
			continue
		}
		state := conn.PgConn().Conn().(*tls.Conn).ConnectionState()
		if state.Version < tls.VersionTLS12 {
			t.Errorf("version %x", state.Version)
		}
		if got := ask(t, conn, "select deid_note from deidentify where patient_id = '1' and note = 'x'"); got != "1:X <SELECT 1>" {
			t.Error(got)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	old, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if _, err := old.Write([]byte{0, 0, 0, 8, 4, 210, 22, 47}); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 1)
	if _, err := io.ReadFull(old, answer); err != nil || answer[0] != 'S' {
		t.Fatalf("%q, %v", answer, err)
	}
	if err := tls.Client(old, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}).Handshake(); err == nil {
		t.Error("TLS 1.1 was taken")
	}
}

// What comes before the handshake is not taken for part of the session.
func TestBytesBeforeEncryption(t *testing.T) {
	t.Parallel()
	cert, _ := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	c := s.dial(t)
	c.write(append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, startup("staging")...))
	if got := c.rest(); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestPlaintextForOthers(t *testing.T) {
	t.Parallel()
	o := Options{Desk: &upperDesk{}, Users: testUsers(t)}
	s, err := NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := s.Listen(t.Context(), "0.0.0.0:0"); err == nil {
		_ = l.Close()
		t.Error("it listens for others without a certificate")
	}
}

// raw is a connection on which a test says what it wants.
type raw struct {
	t *testing.T
	net.Conn
}

func (s *serving) dial(t *testing.T) *raw {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &raw{t, c}
}

func (r *raw) write(b []byte) {
	r.t.Helper()
	if _, err := r.Write(b); err != nil {
		r.t.Log(err)
	}
}

// rest reads what the server says until it hangs up.
func (r *raw) rest() []byte {
	r.t.Helper()
	if err := r.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		r.t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if isTimeout(err) {
		r.t.Error("the server does not hang up")
	}
	return b
}

func startup(user string) []byte {
	b, err := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": user}}).Encode(nil)
	if err != nil {
		return nil
	}
	return b
}

// Nothing is answered before login but the demand for a password.
func TestNothingBeforeLogin(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	query, err := (&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = 'x'"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := s.dial(t)
	c.write(append(startup("staging"), query...))
	got := string(c.rest())
	if strings.Contains(got, "1:X") || s.desk.asked() != 0 || !strings.Contains(got, scram.Mechanism) {
		t.Errorf("%q", got)
	}
}

func TestHostileBytes(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.LoginTime, o.MessageTime = time.Second, time.Second })
	length := func(n uint32, more ...byte) []byte { return append(binary.BigEndian.AppendUint32(nil, n), more...) }
	for name, b := range map[string][]byte{
		"nothing":           nil,
		"a long startup":    length(0x7fffffff, 0, 3, 0, 0),
		"a negative length": length(0xffffffff, 0, 3, 0, 0),
		"a short length":    length(3, 0, 3, 0, 0),
		"version 2":         length(8, 0, 2, 0, 0),
		"half a startup":    startup("staging")[:10],
		"no user":           startup(""),
		"no NUL":            length(12, 0, 3, 0, 0, 'a', 'b', 'c', 'd'),
		"HTTP":              []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
		"a cancellation":    length(16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2),
		"a short one":       length(12, 4, 210, 22, 46, 0, 0, 0, 1),
		"many TLS requests": append(append(append(length(8, 4, 210, 22, 47), length(8, 4, 210, 22, 47)...), length(8, 4, 210, 22, 47)...), length(8, 4, 210, 22, 47)...),
		"a long password":   append(startup("staging"), append([]byte{'p'}, length(0x7fffffff)...)...),
		"an empty password": append(startup("staging"), append([]byte{'p'}, length(4)...)...),
		"another mechanism": append(startup("staging"), append([]byte{'p'}, length(4+7, 'P', 'L', 'A', 'I', 'N', 0, 0)...)...),
	} {
		t.Run(name, func(t *testing.T) {
			c := s.dial(t)
			c.write(b)
			if got := c.rest(); len(got) > 0 && got[0] != 'E' && got[0] != 'R' && got[0] != 'N' {
				t.Errorf("%q", got)
			}
		})
	}
	s.connect(t, "")
}

// Messages of a client that is logged in: too long, cut short, unknown.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) {
		o.MessageTime, o.MessageBytes, o.SessionMemory, o.Memory = time.Second, 1<<20, 2<<20, 3<<20
	})
	for name, b := range map[string][]byte{
		"too long":       {'Q', 0x7f, 0xff, 0xff, 0xff},
		"too short":      {'Q', 0, 0, 0, 3},
		"cut":            {'Q', 0, 0, 0, 50, 's'},
		"unknown":        {'?', 0, 0, 0, 4},
		"no end":         {'Q', 0, 0, 0, 6, 'a', 'b'},
		"bind":           {'B', 0, 0, 0, 8, 0, 0, 255, 255},
		"many formats":   {'B', 0, 0, 0, 10, 0, 0, 255, 255, 0, 0},
		"parse":          {'P', 0, 0, 0, 8, 0, 0, 255, 255},
		"empty describe": {'D', 0, 0, 0, 4},
		"empty execute":  {'E', 0, 0, 0, 4},
		"empty close":    {'C', 0, 0, 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			conn := hijack(t, s.connect(t, "")).Conn
			if _, err := conn.Write(b); err != nil {
				t.Fatal(err)
			}
			(&raw{t, conn}).rest()
		})
	}
	conn := s.connect(t, "")
	_, err := conn.Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = $1", strings.Repeat("x", 1<<20-100))
	if err != nil {
		wantState(t, err, stateNoMemory)
	}
	if got := ask(t, conn, ";"); got != "<>" {
		t.Errorf("the session after it was refused memory: %s", got)
	}
}

func TestTooManySessions(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.Sessions = 2 })
	a := s.connect(t, "")
	s.connect(t, "")
	_, err := pgx.Connect(t.Context(), s.dsn(""))
	wantState(t, err, stateTooMany)
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		c, err := pgx.Connect(t.Context(), s.dsn(""))
		if err == nil {
			_ = c.Close(t.Context())
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the place of a session that ended stays taken")
}

// A thousand connections that say nothing keep no client out for longer than the time to log in.
func TestThousandConnections(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.LoginTime, o.Pending = time.Second, 50 })
	var wg sync.WaitGroup
	for range 1000 {
		wg.Go(func() {
			c, err := net.Dial("tcp", s.addr)
			if err != nil {
				return
			}
			defer c.Close()
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			if _, err := io.ReadAll(c); isTimeout(err) {
				t.Error("a silent connection is kept")
			}
		})
	}
	wg.Wait()
	s.connect(t, "")
}

// A client that trickles its bytes in is cut off, before and after login.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.LoginTime, o.MessageTime = 500*time.Millisecond, 500*time.Millisecond })
	c := s.dial(t)
	go func() {
		for _, b := range startup("staging") {
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	c.rest()
	conn := hijack(t, s.connect(t, "")).Conn
	if _, err := conn.Write([]byte{'Q', 0, 0, 1, 0, 's'}); err != nil {
		t.Fatal(err)
	}
	if got := (&raw{t, conn}).rest(); !strings.Contains(string(got), stateConnection) {
		t.Errorf("%q", got)
	}
}

// A client that does not take what it asked for is given up.
func TestClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.MessageTime = time.Second })
	conn := s.connect(t, "")
	note := strings.Repeat("x", 4<<20)
	msg, err := (&pgproto3.Query{String: "select note, note, note, note, note from deidentify where patient_id = '1' and note = '" + note + "'"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.PgConn().Conn().Write(msg); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); len(s.server.sessions) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the session is kept")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestIdleSessions(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.IdleTime, o.IdleInTx = 50*time.Millisecond, 80*time.Millisecond })
	if got := (&raw{t, hijack(t, s.connect(t, "")).Conn}).rest(); !strings.Contains(string(got), stateIdleSession) {
		t.Errorf("%q", got)
	}
	conn := s.connect(t, "")
	do(t, conn, "begin")
	if got := (&raw{t, hijack(t, conn).Conn}).rest(); !strings.Contains(string(got), stateIdleInTx) {
		t.Errorf("%q", got)
	}
}

func TestShutdown(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.Grace = 300 * time.Millisecond })
	idle, busy, open := s.connect(t, ""), s.connect(t, ""), s.connect(t, "")
	failed := make(chan error, 1)
	go func() {
		_, err := busy.Exec(context.Background(), "select deid_note from deidentify where patient_id = '1' and note = 'wait'")
		failed <- err
	}()
	if _, err := open.Exec(t.Context(), "begin"); err != nil {
		t.Fatal(err)
	}
	for s.desk.asked() == 0 {
		time.Sleep(time.Millisecond)
	}
	s.stop()
	if got := (&raw{t, hijack(t, idle).Conn}).rest(); !strings.Contains(string(got), stateShutdown) {
		t.Errorf("an idle client is told %q", got)
	}
	if got := ask(t, open, "select deid_note from deidentify where patient_id = '1' and note = 'x'"); got != "1:X <SELECT 1>" {
		t.Errorf("a transaction has no grace: %s", got)
	}
	if err := <-failed; err == nil {
		t.Error("a statement outlived the grace period")
	}
	s.end(t)
	if _, err := pgx.Connect(t.Context(), s.dsn("")); err == nil {
		t.Error("it still takes connections")
	}
}

// A statement ends when its client hangs up.
func TestClientThatHangsUp(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	conn := s.connect(t, "")
	msg := encoded(&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = 'wait'"})
	if _, err := conn.PgConn().Conn().Write(msg); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the engine is not asked", func() bool { return s.desk.asked() == 1 })
	if err := conn.PgConn().Conn().Close(); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the session is kept", func() bool { return len(s.server.sessions) == 0 })
}

// encoded writes messages of a client.
func encoded(messages ...pgproto3.FrontendMessage) []byte {
	var b []byte
	for _, m := range messages {
		next, err := m.Encode(b)
		if err == nil {
			b = next
		}
	}
	return b
}

// secured is a connection that has turned to TLS, before login.
func (s *serving) secured(t *testing.T) net.Conn {
	t.Helper()
	c := s.dial(t)
	c.write([]byte{0, 0, 0, 8, 4, 210, 22, 47})
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return tls.Client(c, &tls.Config{InsecureSkipVerify: true})
}
