package source

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"golang.org/x/sync/errgroup"
)

// record is a sink that writes down what it is given.
type record struct {
	relations []string
	rows      []Transaction
	positions []pglogrepl.LSN
	between   []bool // the position is between transactions
	marks     []string
	err       error
}

func (r *record) Relation(m *pglogrepl.RelationMessage) error {
	r.relations = append(r.relations, m.RelationName)
	return r.err
}

func (r *record) Row(_ context.Context, _ pglogrepl.Message, of Transaction) error {
	r.rows = append(r.rows, of)
	return r.err
}

func (r *record) Position(_ context.Context, lsn pglogrepl.LSN, committed time.Time) error {
	r.positions, r.between = append(r.positions, lsn), append(r.between, committed.IsZero())
	return r.err
}

func (r *record) Passed(_ context.Context, mark string) error {
	r.marks = append(r.marks, mark)
	return r.err
}

func testStream(from pglogrepl.LSN) (*Stream, *record) {
	sink := &record{}
	return NewStream(Options{Sink: sink, From: from, Applied: &atomic.Uint64{}, Heard: &atomic.Int64{}}), sink
}

// xlog is a message of the logical decoding as it arrives.
func xlog(payload []byte) []byte {
	return append(append([]byte{'w'}, make([]byte, 3*8)...), payload...)
}

func begin(final uint64, xid uint32) []byte {
	data := append([]byte{'B'}, make([]byte, 20)...)
	binary.BigEndian.PutUint64(data[1:], final)
	binary.BigEndian.PutUint32(data[17:], xid)
	return xlog(data)
}

func commit(end uint64) []byte {
	data := append([]byte{'C'}, make([]byte, 25)...)
	binary.BigEndian.PutUint64(data[10:], end)
	binary.BigEndian.PutUint64(data[18:], 1)
	return xlog(data)
}

// insert is a row of one column that is NULL.
func insert() []byte { return xlog([]byte{'I', 0, 0, 0, 7, 'N', 0, 1, 'n'}) }

func relationMessage(name string) []byte {
	data := append([]byte{'R', 0, 0, 0, 7, 'e', 0}, name...)
	return xlog(append(data, 0, 'd', 0, 0))
}

func keepalive(end uint64) []byte {
	data := append([]byte{'k'}, make([]byte, 17)...)
	binary.BigEndian.PutUint64(data[1:], end)
	return data
}

// decode passes messages through Decode.
func decode(t *testing.T, s *Stream, messages ...[]byte) error {
	t.Helper()
	g, ctx := errgroup.WithContext(t.Context())
	g.Go(func() error { return s.Decode(ctx) })
	g.Go(func() error {
		defer close(s.raw)
		for _, m := range messages {
			select {
			case s.raw <- m:
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	})
	return g.Wait()
}

// Nothing is confirmed before the replica holds something, and then all three
// positions are the same: a zero would be filled in with another one.
func TestStatusUpdateIsTheAppliedPosition(t *testing.T) {
	t.Parallel()
	if _, ok := statusUpdate(0); ok {
		t.Error("a position of 0 is sent")
	}
	s, _ := testStream(0)
	if err := s.sendStatus(); err != nil { // without a connection: nothing may be sent
		t.Error(err)
	}
	u, ok := statusUpdate(42)
	if !ok || u.WALWritePosition != 42 || u.WALFlushPosition != 42 || u.WALApplyPosition != 42 || !u.ReplyRequested {
		t.Errorf("got %+v", u)
	}
}

// Only positions between transactions count, and none twice or backwards.
func TestPositionsOnlyMoveForwards(t *testing.T) {
	t.Parallel()
	s, sink := testStream(100)
	err := decode(
		t, s,
		keepalive(90),  // before the start
		keepalive(110), // counts
		begin(125, 5),
		keepalive(120), // within a transaction
		commit(130),
		keepalive(125), // was on its way
		keepalive(140),
	)
	if err != nil {
		t.Fatal(err)
	}
	if want := []pglogrepl.LSN{110, 130, 140}; !reflect.DeepEqual(sink.positions, want) {
		t.Errorf("positions %v, want %v", sink.positions, want)
	}
	if want := []bool{true, false, true}; !reflect.DeepEqual(sink.between, want) {
		t.Errorf("between transactions: %v, want %v", sink.between, want)
	}
}

func TestIdlePositionsKeepTheirDistance(t *testing.T) {
	t.Parallel()
	s, sink := testStream(100)
	s.IdleGap = time.Hour
	if err := decode(t, s, keepalive(110), keepalive(120), begin(125, 5), commit(130), keepalive(140)); err != nil {
		t.Fatal(err)
	}
	if want := []pglogrepl.LSN{110, 130}; !reflect.DeepEqual(sink.positions, want) {
		t.Errorf("positions %v, want %v", sink.positions, want)
	}
}

// A transaction that committed before the start is skipped whole, but its tables'
// descriptions are not: the server sends them once.
func TestAppliedTransactionsAreSkipped(t *testing.T) {
	t.Parallel()
	s, sink := testStream(100)
	err := decode(
		t, s,
		begin(99, 4), relationMessage("note"), insert(), commit(100),
		begin(100, 5), insert(), insert(), commit(101),
	)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sink.rows {
		sink.rows[i].Sent = time.Time{} // whose time zone is the machine's
	}
	if want := []Transaction{{XID: 5, Commit: 100}, {XID: 5, Commit: 100}}; !reflect.DeepEqual(sink.rows, want) {
		t.Errorf("rows of %v, want %v", sink.rows, want)
	}
	if want := []pglogrepl.LSN{101}; !reflect.DeepEqual(sink.positions, want) {
		t.Errorf("positions %v, want %v", sink.positions, want)
	}
	if want := []string{"note"}; !reflect.DeepEqual(sink.relations, want) {
		t.Errorf("relations %v, want %v", sink.relations, want)
	}
}

// A message that can't be read ends the stream: it is never skipped.
func TestWhatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for name, message := range map[string][]byte{
		"nothing": {}, "a short keepalive": {'k', 1}, "a short header": {'w', 1}, "no payload": xlog(nil),
		"an unknown kind": xlog([]byte{'?'}), "a cut row": xlog([]byte{'I', 0, 0}),
	} {
		s, sink := testStream(0)
		if err := decode(t, s, message); err == nil || len(sink.positions)+len(sink.rows) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsOfTheSinkEndTheStream(t *testing.T) {
	t.Parallel()
	for name, message := range map[string][]byte{"position": keepalive(7), "row": insert(), "relation": relationMessage("note"), "commit": commit(9)} {
		s, sink := testStream(0)
		sink.err = errors.New("full")
		if err := decode(t, s, message, keepalive(8)); !errors.Is(err, sink.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "''", "a": "'a'", "it's": "'it''s'", "''": "''''''"} {
		if got := Literal(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
