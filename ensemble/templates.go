package ensemble

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/template"
)

// templates is the detector of sentences of a verified form.
type templates struct{ set *template.Set }

// NewTemplates returns the detector "templates": it finds the PHI of sentences that have the
// form of a template of the set (nil: none). See [Ensemble.WithTemplates].
func NewTemplates(set *template.Set) Detector { return templates{set} }

func (templates) Name() string { return "templates" }

func (d templates) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	return d.set.Find(ctx, note.View(), dst)
}

// WithTemplates returns the same ensemble with other templates; nil means none. Without the
// member "templates" it changes nothing.
func (e *Ensemble) WithTemplates(set *template.Set) *Ensemble {
	with := *e
	with.members = slices.Clone(e.members)
	for i, m := range with.members {
		if _, ok := m.Detector.(templates); ok {
			with.members[i].Detector = templates{set}
		}
	}
	return &with
}

// HasTemplates reports whether the ensemble has a member with templates.
func (e *Ensemble) HasTemplates() bool {
	return slices.ContainsFunc(e.members, func(m Member) bool {
		d, ok := m.Detector.(templates)
		return ok && d.set.Len() > 0
	})
}
