package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// ResyncHint is the way back where rows were made under another mapping or publication.
const ResyncHint = "run 'pgdeid snapshot --resync': a new slot and a new copy; notes that did not change are not de-identified again"

// ReconcileHint is the way back where only the position or the slot is of no use any more.
const ReconcileHint = "run 'pgdeid reconcile': a new slot, and rows that differ from the source are written; " +
	"or 'pgdeid snapshot --resync': a new slot and a new copy"

// Slot is a row of pg_replication_slots.
type Slot struct {
	Plugin    string
	Database  bool // it belongs to the database that the connection leads to
	Active    bool
	PID       int32         // of the process that streams from it, or 0
	WAL       string        // wal_status: reserved, extended, unreserved, lost
	Safe      *int64        // bytes of WAL until it is lost; nil without a limit
	Confirmed pglogrepl.LSN // the position that was confirmed last
	Restart   pglogrepl.LSN // the oldest WAL that it keeps
	Retained  int64         // bytes of WAL that it holds back
}

// ErrStandby means that the source is a standby, which can't be followed.
var ErrStandby = errors.New("the source is a standby, and pgdeid follows a primary")

// RefuseStandby returns an error if conn leads to a standby: it has slots of its own
// or none, which says nothing of the primary's.
func RefuseStandby(conn *pgx.Conn) error {
	if conn.PgConn().ParameterStatus("in_hot_standby") != "on" {
		return nil
	}
	return fault.New("look at the source", ErrStandby, config.StandbyHint)
}

// ReadSlot returns the slot of a name, or nil if there is none.
func ReadSlot(ctx context.Context, conn *pgx.Conn, name string) (*Slot, error) {
	s := &Slot{}
	err := conn.QueryRow(ctx, `
		select coalesce(plugin, ''), coalesce(database = current_database(), false), active, coalesce(active_pid, 0),
			coalesce(wal_status, 'lost'), safe_wal_size, coalesce(confirmed_flush_lsn, '0/0'),
			coalesce(restart_lsn, '0/0'), coalesce(pg_current_wal_lsn() - restart_lsn, 0)::bigint
		from pg_replication_slots where slot_name = $1`, name).
		Scan(&s.Plugin, &s.Database, &s.Active, &s.PID, &s.WAL, &s.Safe, &s.Confirmed, &s.Restart, &s.Retained)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return s, fault.New("look at slot "+name, err, "")
}

// Usable returns an error that says why the slot can't be streamed from; s may be nil.
func (s *Slot) Usable(name string) error {
	op := "use slot " + name
	switch {
	case s == nil:
		return fault.New(op, errors.New("it does not exist, though the replica was written through it"), ReconcileHint)
	case s.Plugin != "pgoutput" || !s.Database:
		return fault.New(op, errors.New("it belongs to another program or database"), "choose another name for source.slot")
	case s.WAL == "lost":
		return fault.New(op, errors.New("the source threw away WAL that it needs (max_slot_wal_keep_size)"),
			"raise that setting, then "+ReconcileHint)
	}
	return nil
}

// serverVersion returns the major version of a server: 15.
func serverVersion(conn *pgconn.PgConn) int {
	major := 0
	_, _ = fmt.Sscanf(conn.ParameterStatus("server_version"), "%d", &major) // 0, the oldest, where it can't be read
	return major
}

// Created is a new slot: the stream starts at Consistent, and Snapshot shows the database
// as it was there until the connection's next command.
type Created struct {
	Consistent pglogrepl.LSN
	Snapshot   string
}

// CreateSlot makes a slot. The publication must exist already: the slot sees the
// catalogue of its own time. It waits for all writing transactions that are open
// at the source.
func CreateSlot(ctx context.Context, conn *pgconn.PgConn, name string) (*Created, error) {
	res, err := pglogrepl.ParseCreateReplicationSlot(conn.Exec(ctx, createSlotCommand(name, serverVersion(conn))))
	if err != nil {
		return nil, fault.New("create slot "+name, err, slotHint(err))
	}
	lsn, err := pglogrepl.ParseLSN(res.ConsistentPoint)
	if err != nil {
		return nil, fault.New("create slot "+name, err, "")
	}
	return &Created{Consistent: lsn, Snapshot: res.SnapshotName}, nil
}

// DropSlot removes a slot.
func DropSlot(ctx context.Context, conn *pgconn.PgConn, name string) error {
	err := pglogrepl.DropReplicationSlot(ctx, conn, schema.Quote(name), pglogrepl.DropReplicationSlotOptions{})
	return fault.New("drop slot "+name, err, "")
}

func createSlotCommand(name string, version int) string {
	command := "CREATE_REPLICATION_SLOT " + schema.Quote(name) + " LOGICAL pgoutput "
	switch {
	case version >= 17:
		return command + "(SNAPSHOT 'export', FAILOVER)"
	case version >= 15:
		return command + "(SNAPSHOT 'export')"
	default:
		return command + "EXPORT_SNAPSHOT"
	}
}

func slotHint(err error) string {
	switch fault.State(err) {
	case "53400":
		return "raise max_replication_slots at the source, or drop a slot that is not in use"
	case "55000":
		return "set wal_level = logical at the source and restart it"
	case "42501":
		return "give the role of source.dsn the attribute REPLICATION"
	}
	return ""
}
