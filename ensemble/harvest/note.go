package harvest

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Note is one note of the source. It prints itself redacted.
type Note struct {
	Texts   []string // a note may have several: a title and a body
	Patient string   // whose it is, in any form that tells patients apart; "" if unknown
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

// Batch is a stretch of a source: a few hundred notes.
type Batch struct {
	// Notes returns the notes. It runs in any goroutine, once.
	Notes func() ([]Note, error)
	// After says where the next batch begins, for [Source.Read].
	After string
}

// Source is where notes are read from: the same ones in the same order each time, as
// long as nobody changes them.
type Source interface {
	// Read passes the batches from a position on ("": from the start) to do, one at a
	// time, and ends with its first error. With records the notes know their patients'.
	Read(ctx context.Context, after string, records bool, do func(Batch) error) error
	// Identity says in a word what is read, so that a state is not taken for another
	// source's.
	Identity() (string, error)
	// Estimate returns about how many notes there are, 0 if that is not known.
	Estimate(ctx context.Context) int64
}
