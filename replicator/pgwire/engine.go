package pgwire

import (
	"context"

	"github.com/pgdeid/pgdeid/replicator"
)

// Engine does the work that clients ask for: a [replicator.Desk]. It is safe for
// concurrent use.
type Engine interface {
	// Pseudonym returns what the replica calls a patient, by the patient's key in the source,
	// whether there is such a patient or not; "" for what is no key.
	Pseudonym(patient string) string
	// Ask answers questions, in their order. What is wrong with one of them stands in
	// its answer's Reason; an error means that none was answered. Answers that are
	// [replicator.Busy] are asked for again.
	Ask(ctx context.Context, asked []replicator.Question) ([]replicator.Answer, error)
	// Pull reads notes from the source by their keys and de-identifies them. Keys that
	// the source does not have are left out.
	Pull(ctx context.Context, from replicator.NoteKeys) ([]replicator.NoteAnswer, error)
}
