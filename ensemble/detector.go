package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Detector is a member of the ensemble: it finds PHI in one note.
//
// Detect appends the spans it finds to dst and returns the extended slice. The
// spans it appends are within the text, not empty, start and end on rune
// borders, are sorted by start and do not overlap one another. Detect is a pure
// function of the note, is safe for use by several goroutines on different
// notes, returns ctx.Err() soon after ctx is done, and never panics, whatever
// the text. An error means that the note must not be published: an incomplete
// result is never returned as if it were whole. [ensembletest.Conform] checks
// all this.
type Detector interface {
	// Name is short, lower case and unique in an ensemble: "patterns".
	Name() string
	Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error)
}
