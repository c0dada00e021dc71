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
	cpu   time.Duration // of this process; 0: none of it counts
	runs  uint64        // of networks over windows
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
		start := time.Now()
		err = pglogrepl.StartReplication(ctx, conn, slot, 0, pglogrepl.StartReplicationOptions{
			Mode:       pglogrepl.LogicalReplication,
			PluginArgs: []string{"proto_version '1'", "publication_names " + source.Literal(l.cfg.Source.Publication)},
		})
		if err != nil {
			return fault.New("start replication", err, "")
		}
		s, err = l.countRows(ctx, conn)
		s.took = time.Since(start)
		return err
	})
	return s, err
}

// countRows receives until it has seen a row for each note and the end of its transaction.
func (l *lab) countRows(ctx context.Context, conn *pgconn.PgConn) (s sample, err error) {
	const header = 1 + 3*8 // of XLogData: kind, two positions, a time
	for {
		msg, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return s, fault.New("receive the stream", err, "")
		}
		switch m := msg.(type) {
		case *pgproto3.ErrorResponse:
			return s, fault.New("receive the stream", pgconn.ErrorResponseToPgError(m), "")
		case *pgproto3.CopyData:
			switch {
			case len(m.Data) <= header || m.Data[0] != pglogrepl.XLogDataByteID:
			case m.Data[header] == 'I':
				s.notes++
			case m.Data[header] == 'C' && s.notes >= l.Notes:
				return s, nil
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
		start := time.Now()
		tag, err := conn.PgConn().CopyFrom(ctx, l.reader(), fmt.Sprintf("copy plain (%s) from stdin", l.columnList()))
		s = sample{notes: int(tag.RowsAffected()), took: time.Since(start)}
		return fault.New("copy into a plain table", err, "")
	})
	return s, err
}

// subscribe has PostgreSQL's own subscription write the notes, with its default settings.
func (l *lab) subscribe(ctx context.Context) (s sample, err error) {
	const slot = "native"
	err = l.withSlot(ctx, readyDB, slot, func() error {
		return l.withClone(ctx, nativeDB, func(_ string, conn *pgx.Conn) error {
			dsn := l.site.Source.DSN(l.site.Source.Superuser(), sourceDB)
			create := fmt.Sprintf("create subscription s connection %s publication %s with (create_slot = false, slot_name = %s, copy_data = false)",
				source.Literal(fmt.Sprintf("%s&password=%s", dsn, l.site.Source.Password())), l.cfg.Source.Publication, slot)
			if _, err := conn.Exec(ctx, create); err != nil {
				return fault.New("subscribe", err, "")
			}
			s, err = l.timed(ctx, slot, l.Notes, func() (bool, error) {
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
func (l *lab) timed(ctx context.Context, slot string, notes int, there func() (bool, error)) (sample, error) {
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
			return sample{notes: notes, took: time.Since(start)}, nil
		}
		if err := pause(ctx, 2*time.Millisecond); err != nil {
			return sample{}, err
		}
	}
}
