// Package preflight checks everything that a run relies on, for "pgdeid check" and the dossier.
package preflight

import (
	"context"
	"errors"
	"strings"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/preflight"
)

// Findings runs the checks. Each error in the configuration file is a finding.
func Findings(ctx context.Context, g *command.Globals) (finding.List, error) {
	cfg, err := config.Load(g.Config)
	var problems config.Problems
	if errors.As(err, &problems) {
		var fs finding.List
		for _, p := range problems {
			fs = append(fs, finding.Finding{Level: finding.Problem, Subject: "configuration " + g.Config, Text: p.Error()})
		}
		return fs, nil
	}
	if err != nil {
		return nil, err
	}
	fs, err := preflight.Run(ctx, cfg)
	fs = append(fs, OfModels(ctx, g.Version, cfg)...)
	return append(fs, verifiedFindings(ctx, cfg)...), err
}

// OfModels loads the neural members once, as a run does, and asks those who work for it.
func OfModels(ctx context.Context, version string, cfg *config.Config) finding.List {
	problem := func(err error) finding.List {
		return finding.List{{Level: finding.Problem, Subject: "models", Text: err.Error(), Remedy: fault.Hint(err)}}
	}
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return problem(fault.New("choose detectors", err, "correct detect.detectors and detect.models"))
	}
	set, err := plan.Open()
	if err != nil {
		return problem(err)
	}
	var fs finding.List
	for _, m := range plan.Models() {
		text := "loads, and every file has the hash that was given; votes as " + strings.Join(m.Members, ", ")
		fs = append(fs, finding.Finding{Level: finding.OK, Subject: "model " + m.Name, Text: text})
	}
	if omitted := plan.Omitted(); len(omitted) > 0 {
		fs = append(fs, finding.Finding{
			Level: finding.Warning, Subject: "models", Text: "detect.detectors leaves members of the models out: " + strings.Join(omitted, ", "),
			Remedy: "name them there, or say models: none",
		})
	}
	if len(fs) == 0 {
		fs = finding.List{{Level: finding.Note, Subject: "models", Text: "none: detection is by rules and records"}}
	}
	if _, err := set.Ensemble(cfg.Detect.Threshold); err != nil {
		fs = append(fs, problem(fault.New("choose detectors", err, "correct detect.detectors and detect.aggregation"))...)
	}
	fs = append(fs, workerFindings(ctx, version, &cfg.Detect.Workers, set)...)
	if err := set.Close(); err != nil {
		fs = append(fs, problem(err)...)
	}
	return fs
}
