package onnx

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
)

// echo is a network whose only logit of each position is the window's length.
type echo struct {
	most int
	fail error
	mu   sync.Mutex
	runs [][]int // lengths of each batch
}

func (e *echo) limit() int { return e.most }
func (e *echo) width() int { return 1 }

func (e *echo) run(batch []*job, s *scratch) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var lengths []int
	for _, j := range batch {
		lengths = append(lengths, j.length)
	}
	e.runs = append(e.runs, lengths)
	stride := slices.Max(lengths)
	s.logits = zeroed(s.logits, stride*len(batch))
	for i, n := range lengths {
		for p := range n {
			s.logits[i*stride+p] = float32(n)
		}
	}
	return stride, e.fail
}

// jobsOf makes jobs whose answers check what they get.
func jobsOf(t *testing.T, net runner, ticket *ticket, lengths ...int) []*job {
	t.Helper()
	var out []*job
	for _, n := range lengths {
		ticket.jobs.Add(1)
		out = append(out, &job{net: net, length: n, rows: n, ticket: ticket, answer: func(logits []float32, _ *scratch) error {
			if len(logits) != n || logits[0] != float32(n) || logits[n-1] != float32(n) {
				t.Errorf("length %d: wrong logits", n)
			}
			return nil
		}})
	}
	return out
}

func TestQueueBatchesWhatIsAlike(t *testing.T) {
	var all sync.WaitGroup
	net := &echo{most: maxBatch}
	q := newQueue()
	var lengths []int
	for i := range 100 {
		lengths = append(lengths, 5+i%2)
	}
	lengths = append(lengths, 250, 251)
	for range 30 {
		lengths = append(lengths, 252)
	}
	ticket := newTicket("net", len(lengths), &all)
	if err := q.put(jobsOf(t, net, ticket, lengths...)); err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(q.serve)
	<-ticket.done
	all.Wait()
	q.close()
	done.Wait()
	if ticket.err != nil {
		t.Error(ticket.err)
	}
	var sizes []int
	for _, run := range net.runs {
		sizes = append(sizes, len(run))
		if rung(run[0]) != rung(run[len(run)-1]) {
			t.Errorf("lengths %v in one batch", run)
		}
	}
	if want := []int{32, 32, 32, 4, 16, 16}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v, want %v", sizes, want)
	}
}

func TestQueueFailures(t *testing.T) {
	var all sync.WaitGroup
	broken := errors.New("broken")
	for name, fail := range map[string]error{"network": broken, "closed": nil} {
		q, net := newQueue(), &echo{most: 1, fail: fail}
		ticket := newTicket("net", 3, &all)
		if err := q.put(jobsOf(t, net, ticket, 1, 2, 3)); err != nil {
			t.Fatal(err)
		}
		want := broken
		var done sync.WaitGroup
		if fail != nil {
			done.Go(q.serve)
			all.Wait()
			q.close()
		} else {
			q.close()
			want = ErrClosed
		}
		<-ticket.done
		done.Wait()
		all.Wait()
		if !errors.Is(ticket.err, want) {
			t.Errorf("%s: %v", name, ticket.err)
		}
		if err := q.put(nil); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: put after close: %v", name, err)
		}
	}
}

// What its caller gave up is not run.
func TestQueueDropsWhatWasGivenUp(t *testing.T) {
	var all sync.WaitGroup
	q, net := newQueue(), &echo{most: 4}
	gone, kept := newTicket("net", 2, &all), newTicket("net", 1, &all)
	gone.gone.Store(true)
	for _, jobs := range [][]*job{jobsOf(t, net, gone, 9, 40), jobsOf(t, net, kept, 9)} {
		if err := q.put(jobs); err != nil {
			t.Fatal(err)
		}
	}
	var done sync.WaitGroup
	done.Go(q.serve)
	all.Wait()
	q.close()
	done.Wait()
	if len(net.runs) != 1 || !slices.Equal(net.runs[0], []int{9}) {
		t.Errorf("runs %v", net.runs)
	}
	if kept.err != nil || !errors.Is(gone.err, ErrClosed) {
		t.Errorf("errors %v and %v", kept.err, gone.err)
	}
}

// An idle runner takes a single window at once: it never waits for company.
func TestQueueDoesNotWaitForCompany(t *testing.T) {
	var all, done sync.WaitGroup
	q, net := newQueue(), &echo{most: 4}
	done.Go(q.serve)
	for range 3 {
		ticket := newTicket("net", 1, &all)
		if err := q.put(jobsOf(t, net, ticket, 9)); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ticket.done:
		case <-time.After(time.Minute):
			t.Fatal("a window alone was not run")
		}
	}
	q.close()
	done.Wait()
}

func TestRung(t *testing.T) {
	for n := 1; n <= maxWindow; n++ {
		r := rung(n)
		if r < n || r > n+max(2, n/4) {
			t.Errorf("rung(%d) = %d", n, r)
		}
	}
}

// brittle is a network that breaks over windows of one length.
type brittle struct {
	echo
	breaks int
}

func (b *brittle) run(batch []*job, s *scratch) (int, error) {
	if slices.ContainsFunc(batch, func(j *job) bool { return j.length == b.breaks }) {
		panic("over a window")
	}
	return b.echo.run(batch, s)
}

func TestPanicOfANetworkFailsOnlyItsWindow(t *testing.T) {
	var all sync.WaitGroup
	net := &brittle{echo{most: maxBatch}, 13}
	q := newQueue()
	var runner sync.WaitGroup
	runner.Go(q.serve)
	tickets := map[int]*ticket{}
	for _, length := range []int{12, 13, 14} { // one slot, so one batch
		tickets[length] = newTicket("brittle", 1, &all)
	}
	var jobs []*job
	for length, ticket := range tickets {
		jobs = append(jobs, jobsOf(t, net, ticket, length)...)
	}
	if err := q.put(jobs); err != nil {
		t.Fatal(err)
	}
	for length, ticket := range tickets {
		<-ticket.done
		var broken *ensemble.Broken
		if got := errors.As(ticket.err, &broken); got != (length == 13) {
			t.Errorf("length %d: %v", length, ticket.err)
		}
		if broken != nil && broken.Part != "model brittle" {
			t.Errorf("the error names %q", broken.Part)
		}
	}
	// The runner goes on, also after an answer that breaks.
	last := newTicket("brittle", 1, &all)
	jobs = jobsOf(t, net, last, 8)
	jobs[0].answer = func([]float32, *scratch) error { panic("over the answer") }
	if err := q.put(jobs); err != nil {
		t.Fatal(err)
	}
	if <-last.done; !errors.As(last.err, new(*ensemble.Broken)) {
		t.Errorf("a broken answer: %v", last.err)
	}
	q.close()
	runner.Wait()
	all.Wait()
}
