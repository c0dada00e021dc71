package itest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"

	"golang.org/x/sync/errgroup"
)

// Retry and reprocess run beside the stream all the time, on rows that change all
// the time, and never leave an older version behind.
func TestRewritingBesideTheStream(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	twin := r.twin(t)
	m := newMixer(99)
	if err := m.begin(t.Context(), r.src); err != nil {
		t.Fatal(err)
	}
	r.run(t, nil)
	early := twin.run(t, nil)
	r.streaming(t)
	twin.streaming(t)
	early.stop(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o, _ := r.options(t, nil)
	var g errgroup.Group
	var rewritten int64
	g.Go(func() error {
		for ctx.Err() == nil {
			res, err := admin.Reprocess{All: true}.Run(ctx, o, nil)
			rewritten += res.Changed
			if err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
			// As if they had been set aside: retry reads them again and writes them.
			if _, err := admin.Retry(ctx, o, admin.Choice{}, nil); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
		}
		return nil
	})
	writer := r.onSource(t)
	for range 10 {
		if err := m.steps(t.Context(), writer, 120); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
	r.caughtUp(t)
	cancel()
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if rewritten == 0 {
		t.Error("nothing was rewritten beside the stream")
	}
	twin.run(t, nil)
	twin.caughtUp(t)
	shareFormers(t, r, twin)
	compareTwins(t, r.facts(t), twin.facts(t))
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}
