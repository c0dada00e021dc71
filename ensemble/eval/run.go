package eval

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
)

// finder is what is scored: an ensemble.
type finder interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]ensemble.Span, error)
}

// Options choose how Run works.
type Options struct {
	Workers   int                 // default the number of cores
	Directory *ensemble.Gazetteer // staff and facilities, or nil
	Blind     bool                // leave out each document's patient record
	Cases     bool                // keep misses and false alarms
	Tick      func(bytes int)     // called after each document, from one goroutine
}

// Result is a report with the time that detection took.
type Result struct {
	Report
	Elapsed time.Duration `json:"elapsed_ns"` // of all workers together, detection alone
}

type job struct {
	at  int
	doc Document
}

type scored struct {
	at    int // position in the input
	doc   Document
	found []ensemble.Span
	took  time.Duration
	err   error
}

// Run detects PHI in the documents and scores it. The first error, of a document
// or of a detector, ends it.
func Run(ctx context.Context, d finder, docs iter.Seq2[Document, error], opts Options) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	in, out := make(chan job, opts.Workers), make(chan scored, opts.Workers)
	var feed, work sync.WaitGroup
	var feedErr error
	feed.Go(func() {
		defer close(in)
		feedErr = send(ctx, docs, in)
	})
	for range opts.Workers {
		work.Go(func() {
			for j := range in {
				r := detectOne(ctx, d, j.doc, opts)
				r.at = j.at
				out <- r
			}
		})
	}
	feed.Go(func() { work.Wait(); close(out) })
	res, err := collect(out, cancel, opts)
	feed.Wait()
	if err == nil {
		err = feedErr
	}
	return res, err
}

func send(ctx context.Context, docs iter.Seq2[Document, error], in chan<- job) error {
	at := 0
	for doc, err := range docs {
		if err != nil {
			return err
		}
		select {
		case in <- job{at, doc}:
			at++
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func detectOne(ctx context.Context, d finder, doc Document, opts Options) scored {
	note := &ensemble.Note{Text: doc.Text, Directory: opts.Directory}
	if doc.Patient != nil && !opts.Blind {
		note.Patient = ensemble.NewGazetteer(doc.Patient)
	}
	start := time.Now()
	found, err := d.Detect(ctx, note)
	if err != nil {
		err = fmt.Errorf("document %s: %w", doc.ID, err)
	}
	ensemble.SortSpans(found)
	return scored{doc: doc, found: found, took: time.Since(start), err: err}
}

// collect adds results up in the order of the input, so that a report does not
// depend on which worker was faster.
func collect(out <-chan scored, cancel func(), opts Options) (Result, error) {
	s, first := NewScorer(opts.Cases), error(nil)
	var elapsed time.Duration
	early, next := map[int]scored{}, 0
	for r := range out {
		if r.err != nil {
			if first == nil {
				first = r.err
			}
			cancel()
			continue
		}
		elapsed += r.took
		early[r.at] = r
		for r, ok := early[next]; ok; r, ok = early[next] {
			s.Add(&r.doc, r.found)
			delete(early, next)
			next++
		}
		if opts.Tick != nil {
			opts.Tick(len(r.doc.Text))
		}
	}
	if first != nil {
		return Result{}, first
	}
	return Result{Report: s.Report(), Elapsed: elapsed}, nil
}
