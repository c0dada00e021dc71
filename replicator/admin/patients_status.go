package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
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
