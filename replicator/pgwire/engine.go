package pgwire

import (
	"context"

	"github.com/pgdeid/pgdeid/replicator"
)

// Engine does the work that clients ask for: a [replicator.Desk]. It is safe for
// concurrent use.
type Engine interface {
	// Ask answers questions, in their order. What is wrong with one of them stands in
	// its answer's Reason; an error means that none was answered. Answers that are
	// [replicator.Busy] are asked for again.
	Ask(ctx context.Context, asked []replicator.Question) ([]replicator.Answer, error)
	// Pull reads notes from the source by their keys and de-identifies them. Keys that
	// the source does not have are left out.
	Pull(ctx context.Context, from replicator.NoteKeys) ([]replicator.NoteAnswer, error)
}
