package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Scorer is a member that gives the probabilities of types of PHI by token, from which
// spans are made after those of all members were combined. A detector may be one as well.
type Scorer interface {
	// Name is that of the member, as [Detector.Name].
	Name() string
	// Types lists the types that the member reports, in the order of their constants.
	Types() []phi.Type
	// Score replaces what is in dst by the probabilities of the tokens that are asked:
	// ranges of token numbers, sorted and disjoint; nil asks for all of the note. It is a
	// pure function of the note and of what is asked, and fails as [Detector.Detect]
	// does: then dst holds nothing that may be used.
	Score(ctx context.Context, note *Note, ask []phi.Range, dst *merge.Posterior) error
}
