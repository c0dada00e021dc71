package deid

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/guard"
)

// Pipeline passes items from one reader through resolve and the workers to one
// committer, in the reader's order. What is on its way is bounded in bytes.
//
//	reader -put-> in -> resolve -> shards (by patient) -> workers
//	                        \----> ordered -> committer waits for each item's turn
type Pipeline struct {
	phi.Redacted

	deid    *Deidentifier
	budget  *semaphore.Weighted
	extra   *semaphore.Weighted // for lines of notes that the dispatcher reads: waiting for the room of what waits for it would never end
	limit   int64
	In      chan *Item
	shards  []shard
	Ordered chan *Item
	seed    maphash.Seed

	mu       sync.Mutex
	expected map[string]chan struct{} // marks of [source.Mark]
}

// shard is what one worker is given: changes of the stream, and rows to be rewritten.
type shard struct{ stream, rewrites chan *Item }

// rewriteShare is how many changes of the stream a worker does at most while a row
// waits to be rewritten: rows are rewritten even where the stream never ends.
const rewriteShare = 16

// Lengths of queues: the bytes are what bounds them, these only bound marks.
const (
	inLength      = 1024
	shardLength   = 256
	orderedLength = 4096
	// BatchItems is how many items are resolved together, with one query for each table.
	BatchItems = 500
)

// NewPipeline returns a pipeline with that many workers, and room for limit bytes.
func NewPipeline(d *Deidentifier, workers int, limit int64) *Pipeline {
	p := &Pipeline{
		deid: d, budget: semaphore.NewWeighted(limit), extra: semaphore.NewWeighted(limit), limit: limit, In: make(chan *Item, inLength),
		Ordered: make(chan *Item, orderedLength), seed: maphash.MakeSeed(), expected: map[string]chan struct{}{},
	}
	for range workers {
		p.shards = append(p.shards, shard{make(chan *Item, shardLength), make(chan *Item)})
	}
	return p
}

