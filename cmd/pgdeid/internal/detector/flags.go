// Package detector opens the ensemble that a command detects with: the one that flags describe, or that of the
// configuration, with what people verified, the phrases of the site and detection workers.
package detector

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// Flags choose the members of the ensemble for commands without a configuration.
type Flags struct {
	models    []string
	detectors []string
	threshold int
	by        aggregationFlags
	combining combiningFlags
	inclusion string
	templates string
}

// Register adds the flags to those of a command.
func (f *Flags) Register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.models, "models", []string{config.ModelsDefault},
		"models: default, fast (of these, no networks), none, a model's `folder` or a YAML file; may be said again")
	flags.StringSliceVar(&f.detectors, "detectors", nil,
		"members to run, by `name`, or with a hyphen before each those not to run (default all, those of the models too)")
	f.by.register(flags)
	f.combining.register(flags)
	flags.IntVar(&f.threshold, "threshold", 1, "votes that make a span")
	flags.StringVar(&f.inclusion, "inclusion", "", "`file` of verified sentences, see 'pgdeid harvest'")
	flags.StringVar(&f.templates, "templates", "", "`file` of verified templates, see 'pgdeid harvest'")
}

// Aggregates reports whether flags say how what the members find becomes spans.
func (f *Flags) Aggregates() bool { return f.by != aggregationFlags{} }

// Unite lets every member vote with all its spans.
func (f *Flags) Unite() { f.by.by = string(merge.ByUnion) }

// Open returns the ensemble. The caller must close the set.
func (f *Flags) Open() (*ensemble.Ensemble, *models.Set, error) {
	if f.threshold < 1 {
		return nil, nil, command.UsageError("--threshold: want at least 1")
	}
	by, err := f.by.read()
	if err != nil {
		return nil, nil, err
	}
	defs, err := ReadModels(f.models)
	if err != nil {
		return nil, nil, err
	}
	combining, err := f.combining.read()
	if err != nil {
		return nil, nil, err
	}
	plan, err := models.PlanOf(&config.Detect{Models: defs, Detectors: f.detectors, Aggregation: by, Combining: combining})
	if err != nil {
		return nil, nil, command.UsageError("%w", err)
	}
	set, err := plan.Open()
	if err != nil {
		return nil, nil, err
	}
	ens, err := set.Ensemble(f.threshold)
	if err != nil {
		return nil, nil, errors.Join(command.UsageError("%w", err), set.Close())
	}
	if ens, err = includeFiles(ens, f.inclusion, f.templates); err != nil {
		return nil, nil, errors.Join(err, set.Close())
	}
	return ens, set, nil
}

// ReadModels returns the models that --models names.
func ReadModels(specs []string) (defs []config.Model, err error) {
	for _, spec := range specs {
		more, err := models.ReadSpec(spec)
		if err != nil {
			return nil, command.UsageError("--models: %w", err)
		}
		defs = append(defs, more...)
	}
	return defs, nil
}
