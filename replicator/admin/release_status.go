package admin

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/sql"
)

// ReleaseStatus is how rows become visible, where they don't as they arrive.
type ReleaseStatus struct {
	Mode    config.ReleaseMode `json:"mode"`
	Waiting int64              `json:"waiting"`           // versions that are not released
	Last    *time.Time         `json:"last,omitempty"`    // none: nothing was released yet
	Next    *time.Time         `json:"next,omitempty"`    // not before; none: as soon as the first copy is complete
	Blocked string             `json:"blocked,omitempty"` // why what is due is not released
}

// readReleaseStatus returns nil where rows are visible as they arrive.
func readReleaseStatus(ctx context.Context, conn *pgx.Conn, cfg *config.Config, now time.Time) (*ReleaseStatus, error) {
	if cfg.Release.Mode == config.Live {
		return nil, nil
	}
	state, err := (&apply.Writer{Conn: conn}).ReadRelease(ctx)
	if err != nil {
		return nil, err
	}
	s := &ReleaseStatus{Mode: cfg.Release.Mode, Last: state.Released}
	if s.Last != nil {
		next := state.Due(&cfg.Release)
		s.Next = &next
	}
	if state.Copying || state.Queued {
		s.Blocked = state.Why(&cfg.Release, now, true)
	}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		if len(t.Published()) == 0 {
			continue
		}
		var n int64
		if err := conn.QueryRow(ctx, "select count(*) from "+sql.WaitingTable(t)).Scan(&n); err != nil {
			return nil, fault.New("read what waits for a release", err, "run 'pgdeid migrate up'")
		}
		s.Waiting += n
	}
	return s, nil
}
