package replicator

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
)

// Nothing is confirmed before the replica holds something, and then all three
// positions are the same: a zero would be filled in with another one.
func TestStatusUpdateIsTheAppliedPosition(t *testing.T) {
	if _, ok := statusUpdate(0); ok {
		t.Error("a position of 0 is sent")
	}
	s := &stream{applied: &atomic.Uint64{}}
	if err := s.sendStatus(); err != nil { // without a connection: nothing may be sent
		t.Error(err)
	}
	u, ok := statusUpdate(42)
	if !ok || u.WALWritePosition != 42 || u.WALFlushPosition != 42 || u.WALApplyPosition != 42 || !u.ReplyRequested {
		t.Errorf("got %+v", u)
	}
}

func testStream(from pglogrepl.LSN) (*stream, *[]pglogrepl.LSN) {
	var marks []pglogrepl.LSN
	return &stream{from: from, put: func(_ context.Context, it *item) error {
		marks = append(marks, it.mark.lsn)
		return nil
	}}, &marks
}

// Only positions between transactions count, and none twice or backwards.
func TestPositionsOnlyMoveForwards(t *testing.T) {
	s, marks := testStream(100)
	for _, step := range []func() error{
		func() error { return s.idleAtLSN(t.Context(), 90) },  // before the start
		func() error { return s.idleAtLSN(t.Context(), 110) }, // counts
		func() error { s.inTx = true; return s.idleAtLSN(t.Context(), 120) },
		func() error { return s.commit(t.Context(), &pglogrepl.CommitMessage{TransactionEndLSN: 130}) },
		func() error { return s.idleAtLSN(t.Context(), 125) }, // a keepalive that was on its way
		func() error { return s.idleAtLSN(t.Context(), 140) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if got := *marks; len(got) != 3 || got[0] != 110 || got[1] != 130 || got[2] != 140 {
		t.Errorf("positions %v", got)
	}
	s.idleGap = time.Hour
	if err := s.idleAtLSN(t.Context(), 150); err != nil || len(*marks) != 3 {
		t.Errorf("a position too soon: %v, %v", *marks, err)
	}
}

func TestAppliedTransactionsAreSkipped(t *testing.T) {
	s, marks := testStream(100)
	begin := func(final byte) []byte {
		data := make([]byte, 21)
		data[0], data[8] = 'B', final
		return data
	}
	for _, final := range []byte{99, 100} {
		if err := s.message(t.Context(), begin(final)); err != nil {
			t.Fatal(err)
		}
		if s.skipTx != (final == 99) || !s.inTx {
			t.Errorf("transaction at %d: skipped %v", final, s.skipTx)
		}
		if err := s.commit(t.Context(), &pglogrepl.CommitMessage{TransactionEndLSN: pglogrepl.LSN(final) + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if len(*marks) != 1 {
		t.Errorf("positions %v", *marks)
	}
}

func TestPace(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{
		0: 10 * time.Second, time.Second: time.Second / 3, time.Minute: 10 * time.Second, 9 * time.Second: 3 * time.Second,
	} {
		if tick, silence := pace(timeout); tick != want || silence <= tick {
			t.Errorf("pace(%s) = %s, %s", timeout, tick, silence)
		}
	}
}

func TestSnapshotSees(t *testing.T) {
	s, err := parseSnapshot("4294967290:4294967300:4294967292,4294967298")
	if err != nil {
		t.Fatal(err)
	}
	for xid, want := range map[uint32]bool{
		4294967289: true, 4294967291: true, 4294967292: false, 1: true, 2: false, 3: true, 4: false, 5: false, 1000: false,
	} {
		if s.has(xid) != want {
			t.Errorf("transaction %d: %v", xid, !want)
		}
	}
	for _, text := range []string{"", "1:2", "1:x:", "1:2:x"} {
		if _, err := parseSnapshot(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if s, err := parseSnapshot("5:5:"); err != nil || !s.has(4) || s.has(5) {
		t.Errorf("nothing runs: %v", err)
	}
}
