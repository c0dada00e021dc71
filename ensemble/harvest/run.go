package harvest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Summary counts what Run saw.
type Summary struct {
	Notes     int64 `json:"notes"`
	Sentences int64 `json:"sentences"` // counted once per note
	// Lost is the maximum number of notes with a sentence that was not counted; 0: none was lost. If
	// it is less than the threshold of notes, the result is exact.
	Lost      int64 `json:"lost"`
	Prevalent int   `json:"prevalent"`           // sentences over the thresholds
	Barred    int   `json:"barred"`              // of these, with a match of a record, the directory or a pattern
	Suspect   int   `json:"suspect"`             // of the others, with a find of another member
	Alone     int   `json:"alone"`               // of those to be proposed, with a find of [Options.Alone]
	Ambiguous int   `json:"ambiguous,omitempty"` // templates whose sentences differ in what is PHI
	Proposed  int   `json:"proposed"`
}

// Run reads a source twice and returns its proposals, the sentences or templates in most notes
// first. Call [Finish] to remove the state when the proposals are stored.
func Run(ctx context.Context, src Source, opts Options) ([]Proposal, Summary, error) {
	opts = opts.withDefaults()
	r, err := newRunner(src, opts)
	if err != nil {
		return nil, Summary{}, err
	}
	if r.at.Pass == 1 {
		if err := r.sketchAll(ctx); err != nil {
			return nil, Summary{}, err
		}
	}
	if err := r.countAll(ctx); err != nil {
		return nil, Summary{}, err
	}
	sum := Summary{Notes: r.at.Notes, Sentences: int64(r.sketch.Added()), Lost: int64(r.sketch.Offset())}
	if opts.Kind == Template {
		list, err := r.proposeTemplates(&sum)
		return list, sum, err
	}
	list, err := r.propose(ctx, &sum)
	return list, sum, err
}

// Finish removes the state of a run whose proposals are stored.
func Finish(path string) error {
	err := os.Remove(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// runner is a run in progress.
type runner struct {
	src    Source
	opts   Options
	at     state
	sketch *Sketch
	counts candidates
	stored time.Time
	total  int64
}

func newRunner(src Source, opts Options) (*runner, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	identity, err := src.Identity()
	if err != nil {
		return nil, err
	}
	r := &runner{src: src, opts: opts, at: state{Of: opts.essence(identity), Pass: 1}, stored: time.Now()}
	if opts.State != "" {
		stored, err := loadState(opts.State, r.at.Of)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			r.at = *stored
		}
	}
	if r.at.Sketch.Limit == 0 {
		r.sketch, err = NewSketch(opts.Counters)
	} else {
		r.sketch, err = r.at.Sketch.unpack()
	}
	r.at.Sketch = packedSketch{}
	if r.at.Candidates == nil {
		r.at.Candidates = map[string]*candidate{}
	}
	r.counts = candidates{r.at.Candidates, opts.Patients, opts.Authors}
	return r, err
}

// sketchAll is pass 1.
func (r *runner) sketchAll(ctx context.Context) error {
	r.total = r.src.Estimate(ctx)
	err := ordered(ctx, r.opts.Workers, r.read(r.opts.Kind == Template), r.sketchBatch, func(s sketched, b Batch) error {
		for _, h := range s.hashes {
			r.sketch.Add(h)
		}
		return r.passed(s.notes, b)
	})
	if err != nil {
		return err
	}
	r.at.Pass, r.at.After, r.at.Total, r.at.Notes = 2, "", r.at.Notes, 0
	return r.store()
}

// sketched is the result of pass 1 for a batch.
type sketched struct {
	hashes []uint64
	notes  int
}

func (r *runner) sketchBatch(ctx context.Context, b Batch) (sketched, error) {
	notes, err := b.Notes()
	if err != nil {
		return sketched{}, err
	}
	split := splitter{longest: r.opts.MaxBytes}
	out := sketched{notes: len(notes)}
	for i := range notes {
		if r.opts.Kind == Template {
			found, err := r.formHashes(ctx, &notes[i])
			if err != nil {
				return out, err
			}
			out.hashes = append(out.hashes, found...)
			continue
		}
		out.hashes = append(out.hashes, split.hashesOf(&notes[i])...)
	}
	return out, ctx.Err()
}

// countAll is pass 2.
func (r *runner) countAll(ctx context.Context) error {
	r.total = r.at.Total
	return ordered(ctx, r.opts.Workers, r.read(true), r.countBatch, func(c counted, b Batch) error {
		for _, o := range c.found {
			r.counts.add(o)
		}
		return r.passed(c.notes, b)
	})
}

func (r *runner) read(records bool) func(context.Context, func(Batch) error) error {
	return func(ctx context.Context, do func(Batch) error) error {
		return r.src.Read(ctx, r.at.After, records, do)
	}
}

// passed records that everything up to the end of a batch is counted.
func (r *runner) passed(notes int, b Batch) error {
	r.at.After = b.After
	r.at.Notes += int64(notes)
	if r.opts.Progress != nil {
		r.opts.Progress(Progress{Pass: r.at.Pass, Done: r.at.Notes, Total: r.total})
	}
	if r.opts.State == "" || time.Since(r.stored) < r.opts.Every {
		return nil
	}
	return r.store()
}

func (r *runner) store() error {
	if r.opts.State == "" {
		return nil
	}
	r.at.Sketch = r.sketch.pack()
	err := r.at.save(r.opts.State)
	r.at.Sketch, r.stored = packedSketch{}, time.Now()
	return err
}
