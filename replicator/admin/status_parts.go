package admin

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/sql/research"
)

// PatientsStatus counts patients who stay out of the replica, or are on their way.
type PatientsStatus struct {
	Excluded int64 `json:"excluded"` // kept out by rows of the source
	Included int64 `json:"included"` // let in by rows of the source
	Cohort   bool  `json:"cohort"`   // only these are published
	Purged   int64 `json:"purged"`
	Waiting  int64 `json:"waiting"` // are to be read again as a whole
}

// readPatientsStatus returns nil where every patient is published.
func readPatientsStatus(ctx context.Context, conn *pgx.Conn, cfg *config.Config) (*PatientsStatus, error) {
	s := &PatientsStatus{}
	for _, f := range cfg.Filters {
		s.Cohort = s.Cohort || f.Includes()
	}
	err := conn.QueryRow(ctx, `select (select count(distinct patient_hmac) from deid.patient_filter where not includes),
			(select count(distinct patient_hmac) from deid.patient_filter where includes),
			(select count(*) from deid.purged where undone_at is null), (select count(*) from deid.requeue where whole)`).
		Scan(&s.Excluded, &s.Included, &s.Purged, &s.Waiting)
	if err != nil || !cfg.Filtered() && s.Purged == 0 && s.Waiting == 0 {
		return nil, fault.New("count the patients who stay out", err, "run 'pgdeid migrate up'")
	}
	return s, nil
}

// DirectoryStatus says which notes are older than the directory of staff and sites: names
// that were added since may be in them.
type DirectoryStatus struct {
	StaleSince *time.Time `json:"stale_since,omitempty"` // something was added, and no pass over the notes has begun since
	PassBegun  *time.Time `json:"pass_begun,omitempty"`  // the last pass
	PassTable  string     `json:"pass_table,omitempty"`  // the table that a pass has come to; "" if none is under way
	PassDone   *time.Time `json:"pass_done,omitempty"`   // the end of the last pass that was completed
}

func readDirectoryStatus(ctx context.Context, conn *pgx.Conn, slot string) (*DirectoryStatus, error) {
	d := &DirectoryStatus{}
	err := conn.QueryRow(ctx, `select stale_since, pass_begun, coalesce(pass_table, ''), pass_done from deid.directory where slot = $1`,
		slot).Scan(&d.StaleSince, &d.PassBegun, &d.PassTable, &d.PassDone)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return d, fault.New("read the state of the directory", err, "run 'pgdeid migrate up'")
}

// RepairsStatus counts what reviewers had changed of what is published.
type RepairsStatus struct {
	Hold int64 `json:"hold"`
	Void int64 `json:"void"` // the text of the note has changed since, so they have no effect
}

func readRepairs(ctx context.Context, conn *pgx.Conn) (s RepairsStatus, err error) {
	err = conn.QueryRow(ctx, `select count(*) filter (where not void), count(*) filter (where void)
		from deid.review_repair where taken_by is null`).Scan(&s.Hold, &s.Void)
	return s, fault.New("count repairs of notes", err, "run 'pgdeid migrate up'")
}

// WithheldCount counts values of a column that were published as NULL.
type WithheldCount struct {
	Table  string    `json:"table"`
	Column string    `json:"column"`
	Times  int64     `json:"times"` // a row that is written again counts again
	Last   time.Time `json:"last"`
}

func readWithheld(ctx context.Context, conn *pgx.Conn) ([]WithheldCount, error) {
	rows, _ := conn.Query(ctx, "select table_name, column_name, times, last_at from deid.withheld order by 1, 2")
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[WithheldCount])
	return list, fault.New("read what was withheld", err, "")
}

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
		if err := conn.QueryRow(ctx, "select count(*) from "+research.WaitingTable(t)).Scan(&n); err != nil {
			return nil, fault.New("read what waits for a release", err, "run 'pgdeid migrate up'")
		}
		s.Waiting += n
	}
	return s, nil
}
