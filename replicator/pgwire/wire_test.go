package pgwire

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

func TestWrongPasswords(t *testing.T) {
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

// Users that do not exist look like those that do, after a restart too: same mechanism, same
// number of iterations, a salt that stays and that can't be foreseen without the secret.
func TestUnknownUsersLookLikeOthers(t *testing.T) {
	seen := func(secret []byte, name string) string {
		t.Helper()
		u := usersFrom(t, secret, "staging:"+verifierOf(t, testPassword), "other:"+verifierOf(t, testPassword),
			"old:SCRAM-SHA-256$4096:YQ==$"+strings.Repeat("A", 43)+"=:"+strings.Repeat("A", 43)+"=")
		first, err := (&scram{v: u.verifier(name)}).start("n,,n=,r=client", "server")
		if err != nil {
			t.Fatal(err)
		}
		return first
	}
	here := seen(testSecret, "nobody")
	if again := seen(testSecret, "nobody"); again != here {
		t.Errorf("a restart changes %q to %q", here, again)
	}
	if len(here) != len(seen(testSecret, "staging")) || !strings.HasSuffix(here, ",i=64") {
		t.Errorf("it does not look like a user: %q", here)
	}
	for _, other := range []string{seen(testSecret, "someone"), seen(bytes.Repeat([]byte{8}, 32), "nobody")} {
		if other == here {
			t.Error("the salt can be foreseen")
		}
	}
	if _, err := LoadUsers(writeUsers(t, "staging:"+verifierOf(t, "x")), nil); err == nil {
		t.Error("no secret is needed")
	}
}

func TestUsersFile(t *testing.T) {
	path := t.TempDir() + "/users"
	line := "a:" + verifierOf(t, "x")
	for _, c := range []struct {
		text string
		mode os.FileMode
		ok   bool
	}{
		{line, 0o600, true},
		{line, 0o640, false},
		{"", 0o600, false},
		{line + "\n" + line, 0o600, false},
		{"a:secret", 0o600, false},
		{"a:SCRAM-SHA-256$0:YQ==$YQ==:YQ==", 0o600, false},
		{"a:SCRAM-SHA-256$4096:YQ==$YQ==:YQ==", 0o600, false},
		{"# nobody", 0o600, false},
		{line + " steward tables=detect,note_deid notes=0 patients=5 spans=100", 0o600, true},
		{line + " tables=", 0o600, false},
		{line + " tables=secret", 0o600, false},
		{line + " notes=-1", 0o600, false},
		{line + " notes", 0o600, false},
		{line + " secret", 0o600, false},
	} {
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := LoadUsers(path, testSecret)
		if (err == nil) != c.ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q, mode %o: %v", c.text, c.mode, err)
		}
	}
}

