package itest

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator"
)

// A queue that could not be worked off in the grace period is left to the next session.
func TestStopWithAFullQueueKeepsTheGracePeriod(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	r.cfg.Limits.QueueBytes = 1 << 20
	do(t, r.src, patients)
	inner := realDetector(t)
	d := detectorFunc(func(ctx context.Context, n *ensemble.Note) ([]phi.Span, error) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return inner.Detect(ctx, n)
	})
	o, log := r.options(t, d)
	o.Grace = 500 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var g errgroup.Group
	g.Go(func() error { return replicator.Run(ctx, o) })
	r.streaming(t)
	const notes = 3000
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || repeat('slept well. ', 100) from generate_series(1, 3000) n")
	do(t, r.src, "do $$ begin for n in 3001..3100 loop insert into ehr.note values (n, 1, null, 'new', 'Quarkstein'); commit; end loop; end $$")
	cancel()
	if err := g.Wait(); err != nil {
		t.Errorf("%v\n%s", err, tail(log.String(), 20))
	}
	if n := count(t, r.dst, "ehr.note"); n == "3100" {
		t.Errorf("all of %d notes were worked off: the queue was never full", notes)
	}
	want(t, r.src, "true", "select (confirmed_flush_lsn <= $2::text::pg_lsn)::text from pg_replication_slots where slot_name = $1", r.slot,
		one(t, r.dst, "select lsn::text from deid.progress"))
	r.run(t, nil)
	r.caughtUp(t)
	want(t, r.dst, "3100", "select count(*)::text from ehr.note")
	if texts := strings.Join(texts(t, r.dst, "select distinct left(body, 12) from ehr.note"), ""); strings.Contains(texts, "Quarkstein") {
		t.Error("a name is in a note")
	}
}
