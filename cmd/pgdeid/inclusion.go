package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/fault"
	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/sql"
)

// verifiedOf reads what was verified from where detect.inclusion says.
func verifiedOf(ctx context.Context, cfg *mapping.Config) (harvest.List, error) {
	switch where := cfg.Detect.Inclusion; where {
	case mapping.NoInclusion:
		return nil, nil
	case mapping.InVault:
		list, _, err := replicator.ReadVerified(ctx, cfg)
		return list, err
	default:
		list, err := harvest.ReadList(where)
		return list, fault.New("read what was verified", err, "correct detect.inclusion in "+cfg.Path+": vault, none, or a file that 'pgdeid harvest export' wrote")
	}
}

// withVerified returns the ensemble with what was verified, and a word for both that
// puts notes out of date when one of them changes.
func withVerified(ctx context.Context, cfg *mapping.Config, ens *ensemble.Ensemble, digest string) (*ensemble.Ensemble, string, error) {
	list, err := verifiedOf(ctx, cfg)
	if err != nil || len(list) == 0 {
		return ens, digest, err
	}
	return ens.WithInclusion(list.Inclusion()), strings.Join([]string{digest, "verified", list.Digest()}, " "), nil
}

// verifiedFindings tells what of the site's own is used. A vault that can't be read is
// among the findings already.
func verifiedFindings(ctx context.Context, cfg *mapping.Config) sql.Findings {
	const subject = "verified sentences"
	list, err := verifiedOf(ctx, cfg)
	switch {
	case err != nil && cfg.Detect.Inclusion == mapping.InVault:
		return nil
	case err != nil:
		return sql.Findings{{Level: sql.Problem, Subject: subject, Text: err.Error(), Remedy: fault.Hint(err)}}
	}
	sentences := list.Inclusion().Len()
	return sql.Findings{{
		Level: sql.Note, Subject: subject,
		Text: fmt.Sprintf("%d sentences and %d templates of the site's own, from %s", sentences, len(list)-sentences, cfg.Detect.Inclusion),
	}}
}

// includeFile returns the ensemble with the list of a file; "": without one.
func includeFile(ens *ensemble.Ensemble, path string) (*ensemble.Ensemble, error) {
	if path == "" {
		return ens, nil
	}
	list, err := harvest.ReadList(path)
	if err != nil {
		return nil, usageError("--inclusion: %w", err)
	}
	return ens.WithInclusion(list.Inclusion()), nil
}

// planOf chooses all members: those of the models that are named, or else of the
// configuration's, or else of the program's.
func planOf(specs []string, cfg *mapping.Config) (*models.Plan, error) {
	var defs []mapping.Model
	switch {
	case len(specs) > 0:
		for _, spec := range specs {
			more, err := models.ReadSpec(spec)
			if err != nil {
				return nil, usageError("--models: %w", err)
			}
			defs = append(defs, more...)
		}
	case cfg != nil:
		defs = cfg.Detect.Models
	default:
		defs = []mapping.Model{{Default: true}}
	}
	return models.NewPlan(defs, nil)
}
