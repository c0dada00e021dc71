package tables

import (
	"context"
	"errors"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/desk"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// Collector puts questions of several sessions into common batches, so that an engine which works best on many notes at once is kept busy
// by sessions that ask note by note. Nothing waits for more to come: a batch is what came while the batches before it were at work. It
// works for as long as Run runs.
type Collector struct {
	engine  Engine
	batches int // at work at a time
	metrics *Metrics

	mu     sync.Mutex
	queue  []*request
	wake   chan struct{} // holds a token while the queue may not be empty
	closed bool
}

// request is one session's questions.
type request struct {
	phi.Redacted

	asked   []desk.Question
	answers []desk.Answer
	err     error
	done    chan struct{}
	gone    bool   // no request waits for it any more
	in      *shift // at work; nil: in the queue
}

// shift is a batch at work. It ends when no request waits for it any more.
type shift struct {
	waiting int
	cancel  context.CancelFunc
}

// errStopped is the error of a collector that does not run any more.
var errStopped = errors.New("the engine has stopped")

// NewCollector returns a collector in front of an engine that works on up to batches of them at a time.
func NewCollector(e Engine, batches int, m *Metrics) *Collector {
	return &Collector{engine: e, batches: max(batches, 1), metrics: m, wake: make(chan struct{}, 1)}
}

// Run works on batches until ctx is done.
func (c *Collector) Run(ctx context.Context) error {
	g, work := errgroup.WithContext(ctx)
	for range c.batches {
		g.Go(func() error {
			for {
				select {
				case <-work.Done():
					return nil
				case <-c.wake:
				}
				c.batch(work)
			}
		})
	}
	err := g.Wait()
	c.stop()
	return err
}

// Ask answers questions, in their order. Questions that fill a batch by themselves go their own way.
func (c *Collector) Ask(ctx context.Context, asked []desk.Question) ([]desk.Answer, error) {
	if len(asked) >= chunkNotes/2 {
		c.metrics.batches.Observe(float64(len(asked)))
		return c.engine.Ask(ctx, asked)
	}
	r := &request{asked: asked, done: make(chan struct{})}
	if err := c.put(r); err != nil {
		return nil, err
	}
	select {
	case <-r.done:
		return r.answers, r.err
	case <-ctx.Done():
		c.leave(r)
		return nil, ctx.Err()
	}
}

// leave notes that a request was given up.
func (c *Collector) leave(r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.gone = true
	if r.in == nil {
		return
	}
	if r.in.waiting--; r.in.waiting == 0 {
		r.in.cancel()
	}
}

func (c *Collector) put(r *request) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errStopped
	}
	c.queue = append(c.queue, r)
	c.ring()
	return nil
}

// ring wakes a worker up, if none is about to look already.
func (c *Collector) ring() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take returns the next batch: what is in the queue, up to a chunk.
func (c *Collector) take(cancel context.CancelFunc) []*request {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []*request
	at := &shift{cancel: cancel}
	notes, bytes := 0, 0
	for len(c.queue) > 0 {
		r := c.queue[0]
		if len(list) > 0 && (notes+len(r.asked) > chunkNotes || bytes > chunkBytes) {
			break
		}
		c.queue[0] = nil
		c.queue = c.queue[1:]
		if r.gone {
			continue
		}
		r.in, list = at, append(list, r)
		at.waiting++
		notes += len(r.asked)
		for _, q := range r.asked {
			bytes += len(q.Text)
		}
	}
	if len(c.queue) > 0 {
		c.ring()
	}
	return list
}

// batch asks the engine once for several sessions. If that fails, each of them is asked for alone: what is wrong with one must not hit
// the others.
func (c *Collector) batch(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	list := c.take(cancel)
	if len(list) == 0 {
		return
	}
	var asked []desk.Question
	for _, r := range list {
		asked = append(asked, r.asked...)
	}
	c.metrics.batches.Observe(float64(len(asked)))
	answers, err := c.guarded(ctx, asked)
	if err == nil {
		for _, r := range list {
			r.answers, answers = answers[:len(r.asked):len(r.asked)], answers[len(r.asked):]
			close(r.done)
		}
		return
	}
	for _, r := range list {
		if r.err = err; err != nil && len(list) > 1 && ctx.Err() == nil {
			r.answers, r.err = c.guarded(ctx, r.asked)
		}
		close(r.done)
	}
}

// guarded asks the engine, whose faults must not end the program.
func (c *Collector) guarded(ctx context.Context, asked []desk.Question) (answers []desk.Answer, err error) {
	defer func() {
		if v := recover(); v != nil { // what it says may quote a text
			c.metrics.panics.Inc()
			answers, err = nil, &pgwire.Error{State: stateInternal, Message: "a fault of the engine"}
		}
	}()
	answers, err = c.engine.Ask(ctx, asked)
	if err == nil && len(answers) != len(asked) {
		err = &pgwire.Error{State: stateInternal, Message: "the engine answered another number of questions"}
	}
	return answers, err
}

// stop refuses what is still in the queue, and what comes from now on.
func (c *Collector) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, r := range c.queue {
		r.err = errStopped
		close(r.done)
	}
	c.queue = nil
}
