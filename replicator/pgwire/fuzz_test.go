package pgwire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// pipeConn is a connection whose client has said all that it will say, and hangs up
// once it has all its answers.
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

func fuzzServer(t testing.TB) *Server {
	t.Helper()
	s, err := NewServer(Options{
		Engine: &upperEngine{}, Users: fuzzUsers(t), Log: slog.New(slog.DiscardHandler), RefusalTime: time.Nanosecond,
		MessageBytes: 1 << 16, SessionMemory: 1 << 20, Memory: 1 << 21, LoginTime: time.Second, StatementTime: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fuzzUsers are those of testUsers, without a file.
func fuzzUsers(t testing.TB) *Users {
	t.Helper()
	list, err := parseUsers(strings.NewReader("staging:" + verifierOf(t, testPassword) + " " + allRights()))
	if err != nil {
		t.Fatal(err)
	}
	u := &Users{mock: testSecret}
	u.now.Store(list)
	return u
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

// Whatever a client that is logged in says, the session ends in order and holds
// nothing afterwards.
func FuzzSession(f *testing.F) {
	f.Add(encoded(&pgproto3.Query{String: "begin; declare c cursor for select deid_note from deidentify where patient_id = '1' and note = 'a'; fetch all from c"}))
	f.Add(encoded(&pgproto3.Parse{Query: "select note_id, deid_note from note_deid where note_id = any ($1::bigint[])"}, &pgproto3.Describe{ObjectType: 'S'},
		&pgproto3.Bind{Parameters: [][]byte{[]byte("{1,2}")}, ResultFormatCodes: []int16{1}}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{MaxRows: 1}, &pgproto3.Execute{}, &pgproto3.Sync{}))
	f.Add(encoded(&pgproto3.Parse{Name: "a", Query: "insert into inbox (job, item, note) values ($1, $2, $3) returning deid_note", ParameterOIDs: []uint32{25, 20, 25}},
		&pgproto3.Bind{PreparedStatement: "a", ParameterFormatCodes: []int16{0, 1, 0}, Parameters: [][]byte{[]byte("j"), {0, 0, 0, 0, 0, 0, 0, 9}, nil}}, &pgproto3.Execute{}, &pgproto3.Close{ObjectType: 'S', Name: "a"}, &pgproto3.Flush{}, &pgproto3.Sync{}))
	f.Add(encoded(&pgproto3.Parse{Query: "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $2"},
		&pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 'x'}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25}}}, &pgproto3.Execute{}, &pgproto3.Sync{}))
	f.Add(encoded(&pgproto3.Query{String: "select * from pg_catalog.pg_class"}, &pgproto3.FunctionCall{}, &pgproto3.CopyDone{}, &pgproto3.Terminate{}))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := fuzzServer(t)
		ctx, cancel := context.WithCancel(context.Background())
		collected := make(chan error, 1)
		go func() { collected <- s.collect.Run(ctx) }()
		w := newWire(&pipeConn{Reader: bytes.NewReader(in), out: &bytes.Buffer{}}, time.Second)
		s.session(context.Background(), ctx, w, &client{user: "staging", database: "x", addr: "fuzz"})
		cancel()
		if err := <-collected; err != nil {
			t.Error(err)
		}
		if held := s.budget.held.Load(); held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
		if len(s.cancels.keys) != 0 {
			t.Error("a key of the session is left")
		}
	})
}

// Whatever somebody says before login, nobody gets in.
func FuzzLogin(f *testing.F) {
	f.Add(startup("staging"))
	f.Add(append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, startup("staging")...))
	f.Add(append(startup("staging"), encoded(&pgproto3.SASLInitialResponse{AuthMechanism: scramMechanism, Data: []byte("n,,n=,r=abc")}, &pgproto3.SASLResponse{Data: []byte("c=biws,r=abc,p=AAAA")})...))
	f.Add(append([]byte{0, 0, 0, 16, 4, 210, 22, 46}, 0, 0, 0, 1, 0, 0, 0, 2))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := fuzzServer(t)
		if _, who := s.welcome(t.Context(), &guest{conn: &pipeConn{Reader: bytes.NewReader(in), out: &bytes.Buffer{}}}); who != nil {
			t.Error("somebody got in")
		}
	})
}

func FuzzScram(f *testing.F) {
	f.Add("n,,n=,r=abc", "c=biws,r=abcX,p=AAAA")
	f.Add("y,,n=x,r=", ",p=")
	f.Fuzz(func(t *testing.T, first, last string) {
		s := scram{v: fuzzUsers(t).verifier("staging")}
		if _, err := s.start(first, "X"); err != nil {
			return
		}
		if _, err := s.finish(last); err == nil {
			t.Error("a proof was guessed")
		}
	})
}

// What decode takes, encode writes again, and an array is read as it was written.
func FuzzValues(f *testing.F) {
	f.Add([]byte(`{a,"b c",NULL}`), int16(0), oidTextArray)
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 255, 255, 255, 255}, int16(1), oidTextArray)
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 9}, int16(1), oidInt8)
	f.Fuzz(func(t *testing.T, raw []byte, format int16, oid uint32) {
		d, err := decode(raw, format, oid)
		if err != nil {
			return
		}
		b, held := testEnv().budget, int64(0)
		list, err := d.elements(b, &held)
		if err != nil {
			return
		}
		again, err := textDatum(listDatum(list).string()).elements(b, &held)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%d elements became %d: %v", len(list), len(again), err)
		}
		for i := range list {
			if list[i].null != again[i].null || list[i].text != again[i].text {
				t.Errorf("element %d changed", i)
			}
		}
		if size := listDatum(list).size(); size > held+datumBytes+decodedSize(raw, format, oid) {
			t.Errorf("%d bytes, of which %d were accounted for", size, held)
		}
		if sent, err := encode(listDatum(list), oidTextArray, binaryFormat); err == nil {
			back, err := decode(sent, binaryFormat, oidTextArray)
			if err != nil || len(back.list) != len(list) {
				t.Errorf("%d elements became %d: %v", len(list), len(back.list), err)
			}
		}
	})
}
