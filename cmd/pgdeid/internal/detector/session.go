package detector

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/trace"
)

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

// OpenSession calls do with what every command needs that works on both databases: the configuration, the key, and the
// ensemble that the configuration says. It closes the models afterwards.
func OpenSession(ctx context.Context, g *command.Globals, do func(session.Options) error) error {
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return err
	}
	old, err := command.ReadOldKey(cfg)
	if err != nil {
		return err
	}
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return fault.New("choose detectors", err, "correct detect.detectors and detect.models in "+g.Config)
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
		return errors.Join(fault.New("choose detectors", err, "correct detect.detectors and detect.aggregation in "+g.Config), set.Close())
	}
	detector, digest, err := withLists(ctx, cfg, key, detector, plan.Digest())
	if err != nil {
		return errors.Join(err, set.Close())
	}
	o := session.Options{
		Config: cfg, Key: key, OldKey: old, Detector: detector, Version: g.Version, Models: digest, Log: slog.Default(),
		Metrics: metrics.New(set.Collector()),
	}
	return command.JoinClose(withWorkers(ctx, set, o, func(o session.Options) error { return traced(ctx, o, do) }), set)
}
