package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// sample is one run of a stage.
type sample struct {
	notes int
	took  time.Duration
	cpu   time.Duration // of this process
	// servers is what both servers used of all cores.
	servers time.Duration
	runs    uint64 // of networks over windows
}

// clock is when a run began, and what had been used of the cores until then.
type clock struct {
	at           time.Time
	own, servers time.Duration
}

func (l *lab) begin() clock {
	return clock{own: cpuTime(), servers: serverTime(l.site.Source, l.site.Replica), at: time.Now()}
}

// end returns the run that c began.
func (l *lab) end(c clock, notes int) sample {
	took := time.Since(c.at)
	return sample{notes: notes, took: took, cpu: cpuTime() - c.own, servers: serverTime(l.site.Source, l.site.Replica) - c.servers}
}

// receiveRaw receives the stream of the notes and does nothing with it.
func (l *lab) receiveRaw(ctx context.Context) (s sample, err error) {
	const slot = "raw"
	err = l.withSlot(ctx, readyDB, slot, func() error {
		conn, err := connect.Replication(ctx, l.cfg)
		if err != nil {
			return err
		}
		defer connect.Close(conn)
		begun := l.begin()
		err = pglogrepl.StartReplication(ctx, conn, slot, 0, pglogrepl.StartReplicationOptions{
			Mode:       pglogrepl.LogicalReplication,
			PluginArgs: []string{"proto_version '1'", "publication_names " + source.Literal(l.cfg.Source.Publication)},
		})
		if err != nil {
			return fault.New("start replication", err, "")
		}
		rows, err := l.countRows(ctx, conn)
		s = l.end(begun, rows)
		return err
	})
	return s, err
}

// countRows receives until it has seen a row for each note and the end of its transaction.
func (l *lab) countRows(ctx context.Context, conn *pgconn.PgConn) (rows int, err error) {
	const header = 1 + 3*8 // of XLogData: kind, two positions, a time
	for {
		msg, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return rows, fault.New("receive the stream", err, "")
		}
		switch m := msg.(type) {
		case *pgproto3.ErrorResponse:
			return rows, fault.New("receive the stream", pgconn.ErrorResponseToPgError(m), "")
		case *pgproto3.CopyData:
			switch {
			case len(m.Data) <= header || m.Data[0] != pglogrepl.XLogDataByteID:
			case m.Data[header] == 'I':
				rows++
			case m.Data[header] == 'C' && rows >= l.Notes:
				return rows, nil
			}
		}
	}
}

// copyPlain copies the notes into a table without indexes.
func (l *lab) copyPlain(ctx context.Context) (s sample, err error) {
	err = l.withClone(ctx, nativeDB, func(_ string, conn *pgx.Conn) error {
		create := fmt.Sprintf("create table plain as select %s from ehr.note with no data", l.columnList())
		if _, err := conn.Exec(ctx, create); err != nil {
			return fault.New("make a plain table", err, "")
		}
		begun := l.begin()
		tag, err := conn.PgConn().CopyFrom(ctx, l.reader(), fmt.Sprintf("copy plain (%s) from stdin", l.columnList()))
		s = l.end(begun, int(tag.RowsAffected()))
		return fault.New("copy into a plain table", err, "")
	})
	return s, err
}

// subscribe has PostgreSQL's own subscription write the notes. It does not wait for the disk unless it is told to.
func (l *lab) subscribe(ctx context.Context, durable string) (s sample, err error) {
	const slot = "native"
	err = l.withSlot(ctx, readyDB, slot, func() error {
		return l.withClone(ctx, nativeDB, func(_ string, conn *pgx.Conn) error {
			dsn := l.site.Source.DSN(l.site.Source.Superuser(), sourceDB)
			create := fmt.Sprintf("create subscription s connection %s publication %s with (create_slot = false, slot_name = %s, copy_data = false, synchronous_commit = %s)",
				source.Literal(fmt.Sprintf("%s&password=%s", dsn, l.site.Source.Password())), l.cfg.Source.Publication, slot, durable)
			begun := l.begin()
			if _, err := conn.Exec(ctx, create); err != nil {
				return fault.New("subscribe", err, "")
			}
			s, err = l.timed(ctx, begun, slot, l.Notes, func() (bool, error) {
				var there bool
				last := l.hospital.Note(l.Notes - 1).ID
				err := conn.QueryRow(ctx, "select exists (select from ehr.note where note_id = $1)", last).Scan(&there)
				return there, err
			})
			return errors.Join(err, endSubscription(context.WithoutCancel(ctx), conn))
		})
	})
	return s, err
}

func endSubscription(ctx context.Context, conn *pgx.Conn) error {
	for _, statement := range []string{"alter subscription s disable", "alter subscription s set (slot_name = none)", "drop subscription s"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fault.New("end the subscription", err, "")
		}
	}
	return nil
}

// timed waits until a slot's reader has brought everything, and returns how long that took
// since it connected: by the server's clock, which is this machine's.
func (l *lab) timed(ctx context.Context, begun clock, slot string, notes int, there func() (bool, error)) (sample, error) {
	var start time.Time
	for {
		if start.IsZero() {
			err := l.source.QueryRow(ctx, `select r.backend_start from pg_stat_replication r join pg_replication_slots s on s.active_pid = r.pid
				where s.slot_name = $1`, slot).Scan(&start)
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return sample{}, fault.New("look who streams", err, "")
			}
		}
		done, err := there()
		if err != nil {
			return sample{}, fault.New("look how far the stream has come", err, "")
		}
		if done && !start.IsZero() {
			begun.at = start
			return l.end(begun, notes), nil
		}
		if err := pause(ctx, 2*time.Millisecond); err != nil {
			return sample{}, err
		}
	}
}
