package replicator

import (
	"context"
	"time"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// turnRows bounds how many rows are rewritten between two commits of the stream. What
// remains waits in the vault: the stream of all the others goes on in between. New notes
// are made with the new record at once; old ones stay as they are until their turn.
const turnRows = 25

// queueLook is how often the queue is looked at for what other processes put there.
const queueLook = 15 * time.Second

// backlog takes turns at the rows that must be read again: those that a changed row leads
// to their patient, those of patients whose record changed, and all notes after the
// directory has grown. What waits is in the vault; only what is in hand is in memory.
// It belongs to the committer's goroutine.
type backlog struct {
	w      *writer
	active []*errand // in the order of their turns
	more   bool      // the queues in the vault may hold others
	look   time.Time // when to look there in any case
	pass   *pass
}

func newBacklog(w *writer, p *pass) *backlog { return &backlog{w: w, more: true, pass: p} }

// errandsAtOnce is how many errands are taken in hand together.
const errandsAtOnce = 50

// waiting reports whether there is something to do at the given time.
func (b *backlog) waiting(now time.Time) bool {
	return b != nil && (len(b.active) > 0 || b.more || !now.Before(b.look) || b.pass.due(now))
}

// turn rewrites turnRows rows, or a few more; fewer if there are no more. Errands take
// turns too, so that a patient with very many rows does not hold up the others.
func (b *backlog) turn(ctx context.Context) error {
	for rows := 0; rows < turnRows; {
		if err := b.fill(ctx); err != nil {
			return err
		}
		if len(b.active) == 0 {
			return b.pass.turn(ctx, b.w, turnRows-rows)
		}
		e := b.active[0]
		b.active = b.active[1:]
		n, err := e.page(ctx, b.w, turnRows-rows)
		if err != nil {
			return err
		}
		if !e.done() {
			b.active = append(b.active, e)
		}
		rows += n + 1 // an errand without rows costs queries all the same
	}
	return nil
}

// fill takes errands from the vault when there are none in hand.
func (b *backlog) fill(ctx context.Context) error {
	now := b.w.now()
	if len(b.active) > 0 || !b.more && now.Before(b.look) {
		return nil
	}
	var err error
	b.active, err = b.w.errands(ctx, errandsAtOnce)
	b.more, b.look = len(b.active) == errandsAtOnce, now.Add(queueLook)
	return err
}

// errands reads what waits longest. Rows that may be with the wrong patient come first.
func (w *writer) errands(ctx context.Context, limit int) ([]*errand, error) {
	list, err := w.pathErrands(ctx, limit)
	if err != nil || len(list) == limit {
		return list, fault.New("read which rows lead to other patients now", connect.Lost(w.conn, err), "")
	}
	patients, err := w.patientErrands(ctx, limit-len(list))
	return append(list, patients...), fault.New("read the patients whose record changed", connect.Lost(w.conn, err), "")
}
