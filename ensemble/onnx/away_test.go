package onnx

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// awayKind is that of the windows of these tests.
var awayKind = &kind{digest: digest{9}, types: 1}

// asked are windows that may go away, with what was said of them and by whom.
type asked struct {
	jobs   []*job
	said   []*scores
	here   atomic.Int64 // answered by the runners of this process
	ticket *ticket
	all    sync.WaitGroup
}

// ask puts so many windows of a word each into the queue.
func ask(t *testing.T, q *queue, n int) *asked {
	t.Helper()
	a := &asked{said: make([]*scores, n)}
	a.ticket = newTicket("net", n, &a.all)
	net := &echo{most: maxBatch}
	for i := range n {
		a.all.Add(1)
		a.jobs = append(a.jobs, &job{
			net: net, length: 1, rows: 1, units: []unit{{text: "x"}}, ticket: a.ticket,
			errand: &errand{of: awayKind, units: 1, out: &a.said[i]},
			answer: func([]float32, *scratch) error {
				a.here.Add(1)
				a.said[i] = &scores{}
				return nil
			},
		})
	}
	if err := q.put(a.jobs); err != nil {
		t.Fatal(err)
	}
	return a
}

// echoed answers windows as another machine does: every word is PHI.
func echoed(_ context.Context, _ int, windows []byte) ([]byte, error) {
	batch, err := decodeWindows(windows, func(digest) *kind { return awayKind })
	if err != nil {
		return nil, err
	}
	said := &scores{units: []uint16{0}, first: []bool{true}, probs: []uint16{9}}
	for _, j := range batch {
		j.errand.out = &said
	}
	return encodeScores(batch), nil
}

// wait waits for the answers to all windows.
func (a *asked) wait(t *testing.T) {
	t.Helper()
	<-a.ticket.done
	if a.ticket.err != nil {
		t.Fatal(a.ticket.err)
	}
	for i, s := range a.said {
		if s == nil {
			t.Fatalf("window %d was not answered", i)
		}
	}
	a.all.Wait()
}

func TestWindowsAreRunElsewhere(t *testing.T) {
	t.Parallel()
	q := newQueue()
	defer q.close()
	ctx, cancel := context.WithCancel(t.Context())
	var away sync.WaitGroup
	var requests atomic.Int64
	away.Go(func() {
		err := q.sendAway(ctx, 2, func(ctx context.Context, n int, w []byte) ([]byte, error) {
			requests.Add(1)
			return echoed(ctx, n, w)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	a := ask(t, q, 3*maxAway+1)
	a.wait(t)
	cancel()
	away.Wait()
	if a.here.Load() != 0 || requests.Load() < 4 {
		t.Errorf("%d of %d windows were run here, %d requests", a.here.Load(), len(a.jobs), requests.Load())
	}
	for i, s := range a.said {
		if len(s.probs) != 1 || s.probs[0] != 9 {
			t.Fatalf("window %d: %+v", i, s)
		}
	}
}

// Whatever happens to windows that were sent, they are run here, and once.
func TestWindowsThatWereNotAnsweredAreRunHere(t *testing.T) {
	t.Parallel()
	dead := errors.New("connection reset")
	for name, c := range map[string]struct {
		do   Exchange
		ends error // the sending; nil: it goes on
	}{
		"a dead machine": {func(context.Context, int, []byte) ([]byte, error) { return nil, dead }, dead},
		"nonsense":       {func(context.Context, int, []byte) ([]byte, error) { return []byte{1, 2, 3}, nil }, ErrWindows},
		"no answer":      {func(context.Context, int, []byte) ([]byte, error) { return nil, nil }, ErrWindows},
		"unfit windows":  {func(context.Context, int, []byte) ([]byte, error) { return nil, ErrUnfit }, nil},
		"a panic":        {func(context.Context, int, []byte) ([]byte, error) { panic("over windows") }, errAny},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue()
			ctx, cancel := context.WithCancel(t.Context())
			sent := make(chan struct{}, 1)
			var sending, runner sync.WaitGroup
			var err error
			sending.Go(func() {
				err = q.sendAway(ctx, 1, func(ctx context.Context, n int, w []byte) ([]byte, error) {
					select {
					case sent <- struct{}{}:
					default:
					}
					return c.do(ctx, n, w)
				})
			})
			a := ask(t, q, 2*maxAway)
			<-sent
			runner.Go(q.serve)
			a.wait(t)
			if c.ends == nil {
				cancel()
			}
			sending.Wait()
			cancel()
			q.close()
			runner.Wait()
			if c.ends == nil && !errors.Is(err, context.Canceled) && err != nil || c.ends != nil && err == nil ||
				c.ends != nil && !errors.Is(c.ends, errAny) && !errors.Is(err, c.ends) {
				t.Errorf("the sending ended with %v", err)
			}
			if a.here.Load() != int64(len(a.jobs)) {
				t.Errorf("%d of %d windows were run here", a.here.Load(), len(a.jobs))
			}
		})
	}
}

// errAny is an error of any kind.
var errAny = errors.New("any error")

// A machine that does not answer holds windows until its sender gives up.
func TestAHangingMachineIsLeft(t *testing.T) {
	t.Parallel()
	q := newQueue()
	ctx, cancel := context.WithCancel(t.Context())
	taken := make(chan struct{})
	var sending, runner sync.WaitGroup
	sending.Go(func() {
		_ = q.sendAway(ctx, 1, func(ctx context.Context, _ int, _ []byte) ([]byte, error) {
			close(taken)
			<-ctx.Done()
			return nil, ctx.Err()
		})
	})
	a := ask(t, q, 3)
	<-taken
	runner.Go(q.serve)
	cancel()
	a.wait(t)
	sending.Wait()
	q.close()
	runner.Wait()
	if a.here.Load() != 3 {
		t.Errorf("%d windows were run here", a.here.Load())
	}
}

func TestWhatMayNotLeaveStays(t *testing.T) {
	t.Parallel()
	q := newQueue()
	a := ask(t, q, 4)
	q.mu.Lock()
	a.jobs[1].errand = nil
	batch := q.takeAway()
	q.mu.Unlock()
	if len(batch) != 3 || q.waiting() != 1 {
		t.Errorf("%d went, %d wait", len(batch), q.waiting())
	}
	q.putBack(batch)
	if q.waiting() != 4 {
		t.Errorf("%d wait", q.waiting())
	}
	var last uint64
	for _, j := range q.slots[slot{a.jobs[0].net, rung(1)}] {
		if j.seq < last || j.errand != nil {
			t.Errorf("job %d behind %d, errand %v", j.seq, last, j.errand)
		}
		last = j.seq
	}
	a.ticket.gone.Store(true)
	if q.takeAway() != nil || q.waiting() != 4 {
		q.close()
	}
	q.close()
	<-a.ticket.done
	a.all.Wait()
	if !errors.Is(a.ticket.err, ErrClosed) {
		t.Error(a.ticket.err)
	}
}

// What comes back after the queue was closed has nowhere to go.
func TestNothingWaitsForeverInAClosedQueue(t *testing.T) {
	t.Parallel()
	q := newQueue()
	taken, closed := make(chan struct{}), make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		_ = q.sendAway(t.Context(), 1, func(context.Context, int, []byte) ([]byte, error) {
			close(taken)
			<-closed
			return nil, errAny
		})
	})
	a := ask(t, q, 1)
	<-taken
	q.close()
	close(closed)
	<-a.ticket.done
	sending.Wait()
	a.all.Wait()
	if !errors.Is(a.ticket.err, ErrClosed) {
		t.Error(a.ticket.err)
	}
}
