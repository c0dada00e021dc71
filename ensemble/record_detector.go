package ensemble

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// recordDetector finds what a gazetteer holds in a note.
type recordDetector struct {
	name  string
	staff bool
	of    func(*Note) *Gazetteer
}

// NewRecord returns the detector "record": it finds the identifiers of the
// note's own patient, [Note.Patient].
func NewRecord() Detector {
	return recordDetector{"record", false, func(n *Note) *Gazetteer { return n.Patient }}
}

// NewDirectory returns the detector "directory": it finds the staff and the
// facilities of [Note.Directory]. A name counts if both its parts stand together
// or a title, a credential or a signature stands beside it.
func NewDirectory() Detector {
	return recordDetector{"directory", true, func(n *Note) *Gazetteer { return n.Directory }}
}

func (d recordDetector) Name() string { return d.name }

func (d recordDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	g := d.of(note)
	if g == nil || len(g.record) == 0 {
		return dst, ctx.Err()
	}
	m := newMatcher(g, note, d.staff)
	m.out, m.base = dst, len(dst)
	if err := m.runContext(ctx); err != nil {
		return dst, err
	}
	odd, err := m.readOddly(ctx)
	if err != nil {
		return dst, err
	}
	return append(dst, joinSpans(slices.Clone(m.out[m.base:]), odd.spans())...), nil
}
