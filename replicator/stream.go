package replicator

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// stream reads the replication connection. One goroutine owns the connection, another
// one decodes.
type stream struct {
	conn   *pgconn.PgConn
	decode *decoder
	put    func(context.Context, *item) error
	copies map[*table]*coverage // what copies that are newer than from have

	from    pglogrepl.LSN // transactions that committed before are applied already
	inTx    bool          // in what was decoded
	final   pglogrepl.LSN // commit of the transaction being read
	xid     uint32
	skipTx  bool
	idle    pglogrepl.LSN // the last position that was passed on
	idleAt  time.Time
	idleGap time.Duration // between idle marks

	applied  *atomic.Uint64 // LSN that the replica holds durably
	lastSeen *atomic.Int64  // Unix nanoseconds of the last message
	raw      chan []byte    // what was received and is to be decoded
}

// start asks the server for the stream after from.
func (s *stream) start(ctx context.Context, slot, publication string) error {
	err := pglogrepl.StartReplication(ctx, s.conn, quote(slot), s.from, pglogrepl.StartReplicationOptions{
		Mode: pglogrepl.LogicalReplication,
		PluginArgs: []string{
			"proto_version '1'",
			"publication_names " + literal(quote(publication)),
			"messages 'true'",
		},
	})
	hint := ""
	switch fault.State(err) {
	case "42704":
		hint = "check source.slot and source.publication; a publication made after the slot needs a new slot: " + resyncHint
	case "55000":
		hint = resyncHint
	}
	return fault.New("start replication from slot "+slot, err, hint)
}

func (s *stream) copyData(ctx context.Context, data []byte) error {
	if len(data) == 0 {
		return fault.New("read the stream", errDecode, "")
	}
	switch data[0] {
	case pglogrepl.PrimaryKeepaliveMessageByteID:
		k, err := pglogrepl.ParsePrimaryKeepaliveMessage(data[1:])
		if err != nil {
			return fault.New("read the stream", errDecode, "")
		}
		return s.idleAtLSN(ctx, k.ServerWALEnd)
	case pglogrepl.XLogDataByteID:
		x, err := pglogrepl.ParseXLogData(data[1:])
		if err != nil {
			return fault.New("read the stream", errDecode, "")
		}
		return s.message(ctx, x.WALData)
	}
	return nil
}

// idleAtLSN passes on that everything up to lsn was sent. Between transactions
// that is a position like a commit's: without it a quiet publication in a busy
// database would hold back WAL for ever.
func (s *stream) idleAtLSN(ctx context.Context, lsn pglogrepl.LSN) error {
	if s.inTx || lsn <= s.idle || lsn <= s.from || time.Since(s.idleAt) < s.idleGap {
		return nil
	}
	s.idle, s.idleAt = lsn, time.Now()
	return s.put(ctx, markItem(position{lsn: lsn}))
}

func (s *stream) message(ctx context.Context, data []byte) error {
	msg, err := pglogrepl.Parse(data)
	if err != nil {
		return fault.New("decode the stream", errDecode, "")
	}
	switch m := msg.(type) {
	case *pglogrepl.BeginMessage:
		s.final, s.xid, s.skipTx = m.FinalLSN, m.Xid, m.FinalLSN < s.from
		s.inTx = true
	case *pglogrepl.CommitMessage:
		err = s.commit(ctx, m)
	case *pglogrepl.RelationMessage:
		err = s.decode.relation(m)
	case *pglogrepl.LogicalDecodingMessage:
		err = s.idleAtLSN(ctx, m.LSN)
	case *pglogrepl.OriginMessage, *pglogrepl.TypeMessage:
		// Where a change came from first, and names of types, decide nothing here.
	default:
		err = s.rowMessage(ctx, msg)
	}
	return err
}

func (s *stream) commit(ctx context.Context, m *pglogrepl.CommitMessage) error {
	s.inTx = false
	if s.skipTx {
		return nil
	}
	s.idle = max(s.idle, m.TransactionEndLSN) // a keepalive may bring an older position after it
	return s.put(ctx, markItem(position{lsn: m.TransactionEndLSN, committed: m.CommitTime}))
}

func (s *stream) rowMessage(ctx context.Context, msg pglogrepl.Message) error {
	if s.skipTx {
		return nil
	}
	var changes []*change
	var c *change
	var err error
	switch m := msg.(type) {
	case *pglogrepl.InsertMessage:
		c, err = s.decode.insert(m)
	case *pglogrepl.UpdateMessage:
		c, err = s.decode.update(m)
	case *pglogrepl.DeleteMessage:
		c, err = s.decode.delete(m)
	case *pglogrepl.TruncateMessage:
		changes, err = s.decode.truncate(m)
	default:
		return fault.New("decode the stream", errDecode, "")
	}
	if err != nil {
		return err
	}
	if c != nil {
		changes = append(changes, c)
	}
	for _, c := range changes {
		c.lsn, c.xid = s.final, s.xid
		if c.covered = s.copies[c.table].has(s.xid, s.final); c.covered && c.op == truncateOp {
			continue
		}
		if err := s.put(ctx, rowItem(c)); err != nil {
			return err
		}
	}
	return nil
}

func statusUpdate(applied pglogrepl.LSN) (pglogrepl.StandbyStatusUpdate, bool) {
	return pglogrepl.StandbyStatusUpdate{
		WALWritePosition: applied, WALFlushPosition: applied, WALApplyPosition: applied, ReplyRequested: true,
	}, applied != 0
}

func wrapGone(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(errConnGone, err)
}

// literal quotes a string for SQL.
func literal(s string) string {
	out := []byte{'\''}
	for i := range len(s) {
		if s[i] == '\'' {
			out = append(out, '\'')
		}
		out = append(out, s[i])
	}
	return string(append(out, '\''))
}
