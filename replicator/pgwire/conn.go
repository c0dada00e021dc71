package pgwire

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/certificate"
)

// wire is one connection: messages in and out, each within its time. What is read of a message is accounted for before it is read.
type wire struct {
	net   net.Conn
	in    *bufio.Reader
	left  int  // bytes of the message that is being read
	kind  byte // of that message
	proto *pgproto3.Backend
	out   int   // bytes that were sent since the last flush
	took  int64 // of the budget, for the message

	budget      *sessionBudget // nil before login
	messageMax  int
	messageTime time.Duration
}

func newWire(c net.Conn, messageTime time.Duration) *wire {
	w := &wire{messageTime: messageTime, messageMax: maxLoginMessage}
	w.use(c)
	return w
}

// maxLoginMessage bounds messages before login.
const maxLoginMessage = 4 << 10

// use makes c the connection, in the clear or not.
func (w *wire) use(c net.Conn) {
	w.net, w.in = c, bufio.NewReaderSize(c, 16<<10)
	w.proto = pgproto3.NewBackend(w, c)
	w.proto.SetMaxBodyLen(w.messageMax)
}

// Read gives the protocol the bytes of the current message and no more, so that the next one can be looked at before it is taken in.
func (w *wire) Read(p []byte) (int, error) {
	if w.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := w.in.Read(p[:min(len(p), w.left)])
	w.left -= n
	return n, err
}

// errTooLong is the error of a message beyond the limit.
var errTooLong = errors.New("the message is too long")

// begin waits for a message, for idle at most, and makes room for it. Then the rest of it must come within messageTime.
func (w *wire) begin(idle time.Duration, header int) error {
	w.giveBack()
	if err := w.deadline(idle); err != nil {
		return err
	}
	if _, err := w.in.Peek(1); err != nil {
		return err
	}
	if err := w.deadline(w.messageTime); err != nil {
		return err
	}
	head, err := w.in.Peek(header)
	if err != nil {
		return unexpected(err)
	}
	length := int64(binary.BigEndian.Uint32(head[header-4:]))
	if length < 4 || length > int64(w.messageMax) {
		return errTooLong
	}
	w.kind, w.left = head[0], int(length)+header-4
	if w.budget != nil && length > smallMessage {
		if err := w.budget.take(2 * length); err != nil { // the message, and what is made of it
			return w.pass(err)
		}
		w.took = 2 * length
	}
	return nil
}

// pass reads what there is no room for, and forgets it.
func (w *wire) pass(why *Error) error {
	n := w.left
	w.left = 0
	if _, err := w.in.Discard(n); err != nil {
		return unexpected(err)
	}
	return why
}

// smallMessage is the length up to which messages are not accounted for.
const smallMessage = 16 << 10

// giveBack gives back the room of the last message.
func (w *wire) giveBack() {
	if w.took > 0 {
		w.budget.giveBack(w.took)
		w.took = 0
	}
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (w *wire) deadline(d time.Duration) error { return w.net.SetReadDeadline(time.Now().Add(d)) }

// receive returns the next message, which is valid until the next call.
func (w *wire) receive(idle time.Duration) (pgproto3.FrontendMessage, error) {
	if err := w.begin(idle, 5); err != nil {
		return nil, err
	}
	return w.proto.Receive()
}

// receiveStartup returns the first message of a connection.
func (w *wire) receiveStartup() (pgproto3.FrontendMessage, error) {
	if err := w.begin(w.messageTime, 4); err != nil {
		return nil, err
	}
	return w.proto.ReceiveStartupMessage()
}

// flushBytes is how much is sent before it is flushed by itself.
const flushBytes = 128 << 10

// send puts a message into the buffer; size is about its length.
func (w *wire) send(m pgproto3.BackendMessage, size int) error {
	w.proto.Send(m)
	if w.out += size + 16; w.out >= flushBytes {
		return w.flush()
	}
	return nil
}

// flush sends what is in the buffer. A client that does not take it in time is given up.
func (w *wire) flush() error {
	w.out = 0
	if err := w.net.SetWriteDeadline(time.Now().Add(w.messageTime)); err != nil {
		return err
	}
	return w.proto.Flush()
}

// close ends the connection, encryption first: a client may be waiting for its end.
func (w *wire) close() { _ = w.net.Close() }

// answerByte answers a request for encryption.
func (w *wire) answerByte(b byte) error {
	if err := w.net.SetWriteDeadline(time.Now().Add(w.messageTime)); err != nil {
		return err
	}
	_, err := w.net.Write([]byte{b})
	return err
}

// watch calls gone if the client hangs up before stop is called. Nothing may be read in between; what the client has sent already stays
// unread.
func (w *wire) watch(gone func()) (stop func()) {
	if w.net.SetReadDeadline(time.Time{}) != nil {
		return func() {}
	}
	g := &errgroup.Group{}
	g.Go(func() error {
		if _, err := w.in.Peek(1); err != nil && !isTimeout(err) {
			gone()
		}
		return nil
	})
	return func() {
		_ = w.net.SetReadDeadline(time.Now()) // a connection that is closed ends the wait by itself
		_ = g.Wait()                          // it returns no error
	}
}

var errStuffed = errors.New("bytes came before encryption began")

// encrypt turns to TLS: directly, where the client's first bytes, which were looked at already, begin it. Else nothing that it sent
// before is taken for part of it: an attacker in between may have put it there.
func (w *wire) encrypt(ctx context.Context, c *certificate.Certificate, direct bool) error {
	under := w.net
	if direct {
		under = &peeked{Conn: w.net, in: w.in}
	} else if w.in.Buffered() > 0 {
		return errStuffed
	}
	secured, err := c.Handshake(ctx, under, direct)
	if err != nil {
		return err
	}
	w.use(secured)
	return nil
}

// isTimeout reports whether a deadline passed.
func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// peeked is a connection of which some bytes were looked at.
type peeked struct {
	net.Conn

	in *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.in.Read(b) }
