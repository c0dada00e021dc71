package source

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

func TestUsable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		slot *Slot
		hint string // a part of it; "" for a slot that is usable
	}{
		{"usable", &Slot{Plugin: "pgoutput", Database: true, WAL: "reserved"}, ""},
		{"in danger", &Slot{Plugin: "pgoutput", Database: true, WAL: "unreserved"}, ""},
		{"gone", nil, "--resync"},
		{"of another program", &Slot{Plugin: "wal2json", Database: true, WAL: "reserved"}, "source.slot"},
		{"of another database", &Slot{Plugin: "pgoutput", WAL: "reserved"}, "source.slot"},
		{"lost", &Slot{Plugin: "pgoutput", Database: true, WAL: "lost"}, "--resync"},
	} {
		err := c.slot.Usable("pgdeid")
		if (err == nil) != (c.hint == "") || !strings.Contains(fault.Hint(err), c.hint) {
			t.Errorf("%s: %v, hint %q", c.name, err, fault.Hint(err))
		}
	}
}

// A slot that survives a failover of the source exists from PostgreSQL 17 on.
func TestCreateSlotCommand(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]string{
		14: `CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput EXPORT_SNAPSHOT`,
		15: `CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput (SNAPSHOT 'export')`,
		16: `CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput (SNAPSHOT 'export')`,
		17: `CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput (SNAPSHOT 'export', FAILOVER)`,
		18: `CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput (SNAPSHOT 'export', FAILOVER)`,
	} {
		if got := createSlotCommand(`a"b`, version); got != want {
			t.Errorf("version %d: %s, want %s", version, got, want)
		}
	}
}
