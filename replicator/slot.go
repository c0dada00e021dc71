package replicator

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// slotState is a row of pg_replication_slots.
type slotState struct {
	plugin    string
	database  bool // it belongs to the database that we are connected to
	active    bool
	pid       int32
	wal       string // wal_status: reserved, extended, unreserved, lost
	safe      *int64 // bytes of WAL until it is lost; nil without a limit
	confirmed pglogrepl.LSN
	restart   pglogrepl.LSN // the oldest WAL that it keeps
	retained  int64         // bytes of WAL that it holds back
}

// errStandby says that the source can't be followed there.
var errStandby = errors.New("the source is a standby, and pgdeid follows a primary")

// refuseStandby returns an error if conn leads to a standby: it has slots of its own
// or none, which says nothing of the primary's.
func refuseStandby(conn *pgx.Conn) error {
	if conn.PgConn().ParameterStatus("in_hot_standby") != "on" {
		return nil
	}
	return fault.New("look at the source", errStandby, config.StandbyHint)
}

// readSlot returns nil if there is no such slot.
func readSlot(ctx context.Context, conn *pgx.Conn, name string) (*slotState, error) {
	op := "look at slot " + name
	s := &slotState{}
	var confirmed, restart string
	err := conn.QueryRow(ctx, `
		select coalesce(plugin, ''), coalesce(database = current_database(), false), active, coalesce(active_pid, 0),
			coalesce(wal_status, 'lost'), safe_wal_size, coalesce(confirmed_flush_lsn, '0/0')::text,
			coalesce(restart_lsn, '0/0')::text, coalesce(pg_current_wal_lsn() - restart_lsn, 0)::bigint
		from pg_replication_slots where slot_name = $1`, name).
		Scan(&s.plugin, &s.database, &s.active, &s.pid, &s.wal, &s.safe, &confirmed, &restart, &s.retained)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	if s.confirmed, err = pglogrepl.ParseLSN(confirmed); err != nil {
		return nil, fault.New(op, err, "")
	}
	s.restart, err = pglogrepl.ParseLSN(restart)
	return s, fault.New(op, err, "")
}

// usable reports why a slot can't be streamed from.
func (s *slotState) usable(name string) error {
	op := "use slot " + name
	switch {
	case s == nil:
		return fault.New(op, errors.New("it does not exist, though the replica was written through it"), resyncHint)
	case s.plugin != "pgoutput" || !s.database:
		return fault.New(op, errors.New("it belongs to another program or database"), "choose another name for source.slot")
	case s.wal == "lost":
		return fault.New(op, errors.New("the source threw away WAL that it needs (max_slot_wal_keep_size)"),
			"raise that setting, then "+resyncHint)
	}
	return nil
}

// serverVersion returns the major version of a server: 15.
func serverVersion(conn *pgconn.PgConn) int {
	major := 0
	for _, r := range conn.ParameterStatus("server_version") {
		if r < '0' || r > '9' {
			break
		}
		major = major*10 + int(r-'0')
	}
	return major
}

// createdSlot is a new slot: the stream starts at consistent, and snapshot shows
// the database as it was there until the connection's next command.
type createdSlot struct {
	consistent pglogrepl.LSN
	snapshot   string
}

// createSlot makes a slot. The publication must exist already: the slot sees the
// catalogue of its own time. It waits for all writing transactions that are open
// at the source; after a while it says which.
func (r *run) createSlot(ctx context.Context, conn *pgconn.PgConn) (*createdSlot, error) {
	name := r.cfg.Source.Slot
	stop := r.nameBlockers(ctx, "the slot")
	defer stop()
	res, err := pglogrepl.ParseCreateReplicationSlot(conn.Exec(ctx, createSlotCommand(name, serverVersion(conn))))
	if err != nil {
		return nil, fault.New("create slot "+name, err, slotHint(err))
	}
	lsn, err := pglogrepl.ParseLSN(res.ConsistentPoint)
	if err != nil {
		return nil, fault.New("create slot "+name, err, "")
	}
	return &createdSlot{consistent: lsn, snapshot: res.SnapshotName}, nil
}

func createSlotCommand(name string, version int) string {
	command := "CREATE_REPLICATION_SLOT " + quote(name) + " LOGICAL pgoutput "
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
		return "raise max_replication_slots at the source, or drop a slot that nobody uses"
	case "55000":
		return "set wal_level = logical at the source and restart it"
	case "42501":
		return "give the role of source.dsn the attribute REPLICATION"
	}
	return ""
}

// nameBlockers logs which transactions at the source something waits for, once that
// takes longer than a few seconds. Until stop returns it may use r.source.
func (r *run) nameBlockers(ctx context.Context, what string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	timer := time.AfterFunc(5*time.Second, func() {
		defer close(done)
		r.logBlockers(ctx, what)
	})
	return func() {
		cancel()
		if !timer.Stop() {
			<-done // the connection must be free again
		}
	}
}

func (r *run) logBlockers(ctx context.Context, what string) {
	rows, err := r.source.Query(ctx, `
		select format('%s (since %s)', pid, date_trunc('second', xact_start)) from pg_stat_activity
		where backend_xid is not null and pid <> pg_backend_pid() order by xact_start`)
	if err != nil {
		return
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return
	}
	list := strings.Join(pids, ", ")
	if list == "" { // other roles' transactions are hidden from this one
		list = "unknown to this role: select pid, xact_start from pg_stat_activity where backend_xid is not null"
	}
	r.log.Warn(what+" waits for open transactions at the source", "pids", list)
}
