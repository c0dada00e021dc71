package itest

import (
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator"
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

// Killed whenever it has just stored a position, the replica has what an uninterrupted one has, and what a
// copy from the source would write: no row is older than its record, or shows another surrogate than the vault
// has. Which surrogate a name got is not compared with the twin's: see facts.
func TestKilledAfterProgressLosesNothing(t *testing.T) {
	t.Parallel()
	const kills, changes = 12, 1200
	r := newReplication(t, newPair(t)).exactly(t)
	twin := r.twin(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := newMixer(seed)
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	twin.run(t, exactDetector(t))
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	twin.streaming(t)
	first.kill()
	writer := r.onSource(t)
	position := func() string { return one(t, r.dst, "select coalesce(max(lsn)::text, '') from deid.progress") }
	for n := range kills {
		before := position()
		d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
		if err := m.steps(t.Context(), writer, changes/kills); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the position moves", func() bool { return position() != before })
		time.Sleep(time.Duration(n) * 7 * time.Millisecond) // into the rewrites that follow
		d.kill()
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	twin.caughtUp(t)
	r.caughtUp(t)
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d after SIGTERM", code)
	}
	shareFormers(t, r, twin)
	compareTwins(t, r.facts(t), twin.facts(t))
	streamed := r.published(t)
	o, _ := r.options(t, exactDetector(t))
	if err := replicator.Snapshot(t.Context(), o, true); err != nil {
		t.Fatal(err)
	}
	compareTwins(t, r.published(t), streamed)
}
