package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql"
)

// A worker that could do nothing for others says so and ends.
func TestDetectionWorkerRefusals(t *testing.T) {
	t.Parallel()
	whole := certificatetest.New(t, t.TempDir()).Issue(t, "worker")
	missing := whole
	missing.AuthorityFile = "absent"
	for name, c := range map[string]struct {
		files certificate.Mutual
		why   string
	}{
		"no certificate": {certificate.Mutual{}, "there is no certificate"},
		"no authority":   {missing, "absent"},
		"no networks":    {whole, "has no networks"},
	} {
		cfg := &config.Config{Detect: config.Detect{Models: []config.Model{{Default: true, Fast: true}}, Workers: config.Workers{Certificate: c.files}}}
		d := &detectionWorker{listen: "127.0.0.1:0"}
		if err := d.run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), c.why) || fault.Hint(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFindingsAboutWorkers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		level  sql.Level
		remedy string
	}{
		"well":        {nil, sql.OK, ""},
		"dead":        {errors.New("connection refused"), sql.Warning, "pgdeid work --detect"},
		"another":     {&remote.Mismatch{}, sql.Problem, "install the same package"},
		"no files":    {fault.New("read certificate", errors.New("absent"), "both must be PEM"), sql.Warning, "both must be PEM"},
		"wrapped too": {errors.Join(&remote.Mismatch{}), sql.Problem, "install the same package"},
	} {
		f := workerFinding("d1:9190", c.err)
		if f.Level != c.level || !strings.Contains(f.Remedy, c.remedy) || !strings.Contains(f.Subject, "d1:9190") || f.Text == "" && c.err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	set := &models.Set{}
	if fs := workerFindings(t.Context(), &config.Workers{}, set); fs != nil {
		t.Errorf("without workers: %+v", fs)
	}
	if fs := workerFindings(t.Context(), &config.Workers{Addresses: []string{"d1:9190"}}, set); len(fs) != 1 || fs[0].Level != sql.Warning {
		t.Errorf("without networks: %+v", fs)
	}
}

// Without workers, or without networks that they could run, a command does what it did.
func TestCommandsWithoutWorkers(t *testing.T) {
	t.Parallel()
	for _, addresses := range [][]string{nil, {"127.0.0.1:1"}} {
		called := errors.New("called")
		o := session.Options{Config: &config.Config{Detect: config.Detect{Workers: config.Workers{Addresses: addresses}}}, Metrics: metrics.New()}
		if err := withWorkers(t.Context(), &models.Set{}, o, func(session.Options) error { return called }); !errors.Is(err, called) {
			t.Errorf("%v: %v", addresses, err)
		}
	}
}
