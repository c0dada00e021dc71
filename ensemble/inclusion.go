package ensemble

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/inclusion"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// WithInclusion returns the same ensemble with another list of verified sentences; nil means
// none.
func (e *Ensemble) WithInclusion(l *inclusion.List) *Ensemble {
	with := *e
	with.inclusion = l
	return &with
}

// HasInclusion reports whether the ensemble has a list with sentences on it.
func (e *Ensemble) HasInclusion() bool { return e.inclusion.Len() > 0 }

// recordHits returns where the patient's record matches, and where the directory is sure: the
// inclusion list and the site's phrases yield to both, also in an ensemble without these members.
func (r *reading) recordHits(ctx context.Context) ([]phi.Range, error) {
	if !r.of.HasInclusion() && !r.of.site.HasNever() {
		return nil, nil
	}
	var hits []phi.Range
	for _, d := range []Detector{NewRecord(), NewDirectory()} {
		found := r.of.votesOf(d.Name(), r.votes)
		if r.of.bitOf(d.Name())&r.of.exact == 0 {
			var err error
			found, err = d.Detect(ctx, r.note, nil)
			if err != nil {
				return nil, err
			}
		}
		for _, s := range found {
			if s.Sure || d.Name() == "record" {
				hits = append(hits, phi.Range{Start: s.Start, End: s.End})
			}
		}
	}
	return hits, nil
}
