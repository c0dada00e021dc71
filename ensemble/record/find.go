package record

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Find appends the identifiers of the note's own patient: sorted, disjoint spans.
func Find(ctx context.Context, v *text.View, patient *Gazetteer, dst []phi.Span) ([]phi.Span, error) {
	return patient.find(ctx, v, false, dst)
}

// FindStaff appends what a directory of staff and facilities holds. A name counts if both
// its parts are together or a title, a credential or a signature is next to it.
func FindStaff(ctx context.Context, v *text.View, directory *Gazetteer, dst []phi.Span) ([]phi.Span, error) {
	return directory.find(ctx, v, true, dst)
}

func (g *Gazetteer) find(ctx context.Context, v *text.View, staff bool, dst []phi.Span) ([]phi.Span, error) {
	if g == nil || len(g.record) == 0 {
		return dst, ctx.Err()
	}
	m := newMatcher(g, v, staff)
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
