package harvest

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// ordered reads batches, processes them in several goroutines, and folds the results in one, in
// the order of reading, so that the result does not depend on the speed of workers. It stops at
// the first error.
func ordered[R any](ctx context.Context, workers int, read func(context.Context, func(Batch) error) error,
	work func(context.Context, Batch) (R, error), fold func(R, Batch) error,
) error {
	type job struct {
		Batch
		out chan R // buffer of one
	}
	g, ctx := errgroup.WithContext(ctx)
	todo, order := make(chan job), make(chan job, workers)
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		return read(ctx, func(b Batch) error {
			j := job{b, make(chan R, 1)}
			for _, to := range []chan job{order, todo} {
				select {
				case to <- j:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		g.Go(func() error {
			for j := range todo {
				r, err := work(ctx, j.Batch)
				if err != nil {
					return err
				}
				j.out <- r
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			select {
			case r := <-j.out:
				if err := fold(r, j.Batch); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}
