package admin

import (
	"context"
	"errors"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// Release makes visible what is due, as "pgdeid run" does by itself. With now, batches
// don't wait for the end of their interval.
func Release(ctx context.Context, o session.Options, now bool) (done apply.Released, err error) {
	if o.Config != nil && o.Config.Release.Mode != config.Batches && now {
		return done, fault.New("release at once", errors.New("only batches can be released before they are due"), "")
	}
	err = session.Once(ctx, o, func(s *session.Session) error {
		w, err := s.NewWriter(ctx)
		if err != nil {
			return err
		}
		done, err = w.ReleaseDue(ctx, now)
		return err
	})
	return done, err
}
