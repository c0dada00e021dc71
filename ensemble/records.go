package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// recordDetector finds the identifiers of the note's patient.
type recordDetector struct{}

// NewRecord returns the detector "record": it finds the identifiers of the
// note's own patient, [Note.Patient].
func NewRecord() Detector { return recordDetector{} }

func (recordDetector) Name() string { return "record" }

func (recordDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	return record.Find(ctx, note.View(), note.Patient, dst)
}

// directoryDetector finds the staff and the facilities of the site.
type directoryDetector struct{}

// NewDirectory returns the detector "directory": it finds the staff and the
// facilities of [Note.Directory], see [record.FindStaff].
func NewDirectory() Detector { return directoryDetector{} }

func (directoryDetector) Name() string { return "directory" }

func (directoryDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	return record.FindStaff(ctx, note.View(), note.Directory, dst)
}
