package itest

import (
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// Killed twenty times at random moments of a stream of 2,000 changes, the replica
// equals one whose process was never killed.
func TestKilledRunEqualsUninterrupted(t *testing.T) {
	t.Parallel()
	const kills, changes = 20, 2000
	r := newReplication(t, newPair(t)).exactly(t)
	twin := r.twin(t)
	m := newMixer(7)
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	twin.run(t, exactDetector(t))
	// Both begin with the same record of each patient.
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	twin.streaming(t)
	first.kill()
	rnd := rand.New(rand.NewPCG(11, 2))
	writer := r.onSource(t)
	var moved []string
	for range kills {
		d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
		var g errgroup.Group
		g.Go(func() error { return m.steps(t.Context(), writer, changes/kills) })
		time.Sleep(time.Duration(100+rnd.IntN(700)) * time.Millisecond)
		d.kill()
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		moved = append(moved, texts(t, r.dst, "select coalesce(max(lsn)::text, '') from deid.progress")...)
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	twin.caughtUp(t)
	r.caughtUp(t)
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d after SIGTERM", code)
	}
	t.Logf("positions at the kills: %v", moved)
	shareFormers(t, r, twin)
	compareTwins(t, r.published(t), twin.published(t))
	if n := count(t, r.dst, "ehr.note"); n != count(t, r.src, "ehr.note") || n == "0" {
		t.Errorf("%s notes in the replica", n)
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}
