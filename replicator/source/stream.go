// Package source reads from the EHR's database what is replicated: its slot, its stream of
// changes, and which transactions it shows.
package source

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// ErrSilent means that the source sent nothing, not even when asked.
var ErrSilent = errors.New("the source does not answer")

// Transaction is a transaction of the source.
type Transaction struct {
	XID    uint32
	Commit pglogrepl.LSN // where its commit begins in the WAL
	Sent   time.Time     // when the source sent what is decoded
}

// Sink takes what a stream brings, in its order. One goroutine calls it, that of
// [Stream.Decode].
type Sink interface {
	// Relation describes a table before the first of its rows, and again when it changed.
	Relation(m *pglogrepl.RelationMessage) error
	// Row is a change of rows: an insert, an update, a delete or a truncate.
	Row(ctx context.Context, m pglogrepl.Message, of Transaction) error
	// Position says that everything before lsn has been passed on. committed is when the
	// transaction that ends there committed; it is zero between transactions.
	Position(ctx context.Context, lsn pglogrepl.LSN, committed time.Time) error
	// Passed says that everything before a mark has been passed on: see [Mark].
	Passed(ctx context.Context, mark string) error
}

// Options say what a stream reads, and who takes it. All are required but IdleGap.
type Options struct {
	Conn    *pgconn.PgConn // for the replication protocol; the stream is its sole owner
	Sink    Sink
	From    pglogrepl.LSN  // transactions that committed before are skipped
	Applied *atomic.Uint64 // the position that the replica holds durably; 0: none
	Heard   *atomic.Int64  // set to the time of each message, in Unix nanoseconds
	IdleGap time.Duration  // shortest time between two positions between transactions
}

// Stream reads the replication connection. [Stream.Receive] alone uses the connection,
// and [Stream.Decode] hands on what it received.
type Stream struct {
	Options

	raw    chan []byte   // what was received and is to be decoded
	inTx   bool          // in what was decoded
	tx     Transaction   // being decoded
	skipTx bool          // it is applied already
	idle   pglogrepl.LSN // the last position that was passed on
	idleAt time.Time
}

// NewStream returns a stream that was not started.
func NewStream(o Options) *Stream { return &Stream{Options: o, raw: make(chan []byte)} }

// Start asks the server for the stream after From.
func (s *Stream) Start(ctx context.Context, slot, publication string) error {
	err := pglogrepl.StartReplication(ctx, s.Conn, schema.Quote(slot), s.From, pglogrepl.StartReplicationOptions{
		Mode: pglogrepl.LogicalReplication,
		PluginArgs: []string{
			"proto_version '1'",
			"publication_names " + Literal(schema.Quote(publication)),
			"messages 'true'",
		},
	})
	hint := ""
	switch fault.State(err) {
	case "42704":
		hint = "check source.slot and source.publication; a publication made after the slot needs a new slot: " + ResyncHint
	case "55000":
		hint = ResyncHint
	}
	return fault.New("start replication from slot "+slot, err, hint)
}

func (s *Stream) copyData(ctx context.Context, data []byte) error {
	if len(data) == 0 {
		return fault.New("read the stream", ErrDecode, "")
	}
	switch data[0] {
	case pglogrepl.PrimaryKeepaliveMessageByteID:
		k, err := pglogrepl.ParsePrimaryKeepaliveMessage(data[1:])
		if err != nil {
			return fault.New("read the stream", ErrDecode, "")
		}
		return s.idleAtLSN(ctx, k.ServerWALEnd)
	case pglogrepl.XLogDataByteID:
		x, err := pglogrepl.ParseXLogData(data[1:])
		if err != nil {
			return fault.New("read the stream", ErrDecode, "")
		}
		s.tx.Sent = x.ServerTime
		return s.message(ctx, x.WALData)
	}
	return nil
}

// idleAtLSN passes on that everything up to lsn was sent. Between transactions
// that is a position like a commit's: without it a quiet publication in a busy
// database would hold back WAL without end.
func (s *Stream) idleAtLSN(ctx context.Context, lsn pglogrepl.LSN) error {
	if s.inTx || lsn <= s.idle || lsn <= s.From || time.Since(s.idleAt) < s.IdleGap {
		return nil
	}
	s.idle, s.idleAt = lsn, time.Now()
	return s.Sink.Position(ctx, lsn, time.Time{})
}

func (s *Stream) message(ctx context.Context, data []byte) error {
	if len(data) == 0 { // Parse would panic
		return fault.New("decode the stream", ErrDecode, "")
	}
	msg, err := pglogrepl.Parse(data)
	if err != nil {
		return fault.New("decode the stream", ErrDecode, "")
	}
	switch m := msg.(type) {
	case *pglogrepl.BeginMessage:
		s.tx, s.skipTx = Transaction{XID: m.Xid, Commit: m.FinalLSN}, m.FinalLSN < s.From
		s.inTx = true
	case *pglogrepl.CommitMessage:
		err = s.commit(ctx, m)
	case *pglogrepl.RelationMessage:
		err = s.Sink.Relation(m)
	case *pglogrepl.LogicalDecodingMessage:
		if m.Prefix == markPrefix {
			return s.Sink.Passed(ctx, string(m.Content))
		}
		err = s.idleAtLSN(ctx, m.LSN)
	case *pglogrepl.OriginMessage, *pglogrepl.TypeMessage:
		// Where a change came from first, and names of types, decide nothing here.
	case *pglogrepl.InsertMessage, *pglogrepl.UpdateMessage, *pglogrepl.DeleteMessage, *pglogrepl.TruncateMessage:
		if !s.skipTx {
			err = s.Sink.Row(ctx, msg, s.tx)
		}
	default:
		err = fault.New("decode the stream", ErrDecode, "")
	}
	return err
}

func (s *Stream) commit(ctx context.Context, m *pglogrepl.CommitMessage) error {
	s.inTx = false
	if s.skipTx {
		return nil
	}
	s.idle = max(s.idle, m.TransactionEndLSN) // a keepalive may bring an older position after it
	return s.Sink.Position(ctx, m.TransactionEndLSN, m.CommitTime)
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
	return errors.Join(connect.ErrGone, err)
}

// Literal quotes a string for SQL.
func Literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
