package corpus

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Pipe runs documents through a function on several cores and writes the results as JSON Lines in
// input order.
type Pipe struct {
	// Do returns the output for a document. After an error the document is skipped and has no output.
	// Do is called from several goroutines.
	Do func(ctx context.Context, line Line) (any, error)
	// Key groups documents: those with the same key go through Do in order and never concurrently. Nil
	// means that there are no groups.
	Key func(line Line) string
	// Failed, if not nil, is called for each line that was invalid or skipped, in order, from one
	// goroutine.
	Failed func(err *LineError)
	// Workers is the number of goroutines that run Do; 0 means [PerCore] for each core.
	Workers int
}

// Counts are the numbers of lines of a Pipe by outcome.
type Counts struct{ Done, Failed int }

// PerCore is how many documents are worked on at a time by default, for each core. A document that waits for networks
// needs no core, and the more of them wait, the more windows a network is given at once, which costs less for each.
const PerCore = 8

// perWorker limits the number of queued documents per worker, and so the memory.
const perWorker = 4

type pipeJob struct {
	phi.Redacted

	line Line
	out  chan result // buffer of one
}

type result struct {
	phi.Redacted

	line []byte
	err  error
}

// Run reads in to its end. Failing lines are counted and reported without ending the run; an error
// of reading or writing, or the end of ctx, ends it.
func (p Pipe) Run(ctx context.Context, in io.Reader, out io.Writer) (Counts, error) {
	workers := p.Workers
	if workers <= 0 {
		workers = PerCore * runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	queues := make([]chan pipeJob, workers)
	for i := range queues {
		queues[i] = make(chan pipeJob, perWorker)
		group.Go(func() error { return p.work(ctx, queues[i]) })
	}
	order := make(chan pipeJob, workers*perWorker)
	group.Go(func() error {
		defer close(order)
		for _, q := range queues {
			defer close(q)
		}
		return p.dispatch(ctx, in, queues, order)
	})
	var counts Counts
	group.Go(func() error { return p.collect(ctx, order, out, &counts) })
	err := group.Wait()
	return counts, err
}

// dispatch hands each document to a worker and to the collector.
func (p Pipe) dispatch(ctx context.Context, in io.Reader, queues []chan pipeJob, order chan<- pipeJob) error {
	seed := maphash.MakeSeed()
	next := 0
	for line, err := range ReadLines(in) {
		job := pipeJob{line: line, out: make(chan result, 1)}
		var bad *LineError
		if err != nil && !errors.As(err, &bad) {
			return fmt.Errorf("read input: %w", err)
		}
		queue := queues[next%len(queues)]
		if next++; p.Key != nil && bad == nil {
			queue = queues[maphash.String(seed, p.Key(line))%uint64(len(queues))]
		}
		if bad != nil {
			job.out <- result{err: bad.Err}
			queue = nil
		}
		if err := send(ctx, order, job); err != nil {
			return err
		}
		if queue == nil {
			continue
		}
		if err := send(ctx, queue, job); err != nil {
			return err
		}
	}
	return nil
}

func send(ctx context.Context, to chan<- pipeJob, job pipeJob) error {
	select {
	case to <- job:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p Pipe) work(ctx context.Context, jobs <-chan pipeJob) error {
	for job := range jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := p.Do(ctx, job.line)
		if err != nil {
			job.out <- result{err: err}
			continue
		}
		line, err := encodeLine(value)
		job.out <- result{line: line, err: err}
	}
	return nil
}

// collect writes the results in order.
func (p Pipe) collect(ctx context.Context, order <-chan pipeJob, out io.Writer, counts *Counts) error {
	w := bufio.NewWriterSize(out, 64<<10)
	for job := range order {
		var res result
		select {
		case res = <-job.out:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), w.Flush())
		}
		if res.err != nil {
			counts.Failed++
			if p.Failed != nil {
				p.Failed(&LineError{Number: job.line.Number, Err: res.err})
			}
		} else {
			counts.Done++
			if _, err := w.Write(res.line); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		}
		// A reader at the other end of a pipe should not have to wait for more input.
		if len(order) == 0 {
			if err := w.Flush(); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return ctx.Err()
}

// encodeLine writes a value as one line, without escaping <, > and &.
func encodeLine(v any) ([]byte, error) {
	var b lineBuffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, errors.New("the result is not valid JSON")
	}
	return b, nil
}

type lineBuffer []byte

func (b *lineBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
