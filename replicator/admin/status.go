package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// Status is the state of replication, seen from both databases and, if it runs,
// from the process itself.
type Status struct {
	Running    bool                `json:"running"` // a process streams from the slot
	Busy       bool                `json:"busy"`    // a process works on the slot: it copies, streams or starts
	Process    string              `json:"process"` // whether it answers at the configuration's address
	Paused     bool                `json:"paused"`  // the publication is paused for an upgrade of the source
	Slot       SlotStatus          `json:"slot"`
	Position   string              `json:"position,omitempty"`    // LSN that the replica has applied
	SourceEnd  string              `json:"source_end"`            // LSN of the end of the source's WAL
	LagBytes   int64               `json:"lag_bytes"`             // between the two
	LagSeconds float64             `json:"lag_seconds"`           // since something was applied, while there is a lag; else 0
	Rates      *Rates              `json:"rates,omitempty"`       // if the process answers
	Health     *replicator.Health  `json:"health,omitempty"`      // if the process answers
	Copies     []CopyStatus        `json:"copies"`                // the first copy of each table
	Quarantine []AsideCount        `json:"quarantine"`            // rows set aside
	Rotation   *RotationStatus     `json:"rotation,omitempty"`    // none: the key is not being changed
	Release    *ReleaseStatus      `json:"release,omitempty"`     // none: rows are visible as they arrive
	Requeued   int64               `json:"requeued_patients"`     // and encounters, whose notes are about to be read again
	Patients   *PatientsStatus     `json:"patients,omitempty"`    // none: every patient is published
	Directory  *DirectoryStatus    `json:"directory,omitempty"`   // whether notes are older than the directory
	NewColumns []string            `json:"new_columns,omitempty"` // of mapped tables, since "migrate up": not published
	Withheld   []WithheldCount     `json:"withheld"`              // values published as NULL
	Repairs    RepairsStatus       `json:"repairs"`               // what reviewers had changed of single notes
	Maintained []MaintenanceStatus `json:"maintenance"`           // tasks of "pgdeid maintain"
	Problems   []string            `json:"problems,omitempty"`    // what needs a person

	lacks    []string               // what the publication lacks
	rejoined []publication.Rejoined // tables that changes may have passed by
}

// SlotStatus is the slot as the source sees it.
type SlotStatus struct {
	Name     string `json:"name"`
	Exists   bool   `json:"exists"`
	Active   bool   `json:"active"`
	WAL      string `json:"wal_status,omitempty"`     // reserved, extended, unreserved, lost
	SafeWAL  *int64 `json:"safe_wal_bytes,omitempty"` // that can be written until the slot is lost; none: no limit
	Retained int64  `json:"retained_wal_bytes"`       // that the slot holds back
}

// Rates are means over the time between two looks at a process.
type Rates struct {
	Notes float64 `json:"notes_per_second"`
	Bytes float64 `json:"text_bytes_per_second"`
}

// CopyStatus says how far the first copy of a table has come.
type CopyStatus struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Done  bool   `json:"done"`
	Again string `json:"again,omitempty"` // why it is copied again, if it is
}

// RotationStatus says how far a change of the key is.
type RotationStatus struct {
	From    int       `json:"from_epoch"` // the key of what analysts read
	To      int       `json:"to_epoch"`
	Begun   time.Time `json:"begun_at"` // analysts read rows as of then
	Copying []string  `json:"copying"`  // tables that are not copied with the next key
}

