package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// finder is what is scored, such as an ensemble.
type finder interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// documentFinder is a finder that needs the document, not only its text.
type documentFinder interface {
	finder
	Found(doc *score.Document) ([]phi.Span, error)
	Remarks() []string
}

// Options are the options of Run.
type Options struct {
	Workers   int               // default the number of cores
	Directory *record.Gazetteer // staff and facilities, or nil
	Blind     bool              // leave out each document's patient record
	Cases     bool              // keep misses and false alarms
	Ablation  bool              // measure each member alone and left out; needs an *ensemble.Ensemble
	Lean      bool              // leave Result.Notes empty: pages and saved results need them, tables don't
	Errors    *ErrorFile        // gets the sentences with misses and false alarms, or nil
	Replace   leakage.Replacer  // measures what is left of the gold after replacement, or nil
	Tick      func(bytes int)   // called after each document, from one goroutine
}

// Result is a report with the time that detection took.
type Result struct {
	score.Report
	Members  []string        `json:"members,omitempty"`
	Ablation []Trial         `json:"ablation,omitempty"`
	Elapsed  time.Duration   `json:"elapsed_ns"` // of all workers together, detection alone
	Leakage  *leakage.Report `json:"leakage,omitempty"`
	// Remarks are what a reader must know about the source of the predictions.
	Remarks []string `json:"remarks,omitempty"`
}

type job struct {
	at  int
	doc score.Document
}

// scored is a document with its counts.
type scored struct {
	job
	found  []phi.Span
	whole  *score.Tally
	trials []*score.Tally
	errors []score.ErrorSentence
	took   time.Duration
}

// Run detects PHI in the documents and scores it. It ends with the first error of a document or
// detector.
func Run(ctx context.Context, d finder, docs iter.Seq2[score.Document, error], opts Options) (Result, error) {
	r, err := newRunner(d, opts)
	if err != nil {
		return Result{}, err
	}
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	in, out := make(chan job, opts.Workers), make(chan scored, opts.Workers)
	var feed, work sync.WaitGroup
	feed.Go(func() {
		defer close(in)
		stop(cancel, send(ctx, docs, in))
	})
	for range opts.Workers {
		work.Go(func() { stop(cancel, r.work(ctx, in, out)) })
	}
	feed.Go(func() { work.Wait(); close(out) })
	stop(cancel, r.collect(out))
	feed.Wait()
	if err := context.Cause(ctx); err != nil {
		return Result{}, err
	}
	return r.result()
}

// stop ends a run with its first error.
func stop(cancel context.CancelCauseFunc, err error) {
	if err != nil {
		cancel(err)
	}
}

func send(ctx context.Context, docs iter.Seq2[score.Document, error], in chan<- job) error {
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

// runner holds the sums of a run.
type runner struct {
	finder  finder
	voter   voter // nil without an ablation
	opts    Options
	trials  []Trial
	whole   *score.Scorer
	parts   []*score.Scorer // one per trial
	leaks   *leakage.Sums   // nil if nothing is replaced
	elapsed time.Duration
}

func newRunner(d finder, opts Options) (*runner, error) {
	r := &runner{finder: d, opts: opts, whole: score.NewScorer(opts.Cases), leaks: leakage.NewSums(opts.Replace)}
	r.whole.Lean = opts.Lean
	if !opts.Ablation {
		return r, nil
	}
	v, ok := d.(voter)
	if !ok {
		return nil, errors.New("an ablation needs an ensemble")
	}
	r.voter, r.trials = v, trialsOf(v)
	for range r.trials {
		s := score.NewScorer(false)
		s.Sums = true
		r.parts = append(r.parts, s)
	}
	return r, nil
}

func (r *runner) work(ctx context.Context, in <-chan job, out chan<- scored) error {
	for j := range in {
		s, err := r.one(ctx, j)
		if err != nil {
			return fmt.Errorf("document %s: %w", j.doc.ID, err)
		}
		select {
		case out <- s:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// one detects and scores a document.
func (r *runner) one(ctx context.Context, j job) (scored, error) {
	s := scored{job: j}
	doc := &s.doc
	note := &ensemble.Note{Text: doc.Text, Directory: r.opts.Directory}
	var rec *record.Gazetteer
	if len(doc.Patient) > 0 {
		rec = record.NewGazetteer(doc.Patient)
	}
	if !r.opts.Blind {
		note.Patient = rec
	}
	start := time.Now()
	found, ballot, err := r.detect(ctx, doc, note)
	s.took = time.Since(start)
	if err != nil {
		return s, err
	}
	if rec != nil {
		if err := score.MarkHeld(ctx, doc, rec); err != nil {
			return s, err
		}
	}
	phi.SortSpans(found)
	s.found = found
	s.whole = score.Score(doc, found, r.opts.Cases)
	s.whole.Errors = score.ErrorsOf(doc, found)
	if rec != nil {
		s.whole.Record = score.AgainstRecord(doc, found, rec)
	}
	for i := range r.trials {
		part, err := r.trials[i].spans(ctx, ballot)
		if err != nil {
			return s, err
		}
		s.trials = append(s.trials, score.Score(doc, part, false))
	}
	if r.opts.Errors != nil {
		s.errors = score.ErrorSentences(doc, note, found, r.opts.Errors.names)
	}
	return s, nil
}

// detect runs the ensemble or, for an ablation, collects its members' votes. For a peer it looks
// up the predictions.
func (r *runner) detect(ctx context.Context, doc *score.Document, note *ensemble.Note) ([]phi.Span, *ensemble.Ballot, error) {
	if peer, ok := r.finder.(documentFinder); ok {
		found, err := peer.Found(doc)
		return found, nil, err
	}
	if r.voter == nil {
		found, err := r.finder.Detect(ctx, note)
		return found, nil, err
	}
	ballot, err := r.voter.Vote(ctx, note)
	if err != nil {
		return nil, nil, err
	}
	found, err := ballot.Spans(ctx, r.voter.Members())
	return found, ballot, err
}

// collect adds results in input order, so that a report does not depend on the speed of workers.
func (r *runner) collect(out <-chan scored) error {
	early, next := map[int]scored{}, 0
	for s := range out {
		r.elapsed += s.took
		early[s.at] = s
		for s, ok := early[next]; ok; s, ok = early[next] {
			if err := r.add(&s); err != nil {
				return err // the workers' context is cancelled
			}
			delete(early, next)
			next++
		}
		if r.opts.Tick != nil {
			r.opts.Tick(len(s.doc.Text))
		}
	}
	return nil
}

func (r *runner) add(s *scored) error {
	r.whole.AddTally(&s.doc, s.whole)
	for i, t := range s.trials {
		r.parts[i].AddTally(&s.doc, t)
	}
	if err := r.leaks.Add(&s.doc, s.found); err != nil {
		return fmt.Errorf("document %s: %w", s.doc.ID, err)
	}
	return r.opts.Errors.add(s.errors)
}

func (r *runner) result() (Result, error) {
	res := Result{Report: r.whole.Report(), Elapsed: r.elapsed}
	if r.leaks != nil {
		res.Leakage = &r.leaks.Report
	}
	if named, ok := r.finder.(namer); ok {
		res.Members = named.Names(^phi.Votes(0))
	}
	if peer, ok := r.finder.(documentFinder); ok {
		res.Remarks, res.Elapsed = peer.Remarks(), 0
	}
	for i, t := range r.trials {
		t.measure(r.parts[i].Report(), r.whole.Unmarked())
		res.Ablation = append(res.Ablation, t)
	}
	return res, r.opts.Errors.finish(r.whole.Unmarked())
}
