package deid

import (
	"context"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/replicator/source"
)

// The source writes a commit to its WAL first and lets other sessions see it a
// moment later. The stream can be faster: what is then read from the source shows
// rows as they were before the change that just came. A patient's record read in
// that moment would stay in the cache without the new name. So nothing is read for
// a change until a new snapshot of the source has its transaction.

// visiblePause is how long to wait before looking again.
const visiblePause = time.Millisecond

// await waits until the source's new snapshots have all the transactions of a
// batch.
func (r *Resolver) await(ctx context.Context, batch []*Item) error {
	var xids []uint32
	for _, it := range batch {
		if c := it.Change; c != nil && !c.Read && (len(xids) == 0 || xids[len(xids)-1] != c.XID) {
			xids = append(xids, c.XID)
		}
	}
	for len(xids) > 0 {
		s, err := source.ReadSnapshot(ctx, r.Source)
		if err != nil {
			return err
		}
		if xids = slices.DeleteFunc(xids, s.Has); len(xids) == 0 {
			break
		}
		select {
		case <-time.After(visiblePause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
