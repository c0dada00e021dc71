package onnx

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/ensemble"
)

// ErrClosed says that a model was closed while, or before, it was asked.
var ErrClosed = errors.New("the model is closed")

// maxBatch is how many windows one call of a network gets at most, and maxCells how
// many words or wordpieces with padding: long windows come in smaller batches, so that
// the memory of a call is bounded.
const (
	maxBatch = 32
	maxCells = 4096
)

// runner is what runs batches: a network.
type runner interface {
	// run calls the network for the jobs of a batch, which have about the same length,
	// and leaves the logits in the scratch: those of job i begin at i times stride.
	run(batch []*job, s *scratch) (stride int, err error)
	// width is how many labels, and so logits, a position has.
	width() int
	// limit is how many windows a batch may have.
	limit() int
}

// job is one window that a network has to run over.
type job struct {
	net    runner
	length int      // what the network's time depends on: the wordpieces, or else the words
	rows   int      // positions that have logits
	units  []unit   // for a network with a character front
	ids    []uint32 // wordpieces, special tokens included
	begins []int32  // where in ids each unit begins, for a network that reads both
	errand *errand  // nil: it can't be run elsewhere
	// answer takes the logits, a row for each position of as many as there are labels. It
	// runs on the goroutine of a runner, whose scratch it may use.
	answer func(logits []float32, s *scratch) error
	ticket *ticket
	seq    uint64 // order of arrival
}

// finish counts the job as done, once.
func (j *job) finish(err error) {
	j.ticket.finish(err)
	j.ticket.jobs.Done()
}

// ticket is what the goroutine that needs the answers of some jobs waits on.
type ticket struct {
	left atomic.Int64
	gone atomic.Bool // the caller gave up: what has not begun need not
	done chan struct{}
	once sync.Once
	err  error // set before done is closed
	// model names the model in errors.
	model string
	jobs  *sync.WaitGroup // of the model: how many jobs are in the queue or run
}

func newTicket(model string, jobs int, all *sync.WaitGroup) *ticket {
	t := &ticket{model: model, done: make(chan struct{}), jobs: all}
	t.left.Store(int64(jobs))
	return t
}

// finish counts a job; the first error ends the waiting at once.
func (t *ticket) finish(err error) {
	if t.left.Add(-1) == 0 || err != nil {
		t.once.Do(func() { t.err = err; close(t.done) })
	}
}

// slot is where jobs wait that go into one batch: those of one network with about the
// same length.
type slot struct {
	net    runner
	length int // upper bound of the lengths
}

// queue holds the jobs of all models until a runner takes them. Runners never wait for
// a batch to fill up: what has waited longest goes next, and what is alike goes with it.
type queue struct {
	mu     sync.Mutex
	work   *sync.Cond
	slots  map[slot][]*job
	seq    uint64
	closed bool
}

func newQueue() *queue {
	q := &queue{slots: map[slot][]*job{}}
	q.work = sync.NewCond(&q.mu)
	return q
}

// rung rounds a length up so that the padding of a batch stays below a fifth or so.
func rung(length int) int {
	step := 2
	for bound := 16; length > bound; bound *= 2 {
		step *= 2
	}
	return (length + step - 1) / step * step
}

func (q *queue) put(jobs []*job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	for _, j := range jobs {
		j.seq = q.seq
		q.seq++
		s := slot{j.net, rung(j.length)}
		q.slots[s] = append(q.slots[s], j)
	}
	q.work.Broadcast()
	return nil
}

// next returns the batch that is to be run next, or nil when the queue is closed.
func (q *queue) next(dst []*job) []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed {
			return nil
		}
		if s, ok := q.oldest(); ok {
			if dst = q.take(s, dst[:0]); len(dst) > 0 {
				return dst
			}
			continue // all of them were given up
		}
		q.work.Wait()
	}
}

func (q *queue) oldest() (slot, bool) {
	var best slot
	var first uint64
	found := false
	for s, jobs := range q.slots {
		if !found || jobs[0].seq < first {
			best, first, found = s, jobs[0].seq, true
		}
	}
	return best, found
}

// take moves jobs from a slot to dst, and drops those whose callers gave up.
func (q *queue) take(s slot, dst []*job) []*job {
	limit := min(s.net.limit(), max(maxCells/s.length, 1))
	jobs, taken := q.slots[s], 0
	for taken < len(jobs) && len(dst) < limit {
		j := jobs[taken]
		jobs[taken] = nil
		taken++
		if j.ticket.gone.Load() {
			j.finish(ErrClosed)
			continue
		}
		dst = append(dst, j)
	}
	if taken == len(jobs) {
		delete(q.slots, s)
	} else {
		q.slots[s] = jobs[taken:]
	}
	return dst
}

// close lets the runners go and fails what still waits.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for s, jobs := range q.slots {
		for _, j := range jobs {
			j.finish(ErrClosed)
		}
		delete(q.slots, s)
	}
	q.work.Broadcast()
}

// serve runs batches until the queue is closed. It is what a runner's goroutine does.
func (q *queue) serve() {
	s := &scratch{}
	var batch []*job
	for {
		if batch = q.next(batch); batch == nil {
			return
		}
		runBatch(batch, s)
		clear(batch)
	}
}

// runBatch runs a batch and answers its jobs. A panic costs only the windows that cause
// it: the others are run again one by one, and the runner goes on.
func runBatch(batch []*job, s *scratch) {
	net := batch[0].net
	stride := 0
	err := ensemble.Guarded("model "+batch[0].ticket.model, func() (err error) {
		stride, err = net.run(batch, s)
		return err
	})
	if errors.As(err, new(*ensemble.Broken)) && len(batch) > 1 {
		for i := range batch {
			runBatch(batch[i:i+1], &scratch{}) // what a broken call has left in the other is not known
		}
		*s = scratch{}
		return
	}
	for i, j := range batch {
		if err != nil {
			j.finish(err)
			continue
		}
		j.finish(ensemble.Guarded("model "+j.ticket.model, func() error {
			return j.answer(s.logits[i*stride:][:j.rows*net.width()], s)
		}))
	}
}
