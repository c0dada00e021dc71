//go:build native

package onnx

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The library as it is published sends events to its makers, of which it keeps a store in the user's
// home and a log. A process of its own loads it, since the variable counts at its first load.
func TestNoTelemetryIsStarted(t *testing.T) {
	t.Parallel()
	if os.Getenv("PGDEID_TEST_TELEMETRY") != "" {
		r, err := Open(libraryForTest())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoTelemetryIsStarted$") // #nosec G204 -- this very program
	cmd.Env = append(os.Environ(), "PGDEID_TEST_TELEMETRY=1", "HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+home, noTelemetry+"=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left, err := os.ReadDir(home)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the home: %v, %v", left, err)
	}
	log := filepath.Join("/tmp", fmt.Sprintf("mat-debug-%d.log", cmd.Process.Pid))
	if _, err := os.Stat(log); err == nil {
		t.Errorf("it wrote %s", log)
	}
}
