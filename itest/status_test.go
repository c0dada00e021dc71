package itest

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
)

func (r *replication) status(t *testing.T) *admin.Status {
	t.Helper()
	s, err := admin.ReadStatus(t.Context(), r.cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// While a process copies nothing streams, and none has to be started.
func TestStatusDuringFirstCopy(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || n from generate_series(1, 20) n")
	run := r.run(t, sleepy(realDetector(t), 200*time.Millisecond))
	eventually(t, "a process at work", func() bool { return r.status(t).Busy })
	eventually(t, "a table that is being copied", func() bool {
		s := r.status(t)
		return slices.ContainsFunc(s.Copies, func(c admin.CopyStatus) bool { return !c.Done }) || s.Running
	})
	if s := r.status(t); !s.Running && len(s.Problems) > 0 {
		t.Errorf("in the copy: %v", s.Problems)
	}
	r.caughtUp(t)
	run.stop(t)
	if s := r.status(t); s.Busy || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "start 'pgdeid run'") {
		t.Errorf("after the end: %+v", s)
	}
}

func TestStatusOfStoppedProcess(t *testing.T) {
	t.Parallel()
	r, _ := withHTTP(t)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	eventually(t, "an answer", func() bool { return r.status(t).Process == "answers" })
	if err := d.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s := r.status(t)
	if !s.Busy || s.Process != "does not answer" || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "hangs") {
		t.Errorf("stopped: %+v", s)
	}
	if err := d.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	d.kill()
	eventually(t, "the end is noticed", func() bool { s := r.status(t); return !s.Busy && !s.Running })
	if s := r.status(t); s.Process == "answers" || s.Process == "does not answer" {
		t.Errorf("ended: %+v", s)
	}
}

// A column that appears at night is named in the log and in the status, until the
// next "migrate up" has seen it.
func TestNewColumnIsNamed(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	run := r.run(t, nil)
	r.streaming(t)
	if s := r.status(t); len(s.NewColumns) > 0 {
		t.Errorf("new columns before there are any: %v", s.NewColumns)
	}
	do(t, r.src, "alter table ehr.note add column night text")
	eventually(t, "a line in the log", func() bool {
		return strings.Contains(run.log.String(), "name=ehr.note.night") && strings.Contains(run.log.String(), "column appeared")
	})
	if got := r.status(t).NewColumns; !slices.Equal(got, []string{"ehr.note.night"}) {
		t.Errorf("status: %v", got)
	}
	migrateUp(t, r.cfg)
	if got := r.status(t).NewColumns; len(got) > 0 {
		t.Errorf("after migrate up: %v", got)
	}
}
