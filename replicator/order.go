package replicator

import (
	"context"
	"time"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/replicator/apply"
)

// orderCopied puts the tables in order that were copied since, and lets analysts read
// them. A session that finds some that an earlier one left behind does the same. What
// is being read right now is left for later: the stream does not wait for readers.
func (r *run) orderCopied(ctx, stop context.Context) error {
	var list []apply.OrderedPlace
	for _, t := range r.Plan.Tables {
		if len(t.Publish) == 0 {
			continue
		}
		ordered, err := apply.InOrder(ctx, r.Control, t)
		if err != nil {
			return connect.Lost(r.Control, err)
		}
		if !ordered {
			list = append(list, apply.TablePlace(t))
		}
	}
	if len(list) == 0 {
		return nil
	}
	w, err := r.NewWriter(ctx)
	if err != nil {
		return err
	}
	r.Log.Info("putting the rows in the order of their published keys", "tables", len(list))
	r.busy, err = w.OrderAll(ctx, stop, append(apply.VaultPlaces(), list...), apply.ReadersWait)
	if err != nil || stop.Err() != nil {
		return err
	}
	for _, p := range r.busy {
		r.Log.Warn("a table is read by others: it is put in order later", "table", p.Title,
			"hint", "if it was copied, analysts can read it from then on")
	}
	return nil
}

// orderBusy puts in order what was read by others before the stream began.
func (r *run) orderBusy(ctx context.Context, w *apply.Writer) error {
	tick := time.NewTicker(apply.OrderPause)
	defer tick.Stop()
	for len(r.busy) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		var err error
		if r.busy, err = w.OrderAll(ctx, ctx, r.busy, apply.OrderTry); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}
