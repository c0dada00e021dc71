package replicator

import (
	"context"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/apply"
)

// releases releases what is due until ctx is done.
func (r *run) releases(ctx context.Context, w *apply.Writer) error {
	if r.Cfg.Release.Mode == config.Live {
		return nil
	}
	tick := time.NewTicker(min(time.Minute, max(r.Cfg.Release.Every/4, 100*time.Millisecond)))
	defer tick.Stop()
	for {
		if _, err := w.ReleaseDue(ctx, false); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
