package backfill

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Status is how far a copy is, as the replica alone has it.
type Status struct {
	Tables  []TableStatus `json:"tables"`
	Workers int           `json:"workers"` // processes that copy right now
	Paused  bool          `json:"paused"`
	Rate    int           `json:"rate"`   // limit in rows a second; 0: none
	Shared  bool          `json:"shared"` // several processes may copy
	Started *time.Time    `json:"started_at,omitempty"`
}

// TableStatus is how far the copy of a table is.
type TableStatus struct {
	Table    string `json:"table"`
	Done     bool   `json:"done"`
	Rows     int64  `json:"rows"`
	Planned  int64  `json:"planned"` // rows that there are, or an estimate of them; 0: unknown
	Parts    int    `json:"parts"`
	Finished int    `json:"parts_done"`
	Redone   int    `json:"parts_redone"` // parts whose process died
}

// ReadStatus reads how far the copy through a slot is.
func ReadStatus(ctx context.Context, conn *pgx.Conn, slot string) (*Status, error) {
	const op = "read how far the copy is"
	s := &Status{}
	var rate *int
	err := conn.QueryRow(ctx, "select paused, rate, started_at from deid.copy_plan where slot = $1", slot).Scan(&s.Paused, &rate, &s.Started)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.New(op, connect.Lost(conn, err), migrateHint)
	}
	s.Shared = err == nil
	if rate != nil {
		s.Rate = *rate
	}
	rows, _ := conn.Query(ctx, `
		select s.table_name, s.done, s.rows + coalesce(c.rows, 0),
			case when s.done then s.rows when c.planned > 0 then c.planned else coalesce(s.planned, 0) end,
			coalesce(c.parts, 0), coalesce(c.finished, 0), coalesce(c.redone, 0)
		from deid.snapshot s left join lateral (
			select sum(rows)::bigint as rows, sum(planned)::bigint as planned, count(*) as parts,
				count(*) filter (where done) as finished, sum(times)::bigint as redone
			from deid.copy_chunk c where c.slot = s.slot and c.table_name = s.table_name) c on true
		where s.slot = $1 order by s.table_name`, slot)
	s.Tables, err = pgx.CollectRows(rows, pgx.RowToStructByPos[TableStatus])
	if err != nil {
		return nil, fault.New(op, connect.Lost(conn, err), migrateHint)
	}
	err = conn.QueryRow(ctx, "select count(distinct worker) from deid.copy_chunk where slot = $1 and not done", slot).Scan(&s.Workers)
	return s, fault.New(op, connect.Lost(conn, err), migrateHint)
}

// Sum returns how many rows are copied, and how many there are in all.
func (s *Status) Sum() (rows, planned int64) {
	for _, t := range s.Tables {
		rows += t.Rows
		planned += max(t.Planned, t.Rows)
	}
	return rows, planned
}

// Done reports whether all tables are copied; false if none has begun to be.
func (s *Status) Done() bool {
	for _, t := range s.Tables {
		if !t.Done {
			return false
		}
	}
	return len(s.Tables) > 0
}

// Left returns how long the rest takes at the pace between two looks; 0 if that does not say.
func (s *Status) Left(before *Status, between time.Duration) (perSecond float64, left time.Duration) {
	rows, planned := s.Sum()
	was, _ := before.Sum()
	if between <= 0 || rows <= was {
		return 0, 0
	}
	perSecond = float64(rows-was) / between.Seconds()
	return perSecond, time.Duration(float64(planned-rows) / perSecond * float64(time.Second))
}
