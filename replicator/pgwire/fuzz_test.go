package pgwire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/scram"
)

// pipeConn is a connection whose client has said all that it will say, and hangs up once it has all its answers.
type pipeConn struct {
	io.Reader

	out      *bytes.Buffer
	watching atomic.Bool // during a statement
}

func (p *pipeConn) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if errors.Is(err, io.EOF) && p.watching.Load() {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}

func (p *pipeConn) SetReadDeadline(at time.Time) error {
	p.watching.Store(at.IsZero())
	return nil
}

func (p *pipeConn) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p *pipeConn) Close() error                { return nil }
func (p *pipeConn) LocalAddr() net.Addr         { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p *pipeConn) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
func (p *pipeConn) SetDeadline(time.Time) error      { return nil }
func (p *pipeConn) SetWriteDeadline(time.Time) error { return nil }

func fuzzServer(t testing.TB, users *login.Users[login.Rights]) *Server {
	t.Helper()
	s, err := NewServer(Options{
		Desk: &upperDesk{}, Users: users, Log: slog.New(slog.DiscardHandler), RefusalTime: time.Nanosecond,
		MessageBytes: 1 << 16, SessionMemory: 1 << 20, Memory: 1 << 21, LoginTime: time.Second, StatementTime: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever a client that is logged in says, the session ends in order and holds nothing afterwards.
func FuzzSession(f *testing.F) {
	users := testUsers(f)
	f.Add(encoded(&pgproto3.Query{String: "begin; declare c cursor for " + one + "; fetch 2 from c; move backward all in c"}))
	f.Add(encoded(&pgproto3.Parse{Query: "select note_id, deid_note from note_deid where note_id = any ($1::text[])"}, &pgproto3.Describe{ObjectType: 'S'},
		&pgproto3.Bind{Parameters: [][]byte{[]byte("{1,2}")}}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}))
	f.Add(encoded(&pgproto3.Query{String: "begin"}, &pgproto3.Parse{Name: "a", Query: "insert into inbox (job, item, note) values ($1, $2, $3)"},
		&pgproto3.Bind{PreparedStatement: "a", Parameters: [][]byte{[]byte("j"), []byte("9"), nil}}, &pgproto3.Execute{}, &pgproto3.Flush{}, &pgproto3.Sync{},
		&pgproto3.Query{String: "savepoint a; delete from inbox; rollback to savepoint a; select * from outbox where job = 'j' order by item"}))
	f.Add(encoded(&pgproto3.Parse{Query: "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $2"},
		&pgproto3.Bind{Parameters: [][]byte{[]byte(`{1,"2"}`), []byte(`{"a\"b",NULL}`)}}, &pgproto3.Execute{}, &pgproto3.Sync{}))
	f.Add(encoded(&pgproto3.Query{String: "select * from pg_catalog.pg_class"}, &pgproto3.FunctionCall{}, &pgproto3.CopyDone{}, &pgproto3.Terminate{}))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := fuzzServer(t, users)
		w := newWire(&pipeConn{Reader: bytes.NewReader(in), out: &bytes.Buffer{}}, time.Second)
		s.session(context.Background(), context.Background(), w, &client{user: "staging", addr: "fuzz"})
		if held := s.budget.held.Load(); held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
		if s.cancels.Len() != 0 {
			t.Error("a key of the session is left")
		}
	})
}

// Whatever a client says before login, it does not get in.
func FuzzLogin(f *testing.F) {
	users := testUsers(f)
	f.Add(startup("staging"))
	f.Add(append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, startup("staging")...))
	f.Add(append(startup("staging"), encoded(&pgproto3.SASLInitialResponse{AuthMechanism: scram.Mechanism, Data: []byte("n,,n=,r=abc")}, &pgproto3.SASLResponse{Data: []byte("c=biws,r=abc,p=AAAA")})...))
	f.Add(append([]byte{0, 0, 0, 16, 4, 210, 22, 46}, 0, 0, 0, 1, 0, 0, 0, 2))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := fuzzServer(t, users)
		if _, who := s.welcome(t.Context(), &login.Guest{Conn: &pipeConn{Reader: bytes.NewReader(in), out: &bytes.Buffer{}}}); who != nil {
			t.Error("it got in")
		}
	})
}