func TestTLS(t *testing.T) {
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
		if err := conn.Ping(t.Context()); err != nil {
			t.Error(err)
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
	cert, _ := testCertificate(t)
	s := serve(t, func(o *Options) { o.TLS = cert })
	c := s.dial(t)
	c.write(append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, startup("staging")...))
	if got := c.rest(); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestPlaintextForOthers(t *testing.T) {
	o := Options{Engine: &upperEngine{}, Users: testUsers(t)}
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
	s := serve(t, nil)
	query, err := (&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = 'x'"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := s.dial(t)
	c.write(append(startup("staging"), query...))
	got := string(c.rest())
	if strings.Contains(got, "1:X") || s.engine.asked() != 0 || !strings.Contains(got, scramMechanism) {
		t.Errorf("%q", got)
	}
}

func TestHostileBytes(t *testing.T) {
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
			conn := s.connect(t, "").PgConn().Conn()
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
	if err := conn.Ping(t.Context()); err != nil {
		t.Errorf("the session after it was refused memory: %v", err)
	}
}

func TestMemoryIsGivenBack(t *testing.T) {
	s := serve(t, nil)
	for range 3 {
		conn := s.connect(t, "")
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		big := strings.Repeat("x", 1<<20)
		for range 5 {
			if _, err := tx.Exec(t.Context(), "insert into inbox (job, note) values ('j', $1)", big); err != nil {
				t.Fatal(err)
			}
		}
		if held := s.server.budget.held.Load(); held < 5<<20 {
			t.Errorf("%d bytes are held for 5 MB", held)
		}
		if _, err := tx.Exec(t.Context(), "declare c cursor for select deid_note from deidentify where patient_id = $1 and note = $2", "1", big); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); s.server.budget.held.Load() != 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if held := s.server.budget.held.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

func TestInboxIsBounded(t *testing.T) {
	s := serve(t, func(o *Options) { o.MessageBytes, o.SessionMemory = 1<<20, 4<<20 })
	conn := s.connect(t, "")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err = tx.Exec(t.Context(), "insert into inbox (job, note) values ('j', $1)", strings.Repeat("x", 400<<10)); err != nil {
			break
		}
	}
	wantState(t, err, stateNoMemory)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 20 { // and outside of transactions, where DELETE makes room
		if _, err := conn.Exec(t.Context(), "insert into inbox (job, note) values ('j', $1)", strings.Repeat("x", 400<<10)); err != nil {
			t.Fatalf("after the rollback: %v", err)
		}
		if tag, err := conn.Exec(t.Context(), "delete from outbox where job = any ('{i,j}')"); err != nil || tag.RowsAffected() != 1 {
			t.Fatalf("%s, %v", tag, err)
		}
	}
}

func TestTooManySessions(t *testing.T) {
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

// A thousand connections that say nothing keep nobody out for longer than the time to
// log in, and cost little.
func TestThousandConnections(t *testing.T) {
	s := serve(t, func(o *Options) { o.LoginTime, o.Pending = time.Second, 50 })
	before := runtime.NumGoroutine()
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
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+20 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+20 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// A client that trickles its bytes in is cut off, before and after login.
func TestSlowClients(t *testing.T) {
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
	conn := s.connect(t, "").PgConn().Conn()
	if _, err := conn.Write([]byte{'Q', 0, 0, 1, 0, 's'}); err != nil {
		t.Fatal(err)
	}
	if got := (&raw{t, conn}).rest(); !strings.Contains(string(got), stateConnection) {
		t.Errorf("%q", got)
	}
}

// A client that does not take what it asked for is given up.
func TestClientThatDoesNotRead(t *testing.T) {
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
	s := serve(t, nil)
	conn := s.connect(t, "")
	if _, err := conn.Exec(t.Context(), "set idle_session_timeout = 50"); err != nil {
		t.Fatal(err)
	}
	if got := (&raw{t, conn.PgConn().Conn()}).rest(); !strings.Contains(string(got), stateIdleSession) {
		t.Errorf("%q", got)
	}
	conn = s.connect(t, "options='-c idle_in_transaction_session_timeout=50'")
	if _, err := conn.Exec(t.Context(), "begin"); err != nil {
		t.Fatal(err)
	}
	if got := (&raw{t, conn.PgConn().Conn()}).rest(); !strings.Contains(string(got), stateIdleInTx) {
		t.Errorf("%q", got)
	}
}

func TestShutdown(t *testing.T) {
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
	for s.engine.asked() == 0 {
		time.Sleep(time.Millisecond)
	}
	s.stop()
	if got := (&raw{t, idle.PgConn().Conn()}).rest(); !strings.Contains(string(got), stateShutdown) {
		t.Errorf("an idle client is told %q", got)
	}
	var n int
	if err := open.QueryRow(t.Context(), "select 1").Scan(&n); err != nil {
		t.Errorf("a transaction has no grace: %v", err)
	}
	if err := <-failed; err == nil {
		t.Error("a statement outlived the grace period")
	}
	s.end(t)
	if _, err := pgx.Connect(t.Context(), s.dsn("")); err == nil {
		t.Error("it still takes connections")
	}
}

// The audit log says who asked for how much, once for a transaction.
func TestAudit(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "application_name=nightly")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := tx.Exec(t.Context(), "select deid_note, reason from deidentify where patient_id = '1' and note = $1", []string{"Smith", "leak", "x"}[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := s.log.String()
	want := []string{"user=staging", "application=nightly", "table=deidentify", "notes=2", fmt.Sprint("bytes=", len("Smith")+len("leak")+len("x")), "refused=1"}
	for _, w := range want {
		if !strings.Contains(log, w) {
			t.Errorf("%q is not in the log: %s", w, log)
		}
	}
	if strings.Contains(log, "Smith") || strings.Count(log, "msg=asked") != 1 {
		t.Errorf("the log: %s", log)
	}
}

// A statement ends when its client hangs up.
func TestClientThatHangsUp(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	msg := encoded(&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = 'wait'"})
	if _, err := conn.PgConn().Conn().Write(msg); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the engine is not asked", func() bool { return s.engine.asked() == 1 })
	if err := conn.PgConn().Conn().Close(); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the session is kept", func() bool { return len(s.server.sessions) == 0 })
}
