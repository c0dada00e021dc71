package replicator

import (
	"context"
	"hash/maphash"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// pipeline passes items from one reader through resolve and the workers to one
// committer, in the reader's order. What is on its way is bounded in bytes.
//
//	reader -put-> in -> resolve -> shards (by patient) -> workers
//	                        \----> ordered -> committer waits for each item's turn
type pipeline struct {
	deid    *deidentifier
	budget  *semaphore.Weighted
	limit   int64
	in      chan *item
	shards  []shard
	ordered chan *item
	seed    maphash.Seed
}

// shard is what one worker is given: changes of the stream, and rows to be rewritten.
type shard struct{ stream, rewrites chan *item }

// rewriteShare is how many changes of the stream a worker does at most while a row
// waits to be rewritten: rows are rewritten even where the stream never ends.
const rewriteShare = 16

// Lengths of queues: the bytes are what bounds them, these only bound marks.
const (
	inLength      = 1024
	shardLength   = 256
	orderedLength = 4096
	// batchItems is how many items are resolved together, with one query for each table.
	batchItems = 500
)

func newPipeline(d *deidentifier, workers int, limit int64) *pipeline {
	p := &pipeline{
		deid: d, budget: semaphore.NewWeighted(limit), limit: limit, in: make(chan *item, inLength),
		ordered: make(chan *item, orderedLength), seed: maphash.MakeSeed(),
	}
	for range workers {
		p.shards = append(p.shards, shard{make(chan *item, shardLength), make(chan *item)})
	}
	return p
}

// put takes an item in, once there is room for it.
func (p *pipeline) put(ctx context.Context, it *item) error {
	it.held = min(it.held, p.limit)
	if err := p.budget.Acquire(ctx, it.held); err != nil {
		return err
	}
	p.deid.metrics.queued(it.held)
	select {
	case p.in <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// written gives back an item's room, once the replica has its row.
func (p *pipeline) written(it *item) {
	p.budget.Release(it.held)
	p.deid.metrics.queued(-it.held)
}

// run works until in is closed and empty, then closes ordered.
func (p *pipeline) run(ctx context.Context, r *resolver) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range p.shards {
		g.Go(guarded(p.deid.log, "a worker", func() error {
			for n := 0; ; {
				it := s.next(ctx, &n)
				if it == nil {
					return ctx.Err()
				}
				p.deid.deidentify(ctx, it)
				if ctx.Err() != nil {
					return ctx.Err() // the outcome may say that the detector failed
				}
				close(it.done)
			}
		}))
	}
	g.Go(guarded(p.deid.log, "the dispatcher", func() error {
		defer func() {
			for _, s := range p.shards {
				close(s.stream)
			}
			close(p.ordered)
		}()
		return p.dispatchAll(ctx, r)
	}))
	return g.Wait()
}

func (p *pipeline) dispatchAll(ctx context.Context, r *resolver) error {
	for {
		batch, ok := p.batch(ctx)
		if len(batch) > 0 {
			if err := r.resolveEach(ctx, batch); err != nil {
				return err
			}
			for i, it := range batch {
				if err := p.dispatch(ctx, it, i); err != nil {
					return err
				}
			}
		}
		if !ok {
			return ctx.Err()
		}
	}
}

// batch waits for an item and takes what else is there; false at the end.
func (p *pipeline) batch(ctx context.Context) ([]*item, bool) {
	var batch []*item
	select {
	case it, ok := <-p.in:
		if !ok {
			return nil, false
		}
		batch = append(batch, it)
	case <-ctx.Done():
		return nil, false
	}
	for len(batch) < batchItems {
		select {
		case it, ok := <-p.in:
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
func (p *pipeline) dispatch(ctx context.Context, it *item, n int) error {
	select {
	case p.ordered <- it:
	case <-ctx.Done():
		return ctx.Err()
	}
	if it.change == nil {
		return nil
	}
	select {
	case p.shardOf(it, n).stream <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shardOf returns the shard of an item's patient, or that of its number if it has none.
func (p *pipeline) shardOf(it *item, n int) shard {
	if it.patient != nil {
		n = int(maphash.String(p.seed, it.patient.key) % uint64(len(p.shards))) //nolint:gosec // below len
	}
	return p.shards[n%len(p.shards)]
}

// rewrite has the workers of their patients de-identify items, when the stream leaves
// them time to.
func (p *pipeline) rewrite(ctx context.Context, items []*item) error {
	g, ctx := errgroup.WithContext(ctx)
	byShard := map[shard][]*item{}
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
				case <-it.done:
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
func (s shard) next(ctx context.Context, n *int) *item {
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
func (s shard) count(it *item, from chan *item, n *int) *item {
	if *n++; from == s.rewrites {
		*n = 0
	}
	return it
}
