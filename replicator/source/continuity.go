package source

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
)

// A stored position means something in one history of the source's WAL only. A
// server that was restored from a backup, or a standby that was promoted before it
// had everything, counts its positions on from another point: the same number
// is the position of other changes there. So a position is followed only where it is
// proven to lie on the history that the source has now.

// Origin is the history of WAL that a server writes.
type Origin struct {
	SystemID string
	Timeline int32
	History  []ending      // of the timelines before, in order
	end      pglogrepl.LSN // how far its WAL goes
}

// ending says where a timeline was left for the next one.
type ending struct {
	timeline int32
	at       pglogrepl.LSN
}

// Continues returns an error unless everything before p is part of the source's
// history, and everything after it can still be had from the slot.
func (p *Progress) Continues(o *Origin, slot *Slot) error {
	const op = "compare the stored position with the source"
	if p.SystemID != o.SystemID {
		return fault.New(op, fmt.Errorf("the source is another cluster (system identifier %s, stored %s)", o.SystemID, p.SystemID),
			"check source.dsn; if the source was set up anew, "+ReconcileHint)
	}
	err := p.onHistory(o)
	switch {
	case err != nil:
	case p.LSN > o.end:
		err = fmt.Errorf("the source's WAL ends at %s, before the replica's %s: it was restored from an older backup", o.end, p.LSN)
	case slot.Confirmed > p.LSN:
		err = fmt.Errorf("the slot is at %s, ahead of the replica's %s: changes in between are gone "+
			"(the slot was recreated, or the replica restored from a backup)", slot.Confirmed, p.LSN)
	case p.Timeline == o.Timeline && slot.Restart < p.Restart:
		err = fmt.Errorf("the slot reads from %s, and read from %s before, which never goes back: "+
			"it was made by hand, or the source restored from an older backup", slot.Restart, p.Restart)
	}
	return fault.New(op, err, ReconcileHint)
}

// onHistory returns an error unless the timeline of p is o's, or one that o's comes
// from and that was left at p or later.
func (p *Progress) onHistory(o *Origin) error {
	n := slices.IndexFunc(o.History, func(e ending) bool { return e.timeline == p.Timeline })
	switch {
	case p.Timeline == o.Timeline:
		if p.History != nil && !slices.Equal(p.History, o.History) {
			return fmt.Errorf("the source's timeline %d began elsewhere than the stored one: another standby was promoted", o.Timeline)
		}
		return nil
	case n < 0 || p.History != nil && !slices.Equal(p.History, o.History[:n]):
		return fmt.Errorf("the source is on timeline %d, which does not come from the stored %d: it was restored from an older backup, "+
			"or another standby was promoted", o.Timeline, p.Timeline)
	case p.LSN > o.History[n].at:
		return fmt.Errorf("the source left timeline %d at %s, before the replica's %s: a standby was promoted that did not have "+
			"every change yet (synchronized_standby_slots makes the stream wait for it)", p.Timeline, o.History[n].at, p.LSN)
	}
	return nil
}

// ReadOrigin asks a replication connection for the history of its server's WAL.
func ReadOrigin(ctx context.Context, conn *pgconn.PgConn) (*Origin, error) {
	const op = "identify the source"
	id, err := pglogrepl.IdentifySystem(ctx, conn)
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	o := &Origin{SystemID: id.SystemID, Timeline: id.Timeline, end: id.XLogPos, History: []ending{}}
	if id.Timeline == 1 {
		return o, nil // the first one has no history
	}
	file, err := pglogrepl.TimelineHistory(ctx, conn, id.Timeline)
	if err != nil {
		return nil, fault.New("read the history of the source's timeline "+strconv.Itoa(int(id.Timeline)), err, ReconcileHint)
	}
	o.History, err = parseHistory(string(file.Content))
	return o, fault.New(op, err, ReconcileHint)
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

// WriteHistory writes a history as deid.progress holds it: "1@0/30000A0 2@0/5000028".
func WriteHistory(history []ending) string {
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
