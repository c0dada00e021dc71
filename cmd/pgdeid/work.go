package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newWorkCmd(g *globals) *cobra.Command {
	var grace time.Duration
	var http string
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Copy parts of tables that \"pgdeid snapshot --workers\" has planned",
		Long: `work makes the first copy together with any number of other processes, on this machine
or on others: it takes a part of a table, de-identifies and writes it, and takes the next one.
"pgdeid snapshot --workers" or "pgdeid run --workers" plans the parts; it may be started before or
after. Configuration, key and models are those of that process, and source and replica must be
reachable. One process on a machine uses all its cores (limits.workers).

A process may be stopped, killed or lose its machine at any time: others go on with its part,
with the row after the last one that was committed. SIGTERM or Ctrl-C: what was read is written
(for at most --grace), then it ends with status 0.

It stays when all is copied, and waits for more. Health is at http://ADDRESS/healthz and /readyz,
metrics for Prometheus at /metrics; --http overrules "http" of the configuration, which one
process of a machine has.`,
		Example: `  pgdeid work --config /etc/pgdeid/pgdeid.yaml
  pgdeid work --http 127.0.0.1:9188
  pgdeid work --http "" --log-format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.replicate(cmd.Context(), func(o session.Options) error {
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
	cmd.Flags().StringVar(&http, "http", "", "`address` of health and metrics instead of the configuration's; \"\" for none")
	return cmd
}
