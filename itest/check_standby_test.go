package itest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql/finding"
)

// intoStandby stops the source and starts it as a standby without a primary.
func intoStandby(t *testing.T, s *sandbox.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Stop(ctx, sandbox.Fast); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(filepath.Dir(s.Log()), "data")
	if err := os.WriteFile(filepath.Join(data, "standby.signal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(ctx); err != nil {
		t.Fatal(err)
	}
}

// A standby has no slot of pgdeid's, which says nothing of the primary's: no command
// may advise to copy everything again.
func TestStandbyAsSource(t *testing.T) {
	t.Parallel()
	r := begun(t, newOwnPair(t))
	intoStandby(t, r.source)
	const hint = "target_session_attrs=primary"
	fs := attention(findingsOf(t, r.cfg))
	if !slices.ContainsFunc(fs, func(f finding.Finding) bool {
		return f.Subject == "source" && strings.Contains(f.Text, "standby") && strings.Contains(f.Remedy, hint)
	}) {
		t.Errorf("check: %+v", fs)
	}
	r.refuses(t, "standby", hint)
	if _, err := admin.ReadStatus(t.Context(), r.cfg, 0); err == nil || !strings.Contains(fault.Hint(err), hint) {
		t.Errorf("status: %v (%s)", err, fault.Hint(err))
	}
	o, _ := r.options(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := replicator.Snapshot(ctx, o, true); err == nil || !strings.Contains(fault.Hint(err), hint) {
		t.Errorf("resync: %v (%s)", err, fault.Hint(err))
	}
}
