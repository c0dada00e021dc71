package run

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newWorkCmd(g *command.Globals) *cobra.Command {
	var grace time.Duration
	var http, detect string
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Work for other processes: copy parts of tables, or run the networks of the stream",
		Long: `work makes the first copy together with any number of other processes, on this machine
or on others: it takes a part of a table, de-identifies and writes it, and takes the next one.
"pgdeid snapshot --workers" or "pgdeid run --workers" plans the parts; it may be started before or
after. Configuration, key and models are those of that process, and source and replica must be
reachable. One process on a machine uses all its cores (limits.workers).

A process may be stopped, killed or lose its machine at any time: others go on with its part,
with the row after the last one that was committed. SIGTERM or Ctrl-C: what was read is written
(for at most --grace), then it ends with status 0.

With --detect it runs neural networks instead, for the stream of another machine whose cores are not
enough: that one names it under detect.workers.addresses. It reads detect of the same configuration
and the files of detect.workers (its certificate, and the authority's), and needs neither key nor databases. Words
of notes reach it, nothing of whose they are; it stores and logs nothing of them. It may be started, stopped and
killed at any time: what it does not answer is done by others.

It stays when all is copied, and waits for more. Health is at http://ADDRESS/healthz and /readyz,
metrics for Prometheus at /metrics; --http overrules "http" of the configuration, which one
process of a machine has.`,
		Example: `  pgdeid work --config /etc/pgdeid/pgdeid.yaml
  pgdeid work --http 127.0.0.1:9188
  pgdeid work --http "" --log-format json
  pgdeid work --detect 0.0.0.0:9190 --http 127.0.0.1:9188`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if detect != "" {
				return runNetworks(cmd, g, detect, grace)
			}
			return detector.OpenSession(cmd.Context(), g, func(o session.Options) error {
				o.Grace = grace
				if cmd.Flags().Changed("http") {
					o.Config.HTTP = http
				}
				// A second signal terminates the process, as is the default.
				defer context.AfterFunc(cmd.Context(), func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })()
				return replicator.Work(cmd.Context(), o)
			})
		},
	}
	cmd.Flags().DurationVar(&grace, "grace", 20*time.Second, "time to finish what was read, after the first signal")
	cmd.Flags().StringVar(&detect, "detect", "", "`address` to run networks for others on, instead of copying")
	cmd.Flags().StringVar(&http, "http", "", "`address` of health and metrics instead of the configuration's; \"\" for none")
	return cmd
}

// runNetworks runs networks for others.
func runNetworks(cmd *cobra.Command, g *command.Globals, listen string, grace time.Duration) error {
	cfg, err := g.Load()
	if err != nil {
		return err
	}
	d := &detectionWorker{version: g.Version, listen: listen, http: cfg.HTTP, grace: grace}
	if flag := cmd.Flags().Lookup("http"); flag.Changed {
		d.http = flag.Value.String()
	}
	return d.run(cmd.Context(), cfg)
}
