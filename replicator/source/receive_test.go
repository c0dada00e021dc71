package source

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"
)

// server is the other end of a replication connection.
type server struct {
	conn     net.Conn
	statuses chan uint64 // the applied positions it was sent, whole messages only
	broken   error       // what ended its reading, if that was not the end between two messages
	gone     chan struct{}
}

func newServer(t *testing.T) (*server, *Stream) {
	t.Helper()
	client, far := net.Pipe()
	config, err := pgconn.ParseConfig("host=nowhere user=nobody")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgconn.Construct(&pgconn.HijackedConn{
		Conn: client, Frontend: pgproto3.NewFrontend(client, client), Config: config, TxStatus: 'I',
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{conn: far, statuses: make(chan uint64, 10000), gone: make(chan struct{})}
	var reading errgroup.Group
	reading.Go(s.read)
	t.Cleanup(func() {
		_ = client.Close()
		_ = reading.Wait()
		if s.broken != nil {
			t.Errorf("the source was sent half a message: %v", s.broken)
		}
	})
	return s, NewStream(Options{Conn: conn, Applied: &atomic.Uint64{}, Heard: &atomic.Int64{}})
}

func (s *server) read() error {
	defer close(s.gone)
	for {
		var head [5]byte
		if n, err := io.ReadFull(s.conn, head[:]); err != nil {
			if n > 0 {
				s.broken = err
			}
			return nil
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(s.conn, body); err != nil || head[0] != 'd' || len(body) != 34 {
			s.broken = io.ErrUnexpectedEOF
			return nil
		}
		s.statuses <- binary.BigEndian.Uint64(body[17:])
	}
}

// send sends a message of the logical decoding.
func (s *server) send(t *testing.T, kind byte) {
	t.Helper()
	data := append([]byte{'w'}, make([]byte, 3*8)...)
	buf, err := (&pgproto3.CopyData{Data: append(data, kind)}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.Write(buf); err != nil {
		t.Error(err)
	}
}

// With a queue that takes nothing statuses go on.
func TestStatusGoesOnWhileTheQueueIsFull(t *testing.T) {
	t.Parallel()
	src, s := newServer(t)
	s.Applied.Store(42)
	ctx, cancel := context.WithCancel(t.Context())
	var g errgroup.Group
	g.Go(func() error { return s.Receive(ctx, t.Context(), nil, time.Millisecond, time.Minute) })
	src.send(t, 'I') // it stays in s.raw
	for range 20 {
		if got := <-src.statuses; got != 42 {
			t.Errorf("position %d", got)
		}
	}
	cancel()
	if err := g.Wait(); err != context.Canceled { //nolint:errorlint // the very one
		t.Error(err)
	}
}

// A stop lets a transaction be received to its end, and the last status has what was
// applied in the meantime. Deadlines of statuses that pass in between change nothing.
func TestStopEndsBetweenTransactions(t *testing.T) {
	t.Parallel()
	src, s := newServer(t)
	s.Applied.Store(1)
	stop, halt := context.WithCancel(t.Context())
	ended := make(chan struct{})
	var g errgroup.Group
	g.Go(func() error { return s.Receive(t.Context(), stop, ended, time.Millisecond, time.Minute) })
	got := make(chan int)
	g.Go(func() error {
		n := 0
		for range s.raw {
			n++
		}
		s.Applied.Store(7) // the committer commits what was received
		got <- n
		close(ended)
		return nil
	})
	src.send(t, 'B')
	src.send(t, 'I')
	halt()
	for range 5 { // so that some deadlines pass
		<-src.statuses
	}
	src.send(t, 'I')
	src.send(t, 'C')
	if n := <-got; n != 4 {
		t.Errorf("%d messages of the transaction", n)
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := s.sendStatus(); err != nil {
		t.Fatal(err)
	}
	var last uint64
	_ = s.Conn.Conn().Close()
	<-src.gone
	close(src.statuses)
	for last = range src.statuses {
		continue
	}
	if last != 7 {
		t.Errorf("the last status has position %d", last)
	}
}

// Stops at any moment cut no status.
func TestStopCutsNoStatus(t *testing.T) {
	t.Parallel()
	for range 50 {
		src, s := newServer(t)
		s.Applied.Store(1)
		stop, halt := context.WithCancel(t.Context())
		ended := make(chan struct{})
		close(ended)
		var g errgroup.Group
		g.Go(func() error { return s.Receive(t.Context(), stop, ended, time.Microsecond, time.Minute) })
		<-src.statuses
		halt()
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}
