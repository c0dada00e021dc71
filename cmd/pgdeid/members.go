package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/trace"

	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
)

// memberFlags choose the members of the ensemble for commands without a configuration.
type memberFlags struct {
	models    []string
	detectors []string
	threshold int
	by        aggregationFlags
	combining combiningFlags
	inclusion string
	templates string
}

func (f *memberFlags) register(flags *pflag.FlagSet) {
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

// open returns the ensemble. The caller must close the set.
func (f *memberFlags) open() (*ensemble.Ensemble, *models.Set, error) {
	if f.threshold < 1 {
		return nil, nil, usageError("--threshold: want at least 1")
	}
	by, err := f.by.read()
	if err != nil {
		return nil, nil, err
	}
	var defs []config.Model
	for _, spec := range f.models {
		more, err := models.ReadSpec(spec)
		if err != nil {
			return nil, nil, usageError("--models: %w", err)
		}
		defs = append(defs, more...)
	}
	combining, err := f.combining.read()
	if err != nil {
		return nil, nil, err
	}
	plan, err := models.PlanOf(&config.Detect{Models: defs, Detectors: f.detectors, Aggregation: by, Combining: combining})
	if err != nil {
		return nil, nil, usageError("%w", err)
	}
	set, err := plan.Open()
	if err != nil {
		return nil, nil, err
	}
	ens, err := set.Ensemble(f.threshold)
	if err != nil {
		return nil, nil, errors.Join(usageError("%w", err), set.Close())
	}
	if ens, err = includeFiles(ens, f.inclusion, f.templates); err != nil {
		return nil, nil, errors.Join(err, set.Close())
	}
	return ens, set, nil
}

// traced calls do with the traces that the configuration asks for, and sends what is left of them in the end.
func traced(ctx context.Context, o session.Options, do func(session.Options) error) error {
	tracer, closer, err := trace.Open(ctx, o.Config.Tracing, o.Version)
	switch {
	case err != nil:
		return err
	case tracer == nil:
		return do(o)
	}
	o.Trace = tracer
	err = do(o)
	left, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if lost := closer(left); lost != nil {
		slog.Warn("traces were not sent", "error", lost)
	}
	return err
}

// replicate reads what every replicating command needs, and closes the models after do.
func (g *globals) replicate(ctx context.Context, do func(session.Options) error) error {
	cfg, key, err := g.loadWithKey()
	if err != nil {
		return err
	}
	old, err := readOldKey(cfg)
	if err != nil {
		return err
	}
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return fault.New("choose detectors", err, "correct detect.detectors and detect.models in "+g.config)
	}
	if omitted := plan.Omitted(); len(omitted) > 0 {
		slog.Warn("detect.detectors leaves members of the models out: they do not vote", "members", strings.Join(omitted, " "))
	}
	plan.Remember(cfg.Limits.CachedSentences)
	set, err := plan.Open()
	if err != nil {
		return err
	}
	detector, err := set.Ensemble(cfg.Detect.Threshold)
	if err != nil {
		return errors.Join(fault.New("choose detectors", err, "correct detect.detectors and detect.aggregation in "+g.config), set.Close())
	}
	detector, digest, err := withLists(ctx, cfg, key, detector, plan.Digest())
	if err != nil {
		return errors.Join(err, set.Close())
	}
	o := session.Options{
		Config: cfg, Key: key, OldKey: old, Detector: detector, Version: version, Models: digest, Log: slog.Default(),
		Metrics: metrics.New(set.Collector()),
	}
	return joinClose(withWorkers(ctx, set, o, func(o session.Options) error { return traced(ctx, o, do) }), set)
}