// AsideCount counts rows of the quarantine.
type AsideCount struct {
	Table  string `json:"table"`
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// ReadStatus asks both databases, and the process if it answers at its HTTP
// address; sample is how long rates are measured, 0 for none.
func ReadStatus(ctx context.Context, cfg *config.Config, sample time.Duration) (*Status, error) {
	s := &Status{}
	err := withBoth(ctx, cfg, func(source, replica *pgx.Conn) (err error) {
		if err = s.readSource(ctx, source, cfg); err != nil {
			return err
		}
		if err = s.readReplica(ctx, replica, cfg); err != nil {
			return err
		}
		if s.NewColumns, err = replicator.NewColumns(ctx, source, replica, cfg); err != nil {
			return err
		}
		s.lacks, s.rejoined, err = publication.PassedBy(ctx, source, replica, cfg)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.askProcess(ctx, cfg.HTTP, sample)
	s.judge()
	return s, nil
}

func (s *Status) readSource(ctx context.Context, conn *pgx.Conn, cfg *config.Config) error {
	if err := source.RefuseStandby(conn); err != nil {
		return err
	}
	if err := conn.QueryRow(ctx, "select pg_current_wal_lsn()::text").Scan(&s.SourceEnd); err != nil {
		return fault.New("read the end of the source's WAL", err, "")
	}
	paused, err := publication.Paused(ctx, conn, cfg.Source.Publication)
	if err != nil {
		return err
	}
	s.Paused = paused
	slot, err := source.ReadSlot(ctx, conn, cfg.Source.Slot)
	s.Slot = SlotStatus{Name: cfg.Source.Slot}
	if err != nil || slot == nil {
		return err
	}
	s.Slot.Exists, s.Slot.Active, s.Slot.WAL, s.Slot.SafeWAL, s.Slot.Retained = true, slot.Active, slot.WAL, slot.Safe, slot.Retained
	s.Running = slot.Active
	return nil
}

func (s *Status) readReplica(ctx context.Context, conn *pgx.Conn, cfg *config.Config) error {
	const op = "read the state of the replica"
	var age float64
	err := conn.QueryRow(ctx, `select lsn::text, extract(epoch from now() - updated_at)::float8 from deid.progress where slot = $1`,
		cfg.Source.Slot).Scan(&s.Position, &age)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fault.New(op, err, "")
	}
	if s.LagBytes = distance(s.Position, s.SourceEnd); s.LagBytes > 0 {
		s.LagSeconds = age
	}
	rows, err := conn.Query(ctx, `select table_name, rows, done, coalesce(again, '') from deid.snapshot where slot = $1 order by 1`,
		cfg.Source.Slot)
	if err == nil {
		s.Copies, err = pgx.CollectRows(rows, pgx.RowToStructByPos[CopyStatus])
	}
	if err != nil {
		return fault.New(op, err, "")
	}
	rows, err = conn.Query(ctx, `select table_name, reason, count(*) from deid.quarantine group by 1, 2 order by 1, 2`)
	if err == nil {
		s.Quarantine, err = pgx.CollectRows(rows, pgx.RowToStructByPos[AsideCount])
	}
	if err != nil {
		return fault.New(op, err, "")
	}
	const queued = "select (select count(*) from deid.requeue) + (select count(*) from deid.requeue_path)"
	if err := conn.QueryRow(ctx, queued).Scan(&s.Requeued); err != nil {
		return fault.New(op, err, "")
	}
	if s.Withheld, err = readWithheld(ctx, conn); err != nil {
		return err
	}
	if s.Repairs, err = readRepairs(ctx, conn); err != nil {
		return err
	}
	if s.Patients, err = readPatientsStatus(ctx, conn, cfg); err != nil {
		return err
	}
	if s.Directory, err = readDirectoryStatus(ctx, conn, cfg.Source.Slot); err != nil {
		return err
	}
	if s.Busy, err = busy(ctx, conn, cfg.Source.Slot); err != nil {
		return err
	}
	if s.Rotation, err = readRotationStatus(ctx, conn, cfg.Source.Slot); err != nil {
		return err
	}
	if s.Release, err = readReleaseStatus(ctx, conn, cfg, time.Now()); err != nil {
		return err
	}
	s.Maintained, err = readMaintenance(ctx, conn, time.Now())
	return err
}

// distance returns how many bytes lie between two positions; 0 if one is unknown.
func distance(from, to string) int64 {
	a, errA := pglogrepl.ParseLSN(from)
	b, errB := pglogrepl.ParseLSN(to)
	if errA != nil || errB != nil || b < a {
		return 0
	}
	return int64(b - a) //nolint:gosec // positions are far from 2^63
}

// judge says what needs a person.
func (s *Status) judge() {
	say := func(format string, args ...any) { s.Problems = append(s.Problems, fmt.Sprintf(format, args...)) }
	switch {
	case !s.Slot.Exists && s.Busy: // it is being made
	case !s.Slot.Exists && s.Position != "":
		say("slot %s is gone: %s", s.Slot.Name, source.ReconcileHint)
	case !s.Slot.Exists:
		say("nothing was replicated yet: run 'pgdeid run'")
	case s.Slot.WAL == "lost":
		say("slot %s is lost: %s", s.Slot.Name, source.ReconcileHint)
	case s.Slot.WAL == "unreserved":
		say("the source is about to throw away WAL that slot %s needs: raise max_slot_wal_keep_size", s.Slot.Name)
	case !s.Running && !s.Busy:
		say("no process streams from slot %s, which holds back the source's WAL: start 'pgdeid run'", s.Slot.Name)
	}
	if s.Paused {
		say("the publication %s; %s", publication.PausedText, publication.PausedRemedy)
	}
	if s.Process == processSilent {
		say("a process listens, but does not answer: it hangs or is stopped; look at its log, and restart it")
	}
	if s.Health != nil && !s.Health.OK {
		say("the process says: %s", s.Health.Why)
	}
	s.judgeContinuity(say)
	var aside int64
	for _, q := range s.Quarantine {
		aside += q.Rows
	}
	for _, m := range s.Maintained {
		if m.Due {
			say("task %s is due (%s): run 'pgdeid maintain', from cron or a timer early in each year", m.Task, m.what)
		}
	}
	if r := s.Rotation; r != nil && len(r.Copying) == 0 {
		say("all tables are copied with the key of epoch %d: 'pgdeid key rotate' proves it, and shows them", r.To)
	}
	if aside > 0 {
		say("%d rows are set aside: 'pgdeid retry' tries them again", aside)
	}
}

// judgeContinuity says what makes the replica untrue though everything seems to run:
// changes that pass the stream by, or passed it by, and a source that went back.
func (s *Status) judgeContinuity(say func(format string, args ...any)) {
	for _, what := range s.lacks {
		say("%s: its changes pass by and nothing is streamed; run 'pgdeid migrate up --target source', "+
			"then 'pgdeid run' copies again what passed by", what)
	}
	for _, t := range s.rejoined {
		say("table %s lacks changes (%s): 'pgdeid run' copies it again, by itself", t.Table, t.Why)
	}
	for _, c := range s.Copies {
		if c.Again != "" && !c.Done {
			say("table %s is copied again (%s), and lacks changes until then: 'pgdeid run' does it by itself", c.Table, c.Again)
		}
	}
	position, errPosition := pglogrepl.ParseLSN(s.Position)
	end, errEnd := pglogrepl.ParseLSN(s.SourceEnd)
	if errPosition == nil && errEnd == nil && position > end {
		say("the replica's position %s is ahead of the source's WAL, which ends at %s: the source was restored from an older backup; %s",
			s.Position, s.SourceEnd, source.ReconcileHint)
	}
}
