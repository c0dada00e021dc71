package itest

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// Whatever happens on the way of a stream of changes, the replica ends up equal to
// one for which nothing happened.
func testFaults(t *testing.T, p *pair, rounds int, fault func(t *testing.T, r *replication, round int), change func(*config.Config)) {
	t.Helper()
	r := newReplication(t, p)
	twin := r.twin(t)
	m := newMixer(uint64(rounds))
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	early := twin.run(t, nil)
	twin.streaming(t)
	early.stop(t)
	if change != nil {
		change(r.cfg)
	}
	r.run(t, nil)
	for round := range rounds {
		r.streaming(t)
		var g errgroup.Group
		g.Go(func() error { return m.steps(t.Context(), r.src, 150) })
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		fault(t, r, round)
		r.src, r.dst, twin.src, twin.dst = p.onSource(t), p.onReplica(t), p.onSource(t), connect(t, p.replica, p.name+"_twin")
	}
	if err := m.steps(t.Context(), r.src, 150); err != nil {
		t.Fatal(err)
	}
	r.caughtUp(t)
	twin.run(t, nil)
	twin.caughtUp(t)
	shareFormers(t, r, twin)
	compareTwins(t, r.facts(t), twin.facts(t))
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

var modes = []sandbox.Mode{sandbox.Fast, sandbox.Immediate, sandbox.Fast}

func restart(t *testing.T, s *sandbox.Server, mode sandbox.Mode) {
	t.Helper()
	if err := s.Stop(t.Context(), mode); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // let the replicator meet the absence
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestSourceRestarts(t *testing.T) {
	t.Parallel()
	testFaults(t, newOwnPair(t), len(modes), func(t *testing.T, r *replication, round int) {
		t.Helper()
		restart(t, r.source, modes[round])
	}, nil)
}

func TestReplicaRestarts(t *testing.T) {
	t.Parallel()
	testFaults(t, newOwnPair(t), len(modes), func(t *testing.T, r *replication, round int) {
		t.Helper()
		restart(t, r.replica, modes[round])
	}, nil)
}

// through makes a DSN lead through a proxy.
func through(t *testing.T, dsn string, s *sandbox.Server) (string, *proxy) {
	t.Helper()
	path := pathTo(t, s)
	return strings.Replace(dsn, ":"+strconv.Itoa(s.Port())+"/", ":"+strconv.Itoa(path.Port())+"/", 1), path
}

func TestNetworkPathCut(t *testing.T) {
	t.Parallel()
	var source, replica *proxy
	p := newPair(t)
	testFaults(t, p, 4, func(t *testing.T, _ *replication, round int) {
		t.Helper()
		path := []*proxy{source, replica}[round%2]
		path.Cut()
		time.Sleep(200 * time.Millisecond)
		path.Resume()
	}, func(cfg *config.Config) {
		cfg.Source.DSN, source = through(t, cfg.Source.DSN, p.source)
		cfg.Replica.DSN, replica = through(t, cfg.Replica.DSN, p.replica)
	})
}

// A path that swallows everything without an error is found out by its silence.
func TestSilentPathIsNoticed(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	do(t, r.src, "alter role pgdeid_replication in database "+r.name+" set wal_sender_timeout = '3s'")
	var path *proxy
	r.cfg.Source.DSN, path = through(t, r.cfg.Source.DSN, r.source)
	run := r.run(t, nil)
	r.streaming(t)
	path.Stall()
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'one')")
	eventually(t, "the silence is noticed", func() bool { return strings.Contains(run.log.String(), "interrupted") })
	path.Cut()
	path.Resume()
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
}
