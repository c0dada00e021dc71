package replicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// A stored position means something in one history of the source's WAL only. A
// server that was restored from a backup, or a standby that was promoted before it
// had everything, counts its positions on from another point: the same number
// is the position of other changes there. So a position is followed only where it is
// proven to lie on the history that the source has now.

// origin is the history of WAL that a server writes.
type origin struct {
	systemID string
	timeline int32
	history  []ending      // of the timelines before, in order
	end      pglogrepl.LSN // how far its WAL goes
}

// ending says where a timeline was left for the next one.
type ending struct {
	timeline int32
	at       pglogrepl.LSN
}

// continues returns an error unless everything before p is part of the source's
// history, and everything after it can still be had from the slot.
func (p *progress) continues(o *origin, slot *source.Slot) error {
	const op = "compare the stored position with the source"
	if p.systemID != o.systemID {
		return fault.New(op, fmt.Errorf("the source is another cluster (system identifier %s, stored %s)", o.systemID, p.systemID),
			"check source.dsn; if the source was set up anew, "+source.ResyncHint)
	}
	err := p.onHistory(o)
	switch {
	case err != nil:
	case p.lsn > o.end:
		err = fmt.Errorf("the source's WAL ends at %s, before the replica's %s: it was restored from an older backup", o.end, p.lsn)
	case slot.Confirmed > p.lsn:
		err = fmt.Errorf("the slot stands at %s, ahead of the replica's %s: changes in between are gone "+
			"(the slot was recreated, or the replica restored from a backup)", slot.Confirmed, p.lsn)
	case p.timeline == o.timeline && slot.Restart < p.restart:
		err = fmt.Errorf("the slot reads from %s, and read from %s before, which never goes back: "+
			"it was made by hand, or the source restored from an older backup", slot.Restart, p.restart)
	}
	return fault.New(op, err, source.ResyncHint)
}

// onHistory returns an error unless the timeline of p is o's, or one that o's comes
// from and that was left at p or later.
func (p *progress) onHistory(o *origin) error {
	n := slices.IndexFunc(o.history, func(e ending) bool { return e.timeline == p.timeline })
	switch {
	case p.timeline == o.timeline:
		if p.history != nil && !slices.Equal(p.history, o.history) {
			return fmt.Errorf("the source's timeline %d began elsewhere than the stored one: another standby was promoted", o.timeline)
		}
		return nil
	case n < 0 || p.history != nil && !slices.Equal(p.history, o.history[:n]):
		return fmt.Errorf("the source is on timeline %d, which does not come from the stored %d: it was restored from an older backup, "+
			"or another standby was promoted", o.timeline, p.timeline)
	case p.lsn > o.history[n].at:
		return fmt.Errorf("the source left timeline %d at %s, before the replica's %s: a standby was promoted that did not have "+
			"every change yet (synchronized_standby_slots makes the stream wait for it)", p.timeline, o.history[n].at, p.lsn)
	}
	return nil
}

// readOrigin asks a replication connection for the history of its server's WAL.
func readOrigin(ctx context.Context, conn *pgconn.PgConn) (*origin, error) {
	const op = "identify the source"
	id, err := pglogrepl.IdentifySystem(ctx, conn)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	o := &origin{systemID: id.SystemID, timeline: id.Timeline, end: id.XLogPos, history: []ending{}}
	if id.Timeline == 1 {
		return o, nil // the first one has no history
	}
	file, err := pglogrepl.TimelineHistory(ctx, conn, id.Timeline)
	if err != nil {
		return nil, fault.New("read the history of the source's timeline "+strconv.Itoa(int(id.Timeline)), err, source.ResyncHint)
	}
	o.history, err = parseHistory(string(file.Content))
	return o, fault.New(op, err, source.ResyncHint)
}

var errHistory = errors.New("a timeline history is not as PostgreSQL writes it")

// parseHistory reads a timeline history file: a line for each timeline before, with
// its number and the position where it was left.
func parseHistory(content string) ([]ending, error) {
	history := []ending{}
	for line := range strings.Lines(content) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 2 {
			return nil, errHistory
		}
		e, err := parseEnding(fields[0], fields[1])
		if err != nil {
			return nil, err
		}
		history = append(history, e)
	}
	return history, nil
}

func parseEnding(timeline, at string) (ending, error) {
	n, err := strconv.ParseInt(timeline, 10, 32)
	if err != nil {
		return ending{}, errHistory
	}
	lsn, err := pglogrepl.ParseLSN(at)
	if err != nil {
		return ending{}, errHistory
	}
	return ending{int32(n), lsn}, nil
}

// writeHistory writes a history as deid.progress holds it: "1@0/30000A0 2@0/5000028".
func writeHistory(history []ending) string {
	parts := make([]string, len(history))
	for i, e := range history {
		parts[i] = fmt.Sprintf("%d@%s", e.timeline, e.at)
	}
	return strings.Join(parts, " ")
}

// readHistory is the inverse of writeHistory.
func readHistory(text string) ([]ending, error) {
	history := []ending{}
	for _, part := range strings.Fields(text) {
		timeline, at, _ := strings.Cut(part, "@")
		e, err := parseEnding(timeline, at)
		if err != nil {
			return nil, err
		}
		history = append(history, e)
	}
	return history, nil
}
