package postgres

import "testing"

func TestServerVersions(t *testing.T) {
	for _, tt := range []struct {
		server                            Version
		known, lists, failover, generated bool
	}{
		{130010, false, false, false, false},
		{140005, true, false, false, false},
		{150018, true, true, false, false},
		{170002, true, true, true, false},
		{180001, true, true, true, true},
		{190000, false, true, true, true},
	} {
		s := tt.server
		if s.Known() != tt.known || s.ColumnLists() != tt.lists || s.FailoverSlots() != tt.failover || s.GeneratedColumns() != tt.generated {
			t.Errorf("PostgreSQL %d: %+v", s.Major(), tt)
		}
	}
}
