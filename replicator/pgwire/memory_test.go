package pgwire

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator"
)

// heldEngine keeps its answers back, so that all that is asked is in memory at once.
type heldEngine struct {
	upperEngine

	release chan struct{}
}

func (e *heldEngine) Ask(ctx context.Context, asked []replicator.Question) ([]replicator.Answer, error) {
	select {
	case <-e.release:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return make([]replicator.Answer, len(asked)), nil
}

// A thousand sessions with a question of 1 MB each: what there is room for waits, the
// others are refused, and the memory stays within its bound.
func TestMemoryOfThousandSessions(t *testing.T) {
	const sessions, room = 1000, 64 << 20
	e := &heldEngine{release: make(chan struct{})}
	s := serve(t, func(o *Options) {
		o.Engine, o.Sessions, o.Pending, o.SessionMemory, o.MessageBytes, o.Memory = e, sessions, sessions, 8<<20, 2<<20, room
	})
	conns := make([]*raw, sessions)
	for i := range conns {
		conns[i] = &raw{t, s.connect(t, "").PgConn().Conn()}
	}
	question, err := (&pgproto3.Query{String: "select deid_note from deidentify where patient_id = '1' and note = '" + strings.Repeat("x", 1<<20) + "'"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	var refused, answered atomic.Int64
	var g errgroup.Group
	for _, c := range conns {
		g.Go(func() error {
			if _, err := c.Write(question); err != nil {
				return err
			}
			got, err := untilReady(c)
			if bytes.Contains(got, []byte(stateNoMemory)) {
				refused.Add(1)
			} else if err == nil {
				answered.Add(1)
			}
			return err
		})
	}
	waiting := func() int64 { return s.server.budget.held.Load() / (1 << 20) }
	for deadline := time.Now().Add(30 * time.Second); refused.Load() < sessions-room/(2<<20) && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if grown := heap() - before; grown > 3*room || waiting() > room>>20 || waiting() < 1 {
		t.Errorf("%d MB more for %d MB that are accounted for", grown>>20, waiting())
	}
	close(e.release)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if refused.Load()+answered.Load() != sessions || answered.Load() == 0 {
		t.Errorf("%d refused, %d answered", refused.Load(), answered.Load())
	}
	for i := range 10 { // those that were refused may ask again
		if _, err := conns[i].Write(question); err != nil {
			t.Fatal(err)
		}
		if got, err := untilReady(conns[i]); err != nil || bytes.Contains(got, []byte(stateNoMemory)) {
			t.Errorf("afterwards: %.80q, %v", got, err)
		}
	}
}

// heap returns the bytes that are in use.
func heap() int64 {
	// What lies in a sync.Pool outlives one collection, though nothing holds it.
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// untilReady reads messages up to ReadyForQuery.
func untilReady(c *raw) ([]byte, error) {
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	var got []byte
	part := make([]byte, 4<<10)
	for !bytes.HasSuffix(got, []byte{'Z', 0, 0, 0, 5, 'I'}) {
		n, err := c.Read(part)
		if got = append(got, part[:n]...); err != nil {
			return got, err
		}
	}
	return got, nil
}
