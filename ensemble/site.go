package ensemble

import (
	"context"
	"errors"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/site"
)

// errSite says that no member is left for what is always PHI at a site.
var errSite = errors.New("as many detectors vote as can, so that none can be added for the site's phrases: leave one of them out")

// siteDetector finds what is always PHI at a site.
type siteDetector struct{ list *site.List }

func (siteDetector) Name() string { return "site" }

func (d siteDetector) Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	return d.list.Find(ctx, note.View(), dst)
}

// WithSite returns the same ensemble with the phrases of a site: a member "site", the last one, that finds what is
// always PHI there, and none that is found within what never is. It is called once, last.
func (e *Ensemble) WithSite(l *site.List) (*Ensemble, error) {
	with := *e
	with.site = l
	if !l.HasAlways() {
		return &with, nil
	}
	with.members = append(slices.Clone(e.members), Member{Detector: siteDetector{l}})
	if len(with.members) > merge.MaxVoters {
		return nil, errSite
	}
	last := len(with.members) - 1
	with.exact |= 1 << last
	with.voters.Sources[last] = with.sourceOf(last)
	return &with, nil
}
