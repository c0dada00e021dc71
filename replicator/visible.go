package replicator

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// The source writes a commit to its WAL first and lets other sessions see it a
// moment later. The stream can be faster: what is then read from the source shows
// rows as they were before the change that just came. A patient's record read in
// that moment would stay in the cache without the new name. So nothing is read for
// a change until a new snapshot of the source has its transaction.

// visiblePause is how long to wait before looking again.
const visiblePause = time.Millisecond

// await waits until the source's new snapshots have all the transactions of a
// batch.
func (l *lookups) await(ctx context.Context, batch []*item) error {
	var xids []uint32
	for _, it := range batch {
		if c := it.change; c != nil && !c.read && (len(xids) == 0 || xids[len(xids)-1] != c.xid) {
			xids = append(xids, c.xid)
		}
	}
	for len(xids) > 0 {
		s, err := readSnapshot(ctx, l.source)
		if err != nil {
			return err
		}
		if xids = slices.DeleteFunc(xids, s.has); len(xids) == 0 {
			break
		}
		select {
		case <-time.After(visiblePause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// snapshot tells which transactions are seen: those that began before next and are
// not running.
type snapshot struct {
	oldest  uint64 // all before it have ended
	next    uint64
	running []uint64
}

func readSnapshot(ctx context.Context, conn *pgx.Conn) (snapshot, error) {
	const op = "look what the source shows"
	var text string
	if err := conn.QueryRow(ctx, "select pg_current_snapshot()::text").Scan(&text); err != nil {
		return snapshot{}, fault.New(op, lost(conn, err), "")
	}
	s, err := parseSnapshot(text)
	return s, fault.New(op, err, "")
}

// parseSnapshot reads PostgreSQL's text format of pg_snapshot, "xmin:xmax:xip,…".
func parseSnapshot(text string) (snapshot, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return snapshot{}, errDecode
	}
	oldest, err := strconv.ParseUint(parts[0], 10, 64)
	if err != nil {
		return snapshot{}, errDecode
	}
	next, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return snapshot{}, errDecode
	}
	s := snapshot{oldest: oldest, next: next}
	for _, p := range strings.FieldsFunc(parts[2], func(r rune) bool { return r == ',' }) {
		xid, err := strconv.ParseUint(p, 10, 64)
		if err != nil {
			return snapshot{}, errDecode
		}
		s.running = append(s.running, xid)
	}
	return s, nil
}

// has reports whether the snapshot sees a transaction, of which the stream tells
// the lower half of the number only: it is within 2^31 of the next one.
func (s snapshot) has(xid uint32) bool {
	distance := int32(xid - uint32(s.next)) //nolint:gosec // wraps around on purpose
	if distance >= 0 {
		return false
	}
	return !slices.Contains(s.running, s.next-uint64(-int64(distance)))
}
