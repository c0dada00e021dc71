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
	*shared
	budget  *semaphore.Weighted
	limit   int64
	in      chan *item
	shards  []chan *item
	ordered chan *item
	seed    maphash.Seed
}

// Lengths of queues: the bytes are what bounds them, these only bound marks.
const (
	inLength      = 1024
	shardLength   = 256
	orderedLength = 4096
	// batchItems is how many items are resolved together, with one query for each table.
	batchItems = 500
)

func newPipeline(s *shared, workers int, limit int64) *pipeline {
	p := &pipeline{
		shared: s, budget: semaphore.NewWeighted(limit), limit: limit, in: make(chan *item, inLength),
		ordered: make(chan *item, orderedLength), seed: maphash.MakeSeed(),
	}
	for range workers {
		p.shards = append(p.shards, make(chan *item, shardLength))
	}
	return p
}

// put takes an item in, once there is room for it.
func (p *pipeline) put(ctx context.Context, it *item) error {
	it.held = min(it.held, p.limit)
	if err := p.budget.Acquire(ctx, it.held); err != nil {
		return err
	}
	p.metrics.queued(it.held)
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
	p.metrics.queued(-it.held)
}

// run works until in is closed and empty, then closes ordered.
func (p *pipeline) run(ctx context.Context, r *resolver) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, shard := range p.shards {
		g.Go(p.guarded("a worker", func() error {
			for it := range shard {
				p.deidentify(ctx, it)
				if ctx.Err() != nil {
					return ctx.Err() // the outcome may say that the detector failed
				}
				close(it.done)
			}
			return nil
		}))
	}
	g.Go(p.guarded("the dispatcher", func() error {
		defer func() {
			for _, shard := range p.shards {
				close(shard)
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
	shard := n % len(p.shards)
	if it.patient != nil {
		shard = int(maphash.String(p.seed, it.patient.key) % uint64(len(p.shards))) //nolint:gosec // below len
	}
	select {
	case p.shards[shard] <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