// Put takes an item in, once there is room for it.
func (p *Pipeline) Put(ctx context.Context, it *Item) error {
	it.Held = min(it.Held, p.limit)
	if err := p.budget.Acquire(ctx, it.Held); err != nil {
		return err
	}
	p.deid.metrics.Queued(it.Held)
	select {
	case p.In <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Written gives back an item's room, once the replica has its row.
func (p *Pipeline) Written(it *Item) {
	if it.Extra {
		p.extra.Release(it.Held)
	} else {
		p.budget.Release(it.Held)
	}
	p.deid.metrics.Queued(-it.Held)
}

// Run works until in is closed and empty, then closes ordered.
func (p *Pipeline) Run(ctx context.Context, r *Resolver) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range p.shards {
		g.Go(guard.Func(p.deid.Log, "a worker", func() error {
			for n := 0; ; {
				it := s.next(ctx, &n)
				if it == nil {
					return ctx.Err()
				}
				p.deid.Deidentify(ctx, it)
				if ctx.Err() != nil {
					return ctx.Err() // the outcome may say that the detector failed
				}
				close(it.Done)
			}
		}))
	}
	g.Go(guard.Func(p.deid.Log, "the dispatcher", func() error {
		defer func() {
			for _, s := range p.shards {
				close(s.stream)
			}
			close(p.Ordered)
		}()
		return p.dispatchAll(ctx, r)
	}))
	return g.Wait()
}

func (p *Pipeline) dispatchAll(ctx context.Context, r *Resolver) error {
	for {
		batch, ok := p.batch(ctx)
		if len(batch) > 0 {
			if err := r.Gather(ctx, batch, func(part []*Item) error { return p.dispatchPart(ctx, r, part) }); err != nil {
				return err
			}
		}
		if !ok {
			return ctx.Err()
		}
	}
}

// beginStep begins a step of those items that are traced, and returns what ends it.
func beginStep(items []*Item, step string) (ends []func()) {
	for _, it := range items {
		if it.Trace != nil {
			ends = append(ends, it.Trace.Step(step))
		}
	}
	return ends
}

// dispatchPart resolves items and then dispatches them: the worker of the first line of a note
// needs to know the patients of all its lines.
func (p *Pipeline) dispatchPart(ctx context.Context, r *Resolver, part []*Item) error {
	for some := range slices.Chunk(part, BatchItems) {
		ends := beginStep(some, "resolve")
		if err := r.ResolveEach(ctx, some); err != nil {
			return err
		}
		for _, end := range ends {
			end()
		}
	}
	for i, it := range part {
		if it.Extra {
			it.Held = min(it.Held, p.limit)
			if err := p.extra.Acquire(ctx, it.Held); err != nil {
				return err
			}
			p.deid.metrics.Queued(it.Held)
		}
		if err := p.dispatch(ctx, it, i); err != nil {
			return err
		}
	}
	return nil
}

// batch waits for an item and takes what else is there; false at the end.
func (p *Pipeline) batch(ctx context.Context) ([]*Item, bool) {
	var batch []*Item
	select {
	case it, ok := <-p.In:
		if !ok {
			return nil, false
		}
		batch = append(batch, it)
	case <-ctx.Done():
		return nil, false
	}
	for len(batch) < BatchItems {
		select {
		case it, ok := <-p.In:
			if !ok {
				return batch, false
			}
			batch = append(batch, it)
		default:
			return batch, true
		}
	}
	return batch, true
}

// dispatch hands an item to the committer, and its row to the patient's worker.
func (p *Pipeline) dispatch(ctx context.Context, it *Item, n int) error {
	select {
	case p.Ordered <- it:
	case <-ctx.Done():
		return ctx.Err()
	}
	if it.Change == nil {
		return nil
	}
	select {
	case p.shardOf(it, n).stream <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Expect returns a channel that is closed once everything before a mark is committed. It
// is called before the mark is written.
func (p *Pipeline) Expect(mark string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	passed := make(chan struct{})
	p.expected[mark] = passed
	return passed
}

// Announce says that everything before a mark is committed. Marks of others are not
// expected.
func (p *Pipeline) Announce(mark string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if passed, ok := p.expected[mark]; ok {
		close(passed)
		delete(p.expected, mark)
	}
}

// shardOf returns the shard of an item's patient, or that of its number if it has none.
func (p *Pipeline) shardOf(it *Item, n int) shard {
	if it.Patient != nil {
		n = int(maphash.String(p.seed, it.Patient.Key) % uint64(len(p.shards))) //nolint:gosec // below len
	}
	return p.shards[n%len(p.shards)]
}

// Rewrite has the workers of their patients de-identify items, when the stream leaves
// them time to.
func (p *Pipeline) Rewrite(ctx context.Context, items []*Item) error {
	g, ctx := errgroup.WithContext(ctx)
	byShard := map[shard][]*Item{}
	for n, it := range items {
		s := p.shardOf(it, n)
		byShard[s] = append(byShard[s], it)
	}
	for s, list := range byShard {
		g.Go(func() error {
			for _, it := range list {
				select {
				case s.rewrites <- it:
				case <-ctx.Done():
					return ctx.Err()
				}
				select {
				case <-it.Done:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// next returns the worker's next item: one of the stream if there is one, and each time
// after n of these one to be rewritten if there is one. It returns nil at the end of the
// stream.
func (s shard) next(ctx context.Context, n *int) *Item {
	first := s.stream
	if *n >= rewriteShare {
		first = s.rewrites
	}
	select {
	case it := <-first:
		return s.count(it, first, n)
	default:
	}
	select {
	case it := <-s.stream:
		return s.count(it, s.stream, n)
	case it := <-s.rewrites:
		return s.count(it, s.rewrites, n)
	case <-ctx.Done():
		return nil
	}
}

// count counts the items of the stream since the last one that was rewritten.
func (s shard) count(it *Item, from chan *Item, n *int) *Item {
	if *n++; from == s.rewrites {
		*n = 0
	}
	return it
}
