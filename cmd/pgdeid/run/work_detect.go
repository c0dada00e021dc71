package run

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/serving"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/models/remote"
)

// detectionWorker is a process that runs networks for others.
type detectionWorker struct {
	version string // of this program
	listen  string
	http    string
	grace   time.Duration
}

// run answers until ctx is done. It needs neither key nor databases.
func (d *detectionWorker) run(ctx context.Context, cfg *config.Config) error {
	files := cfg.Detect.Workers.Certificate
	if files.CertFile == "" {
		return fault.New("work for others", errors.New("there is no certificate"),
			"set certificate_file, private_key_file and authority_file under detect.workers: see internal/config/README.md")
	}
	if err := config.CheckPassword(files.KeyFile); err != nil {
		return err
	}
	secured, err := files.Server()
	if err != nil {
		return err
	}
	set, err := openForOthers(cfg)
	if err != nil {
		return err
	}
	server := remote.NewServer(detector.HelloOf(d.version, set.Runtime()), set.Runtime(), d.grace, slog.Default())
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", d.listen)
	if err != nil {
		return errors.Join(fault.New("listen on "+d.listen, err, "choose another address with --detect"), set.Close())
	}
	slog.Info("running networks for others", "at", listener.Addr().String())
	health := serving.Health{Addr: d.http, Metrics: workerMetrics(d.version, set.Collector(), server.Metrics())}
	return command.JoinClose(serveWithHealth(ctx, health, func(ctx context.Context) error { return server.Serve(ctx, listener, secured) }), set)
}

// openForOthers opens the models of a configuration, whose networks are lent to others. These remember sentences, not this process.
func openForOthers(cfg *config.Config) (*models.Set, error) {
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return nil, fault.New("choose detectors", err, "correct detect.detectors and detect.models")
	}
	plan.Remember(1)
	set, err := plan.Open()
	if err == nil && set.Runtime() == nil {
		err = errors.Join(fault.New("work for others", errors.New("detect.models has no networks, and they are all that others need"),
			"say models: default, or name the site's own"), set.Close())
	}
	return set, err
}

// workerMetrics are those of a process that does not replicate.
func workerMetrics(version string, own ...prometheus.Collector) http.Handler {
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "pgdeid", Name: "build_info", Help: "1 for the version of the program."},
		[]string{"version"})
	build.WithLabelValues(version).Set(1)
	r := prometheus.NewRegistry()
	r.MustRegister(append(own, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))...)
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}

// serveWithHealth serves until ctx is done, and answers how it fares. Either ends the other.
func serveWithHealth(ctx context.Context, health serving.Health, serve func(context.Context) error) error {
	// A second signal terminates the process, as is the default.
	defer context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })()
	work, stop := context.WithCancel(ctx)
	defer stop()
	around, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var g errgroup.Group
	g.Go(func() error {
		defer stop()
		return health.Serve(around, ctx)
	})
	err := serve(work)
	end()
	return errors.Join(err, g.Wait())
}
