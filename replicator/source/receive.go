package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// One goroutine owns the replication connection: it receives, passes what it received to
// the one that decodes, and sends the applied position in between. So nothing that ends the
// receiving can cut a status in half, and statuses go on while the queue is full.

// lastWord bounds how long the last status may take, whatever became of the session.
const lastWord = 2 * time.Second

// receiver is that goroutine's view of the stream.
type receiver struct {
	*Stream
	tick, silence time.Duration
	next          time.Time // when the next status is due
	since         time.Time // since when a message is awaited
	inTx          bool      // in what was received
}

// Receive receives until stop is done and no transaction is half received, ctx is done or the
// connection fails, and sends status until ended is closed. It returns nil only in the
// first case.
func (s *Stream) Receive(ctx, stop context.Context, ended <-chan struct{}, tick, silence time.Duration) error {
	r := &receiver{Stream: s, tick: tick, silence: silence}
	err := r.receiveAll(ctx, stop)
	close(s.raw)
	for err == nil {
		timer := time.NewTimer(time.Until(r.next))
		select {
		case <-ended:
			timer.Stop()
			return nil
		case <-timer.C:
			err = r.status()
		case <-ctx.Done():
			err = ctx.Err()
		}
		timer.Stop()
	}
	return err
}

// receiveAll receives until it is asked to stop.
func (r *receiver) receiveAll(ctx, stop context.Context) error {
	unstopped, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(stop, cancel)()
	for stop.Err() == nil || r.inTx {
		if err := r.status(); err != nil {
			return err
		}
		from := unstopped
		if stop.Err() != nil {
			from = ctx // to the end of the transaction
		}
		if err := r.receiveUntilDue(ctx, from); err != nil {
			return err
		}
	}
	return nil
}

// receiveUntilDue receives until the next status is due or from is done.
func (r *receiver) receiveUntilDue(ctx, from context.Context) error {
	until, cancel := context.WithDeadline(from, r.next)
	defer cancel()
	for {
		if r.since.IsZero() {
			r.since = time.Now()
		}
		msg, err := r.Conn.ReceiveMessage(until)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case until.Err() != nil && !r.Conn.IsClosed():
			if time.Since(r.since) > r.silence {
				return fault.New("read the stream", ErrSilent, "")
			}
			return nil
		default:
			return fault.New("read the stream", errors.Join(connect.ErrGone, err), "")
		}
		r.since = time.Time{}
		r.Heard.Store(time.Now().UnixNano())
		if err := r.pass(ctx, msg); err != nil {
			return err
		}
		if !time.Now().Before(r.next) {
			return nil
		}
	}
}

// pass hands a message to the goroutine that decodes. While there is no room for it,
// status goes on.
func (r *receiver) pass(ctx context.Context, msg pgproto3.BackendMessage) error {
	data, err := r.payload(msg)
	if data == nil || err != nil {
		return err
	}
	for {
		timer := time.NewTimer(time.Until(r.next))
		select {
		case r.raw <- data:
			timer.Stop()
			return nil
		case <-timer.C:
			if err := r.status(); err != nil {
				return err
			}
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// payload returns a copy of what is to be decoded, or nil.
func (r *receiver) payload(msg pgproto3.BackendMessage) ([]byte, error) {
	switch m := msg.(type) {
	case *pgproto3.CopyData:
		r.look(m.Data)
		return bytes.Clone(m.Data), nil
	case *pgproto3.ErrorResponse:
		return nil, fault.New("read the stream", pgconn.ErrorResponseToPgError(m), "")
	case *pgproto3.CopyDone:
		return nil, fault.New("read the stream", fmt.Errorf("%w: the server ended it", connect.ErrGone), "")
	}
	return nil, nil // notices and parameter changes
}

// look sees in a message what counts for the connection itself: where transactions begin
// and end, and that the server asks for a status.
func (r *receiver) look(data []byte) {
	const header = 1 + 3*8 // of XLogData: kind, two positions, a time
	switch {
	case len(data) > header && data[0] == pglogrepl.XLogDataByteID:
		switch data[header] {
		case 'B':
			r.inTx = true
		case 'C':
			r.inTx = false
		}
	case len(data) > 0 && data[0] == pglogrepl.PrimaryKeepaliveMessageByteID && data[len(data)-1] == 1:
		r.next = time.Now()
	}
}

// status sends the applied position if that is due.
func (r *receiver) status() error {
	if time.Now().Before(r.next) {
		return nil
	}
	r.next = time.Now().Add(r.tick)
	return r.sendStatus()
}

// sendStatus confirms what the replica holds durably, and nothing else: as
// written, flushed and applied alike. A zero would make pglogrepl or the server
// put another position in its place, so nothing is sent before there is one.
func (s *Stream) sendStatus() error {
	update, ok := statusUpdate(pglogrepl.LSN(s.Applied.Load()))
	if !ok {
		return nil
	}
	conn := s.Conn.Conn()
	if err := conn.SetWriteDeadline(time.Now().Add(lastWord)); err != nil {
		return fault.New("confirm the position", wrapGone(err), "")
	}
	if err := pglogrepl.SendStandbyStatusUpdate(context.Background(), s.Conn, update); err != nil {
		return fault.New("confirm the position", wrapGone(err), "")
	}
	return fault.New("confirm the position", wrapGone(conn.SetWriteDeadline(time.Time{})), "")
}

// SayGoodbye sends the last status and waits until the source has taken it: a connection that is
// closed with something unread may take what was sent along. Where that fails, the next
// session confirms.
func (s *Stream) SayGoodbye() {
	if s.Conn.IsClosed() || s.sendStatus() != nil {
		return
	}
	if s.Conn.Conn().SetDeadline(time.Now().Add(lastWord)) == nil { // the call does not look at its context
		_, _ = pglogrepl.SendStandbyCopyDone(context.Background(), s.Conn)
	}
}

// Decode decodes what was received until there is no more.
func (s *Stream) Decode(ctx context.Context) error {
	for {
		select {
		case data, ok := <-s.raw:
			if !ok {
				return nil
			}
			if err := s.copyData(ctx, data); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
