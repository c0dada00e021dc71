package source

import (
	"slices"
	"testing"

	"github.com/jackc/pglogrepl"
)

func TestSnapshotSees(t *testing.T) {
	t.Parallel()
	var s Snapshot
	if err := s.Scan("4294967290:4294967300:4294967292,4294967298"); err != nil {
		t.Fatal(err)
	}
	for xid, want := range map[uint32]bool{
		4294967289: true, 4294967291: true, 4294967292: false, 1: true, 2: false, 3: true, 4: false, 5: false, 1000: false,
	} {
		if s.Has(xid) != want {
			t.Errorf("transaction %d: %v", xid, !want)
		}
	}
	for _, text := range []string{"", "1:2", "1:x:", "1:2:x"} {
		if new(Snapshot).Scan(text) == nil {
			t.Errorf("%q is read", text)
		}
	}
	if err := s.Scan("5:5:"); err != nil || !s.Has(4) || s.Has(5) {
		t.Errorf("nothing runs: %v", err)
	}
}

// What a copy has is not written again, what came after it is, and what is older
// than any copy is left to the stream.
func TestCoverage(t *testing.T) {
	t.Parallel()
	c := &Coverage{End: 0x500}
	if err := c.Seen.Scan("100:110:104"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		xid  uint32
		lsn  pglogrepl.LSN
		want bool
	}{{99, 0x400, true}, {105, 0x4ff, true}, {104, 0x400, false}, {110, 0x400, false}, {99, 0x500, false}} {
		if got := c.Has(tt.xid, tt.lsn); got != tt.want {
			t.Errorf("transaction %d at %s: %v", tt.xid, tt.lsn, got)
		}
	}
	if (*Coverage)(nil).Has(1, 1) {
		t.Error("a table that was copied in the slot's snapshot has changes of the stream")
	}
}

func FuzzSnapshot(f *testing.F) {
	for _, text := range []string{"10:20:12,14", "5:5:", "1:2:x", "18446744073709551615:1:"} {
		f.Add(text, uint32(7))
	}
	f.Fuzz(func(t *testing.T, text string, xid uint32) {
		var s Snapshot
		if s.Scan(text) != nil {
			return
		}
		if slices.Contains(s.running, uint64(xid)) && s.next>>32 == 0 && s.next < 1<<31 && s.Has(xid) {
			t.Errorf("%q sees %d, which is running", text, xid)
		}
	})
}
