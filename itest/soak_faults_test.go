package itest

import (
	"context"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// soakFault is something that goes wrong, and is well again when it returns.
type soakFault struct {
	name  string
	early bool // in the first third of the time only: memory is watched in a process that lives on
	do    func(*soak, *testing.T)
}

var soakFaults = []soakFault{
	{"kill -9", true, func(s *soak, t *testing.T) { t.Helper(); s.running.kill(); s.launch(t) }},
	{"crash of the source", false, func(s *soak, t *testing.T) { t.Helper(); crash(t, s.pair.source) }},
	{"crash of the replica", false, func(s *soak, t *testing.T) { t.Helper(); crash(t, s.pair.replica) }},
	{"restart of the source", false, func(s *soak, t *testing.T) { t.Helper(); restart(t, s.pair.source, sandbox.Fast) }},
	{"restart of the replica", false, func(s *soak, t *testing.T) { t.Helper(); restart(t, s.pair.replica, sandbox.Fast) }},
	{"cut to the source", false, func(s *soak, _ *testing.T) { cutFor(s.source, 2*time.Second) }},
	{"cut to the replica", false, func(s *soak, _ *testing.T) { cutFor(s.replica, 2*time.Second) }},
	{"silence of the source", false, func(s *soak, _ *testing.T) { stallFor(s.source, 5*time.Second) }},
	{"silence of the replica", false, func(s *soak, _ *testing.T) { stallFor(s.replica, 5*time.Second) }},
}

func crash(t *testing.T, s *sandbox.Server) {
	t.Helper()
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func cutFor(path *proxy, d time.Duration) {
	path.Cut()
	time.Sleep(d)
	path.Resume()
}

func stallFor(path *proxy, d time.Duration) {
	path.Stall()
	time.Sleep(d)
	path.Resume()
}

// fail has things go wrong until ctx is done, and returns how often each did. Between two the stream comes back:
// after several interruptions in a row pgdeid waits for up to 20 seconds.
func (s *soak) fail(ctx context.Context, t *testing.T, d time.Duration) map[string]int {
	t.Helper()
	times := map[string]int{}
	for {
		select {
		case <-ctx.Done():
			return times
		case <-time.After(time.Duration(30+s.rnd.IntN(30)) * time.Second):
		}
		if !s.running.running() {
			t.Fatalf("pgdeid ended by itself:\n%s", tail(s.running.output(t), 20))
		}
		f := soakFaults[s.rnd.IntN(len(soakFaults))]
		if f.early && time.Since(s.start) > d/3 {
			continue
		}
		f.do(s, t)
		times[f.name]++
	}
}
