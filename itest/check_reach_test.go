package itest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/finding"
)

// What REPLICATION reaches beyond the publication is tried, and nothing stays behind.
func TestCheckTriesWhatTheReplicationRoleReaches(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	source := p.onSource(t)
	has := func(subject string, level finding.Level, text string) {
		t.Helper()
		if fs := findingsOf(t, cfg); !slices.ContainsFunc(fs, func(f finding.Finding) bool {
			return f.Subject == subject && f.Level == level && strings.Contains(f.Text, text) && (level == finding.OK) == (f.Remedy == "")
		}) {
			t.Errorf("want %s: %s …%s…, got %+v", subject, level, text, fs)
		}
	}
	_, err := source.Exec(t.Context(), "select pg_create_logical_replication_slot('probe', 'test_decoding', true)")
	if err != nil {
		t.Skipf("this server has no test_decoding: %v", err)
	}
	do(t, source, "select pg_drop_replication_slot('probe')")
	has("source output plugins", finding.Warning, "test_decoding")
	has("source physical replication", finding.Warning, "pg_basebackup")
	// An open transaction keeps a slot from being made, not its plugin from being there.
	writer := p.onSource(t)
	do(t, writer, "begin; create table other (x int)")
	has("source output plugins", finding.Warning, "test_decoding")
	do(t, writer, "rollback")
	hba := filepath.Join(filepath.Dir(p.source.Log()), "data", "pg_hba.conf")
	lines, err := os.ReadFile(hba)
	if err != nil {
		t.Fatal(err)
	}
	lines = append([]byte("host replication pgdeid_replication all reject\n"), lines...)
	if err := os.WriteFile(hba, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, source, "select pg_reload_conf()")
	eventually(t, "the rule counts", func() bool {
		return slices.ContainsFunc(findingsOf(t, cfg), func(f finding.Finding) bool {
			return f.Subject == "source physical replication" && f.Level == finding.OK
		})
	})
	want(t, source, "0", "select count(*)::text from pg_replication_slots")
}
