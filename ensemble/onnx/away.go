package onnx

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Exchange sends windows to another machine and returns what its networks say of them. It returns
// an error that [errors.Is] [ErrUnfit] where these windows failed there and others may not.
type Exchange func(ctx context.Context, count int, windows []byte) (scores []byte, err error)

// ErrUnfit says that another machine is well, but could not run over these windows.
var ErrUnfit = errors.New("the networks failed over these windows")

// Network identifies a network: two with the same digest say the same of every window.
type Network struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// What goes away together: so many windows at most, of so many bytes of words each. What is longer is
// no sentence, and stays.
const (
	maxAway   = 64
	maxErrand = 8 << 10
)

// MaxRequest is how many bytes windows that are sent together have at most.
const MaxRequest = maxAway * (3*maxErrand + maxPieces*8)

// weighs returns how many bytes the words of a window have.
func weighs(units []unit) int {
	n := 0
	for i := range units {
		n += len(units[i].text)
	}
	return n
}

// sendAway takes windows from the queue and has them run elsewhere, at most places requests at
// a time, until ctx is done or an exchange fails. What was not answered is run here: a window
// goes away once, so that one that another machine can't bear does not wander.
func (q *queue) sendAway(ctx context.Context, places int, do Exchange) error {
	g, ctx := errgroup.WithContext(ctx)
	free := make(chan struct{}, places)
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return g.Wait()
		}
		batch := q.nextAway(ctx)
		if batch == nil {
			return g.Wait()
		}
		g.Go(func() error {
			defer func() { <-free }()
			return q.exchange(ctx, batch, do)
		})
	}
}

// exchange has a batch run elsewhere and answers its jobs, or puts them back.
func (q *queue) exchange(ctx context.Context, batch []*job, do Exchange) error {
	var answers []*scores
	err := ensemble.Guarded("an answer of another machine", func() error {
		data, err := do(ctx, len(batch), encodeWindows(batch))
		if err == nil {
			answers, err = decodeScores(data, batch)
		}
		return err
	})
	if err != nil {
		q.putBack(batch)
		if errors.Is(err, ErrUnfit) {
			return nil
		}
		return err
	}
	for i, j := range batch {
		*j.errand.out = answers[i]
		j.finish(nil)
	}
	return nil
}

// nextAway returns windows that may be run elsewhere, or nil when ctx is done or the queue is closed.
func (q *queue) nextAway(ctx context.Context) []*job {
	defer context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.work.Broadcast()
	})()
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed || ctx.Err() != nil {
			return nil
		}
		if batch := q.takeAway(); len(batch) > 0 {
			return batch
		}
		q.work.Wait()
	}
}

// takeAway takes windows of any network and length: the other machine has a queue of its own, in which
// what is alike is run together.
func (q *queue) takeAway() []*job {
	var all []*job
	for s, jobs := range q.slots {
		left := slices.DeleteFunc(jobs, func(j *job) bool {
			switch {
			case j.ticket.gone.Load():
				j.finish(ErrClosed)
				return true
			case j.errand == nil || len(all) == maxAway:
				return false
			}
			all = append(all, j)
			return true
		})
		if len(left) == 0 {
			delete(q.slots, s)
		} else {
			q.slots[s] = left
		}
	}
	return all
}

// putBack puts jobs where they were, for the runners of this process.
func (q *queue) putBack(batch []*job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range batch {
		j.errand = nil
		if q.closed {
			j.finish(ErrClosed)
			continue
		}
		s := slot{j.net, rung(j.length)}
		at, _ := slices.BinarySearchFunc(q.slots[s], j.seq, func(o *job, seq uint64) int {
			if o.seq < seq {
				return -1
			}
			return 1
		})
		q.slots[s] = slices.Insert(q.slots[s], at, j)
	}
	q.work.Broadcast()
}

// waiting returns how many windows wait.
func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for _, jobs := range q.slots {
		n += len(jobs)
	}
	return n
}

// ErrDiffers says that the networks of another machine say something else than the same networks here.
var ErrDiffers = errors.New("its networks say something else of the same words")

// tolerance is how far probabilities may be apart that different processors compute, in 65535ths. What is closer is the
// same network on a machine that works.
const tolerance = 655

// alike reports whether two scores of one window are the same but for what rounding explains. What is in one of them alone
// counts as improbable in the other.
func alike(a, b *scores, types int) bool {
	return within(a, b, types) && within(b, a, types)
}

// within reports whether b has what a has.
func within(a, b *scores, types int) bool {
	k := 0
	for i, u := range a.units {
		for k < len(b.units) && b.units[k] < u {
			k++
		}
		for c, p := range a.probs[i*types : (i+1)*types] {
			other := 0
			if k < len(b.units) && b.units[k] == u {
				other = int(b.probs[k*types+c])
			}
			if int(p)-other > tolerance || other-int(p) > tolerance {
				return false
			}
		}
	}
	return true
}
