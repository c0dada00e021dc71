package harvest

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Note is one note of the source. It prints itself redacted.
type Note struct {
	Texts   []string // there may be several, such as a title and a body
	Patient string   // any identifier of the patient; "" if unknown
	Author  string   // likewise
	// Record is what is known of the patient, or nil. Pass 1 does not need it.
	Record *record.Gazetteer
	// Directory is what is known of the site, or nil.
	Directory *record.Gazetteer
}

// Format prints how many texts a note has.
func (n Note) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "note[%d texts]", len(n.Texts)) }

// LogValue keeps the texts out of logs.
func (n Note) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(n)) }

// Batch is a section of a source: a few hundred notes.
type Batch struct {
	// Notes returns the notes. It is called once, from any goroutine.
	Notes func() ([]Note, error)
	// After is the position of the next batch, for [Source.Read].
	After string
}

// Source provides notes, the same ones in the same order each time while the data is unchanged.
type Source interface {
	// Read passes the batches from a position on ("": from the start) to do, one at a time, until the
	// first error. With records set, notes have their patients' records.
	Read(ctx context.Context, after string, records bool, do func(Batch) error) error
	// Identity identifies what is read, so that a state is not used with another source.
	Identity() (string, error)
	// Estimate returns about how many notes there are, 0 if that is not known.
	Estimate(ctx context.Context) int64
}
