package source

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// ErrDecode means that what the source sent can't be read.
var ErrDecode = errors.New("the source sent a message that does not fit what it announced")

// Snapshot says which transactions are seen: those that began before next and are
// not running.
type Snapshot struct {
	oldest  uint64 // all before it have ended
	next    uint64
	running []uint64
}

// ReadSnapshot returns which transactions a statement sees that begins now.
func ReadSnapshot(ctx context.Context, conn *pgx.Conn) (s Snapshot, err error) {
	err = conn.QueryRow(ctx, "select pg_current_snapshot()").Scan(&s)
	return s, fault.New("look what the source shows", connect.Lost(conn, err), "")
}

// Scan implements [sql.Scanner]. It reads PostgreSQL's text format of pg_snapshot, "xmin:xmax:xip,…".
func (s *Snapshot) Scan(src any) (err error) {
	text, _ := src.(string)
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return ErrDecode
	}
	*s = Snapshot{}
	for i, bound := range []*uint64{&s.oldest, &s.next} {
		*bound, err = strconv.ParseUint(parts[i], 10, 64)
		if err != nil {
			return ErrDecode
		}
	}
	for _, p := range strings.FieldsFunc(parts[2], func(r rune) bool { return r == ',' }) {
		xid, err := strconv.ParseUint(p, 10, 64)
		if err != nil {
			return ErrDecode
		}
		s.running = append(s.running, xid)
	}
	return nil
}

// Has reports whether the snapshot sees a transaction, of which the stream has
// the lower half of the number only: it is within 2^31 of the next one.
func (s Snapshot) Has(xid uint32) bool {
	distance := int32(xid - uint32(s.next)) //nolint:gosec // wraps around on purpose
	if distance >= 0 {
		return false
	}
	return !slices.Contains(s.running, s.next-uint64(-int64(distance)))
}

// Coverage is what the copy of a table has.
type Coverage struct {
	Seen Snapshot
	End  pglogrepl.LSN // all transactions that are seen committed before
}

// Has reports whether the copy has a transaction that committed at lsn; c may be nil.
func (c *Coverage) Has(xid uint32, lsn pglogrepl.LSN) bool {
	return c != nil && lsn < c.End && c.Seen.Has(xid)
}

// quiescePause is how long to wait before looking again whether writers have ended.
const quiescePause = 50 * time.Millisecond

// Quiesce waits until every transaction that writes to the source now has ended.
// One that began before a table was published could commit after the copy's
// snapshot, and the stream would not have what it wrote before.
func Quiesce(ctx context.Context, conn *pgx.Conn) error {
	var first Snapshot
	for {
		now, err := ReadSnapshot(ctx, conn)
		if err != nil {
			return err
		}
		if first.next == 0 {
			first = now
		}
		if now.oldest >= first.next {
			return nil
		}
		select {
		case <-time.After(quiescePause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
