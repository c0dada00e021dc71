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

func newRunCmd(g *command.Globals) *cobra.Command {
	var grace time.Duration
	var stay, workers bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Replicate: the first copy, then the stream, until stopped",
		Long: `run copies the mapped tables, if that was not done yet, and then follows the source's
stream. Every note is de-identified before it is written. After any crash it resumes
exactly at the replica's position.

SIGTERM or Ctrl-C: what was read is finished and confirmed (for at most --grace), then
it ends with status 0. A second signal ends it at once; nothing is lost then either.

An error that needs a person (another key, a lost slot, a source that was set back, another
mapping) ends it with status 1. A service says --stay: then it streams nothing, tells /healthz and
/metrics why, and tries again every minute, so that it goes on once the person has acted. What it
can't begin with (configuration, key file, models, a replica that is not there) ends it all the same.

Health is at http://ADDRESS/healthz and /readyz, metrics for Prometheus at /metrics;
"http" in the configuration says where (default 127.0.0.1:9187).`,
		Example: `  pgdeid run --config /etc/pgdeid/pgdeid.yaml
  pgdeid run --stay --log-format json --log-level warn`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return detector.OpenSession(cmd.Context(), g, func(o session.Options) error {
				o.Grace, o.Stay, o.ByWorkers = grace, stay, workers
				// A second signal terminates the process, as is the default.
				defer context.AfterFunc(cmd.Context(), func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })()
				return replicator.Run(cmd.Context(), o)
			})
		},
	}
	cmd.Flags().DurationVar(&grace, "grace", 20*time.Second, "time to finish what was read, after the first signal")
	cmd.Flags().BoolVar(&stay, "stay", false, "do not end after an error that needs a person: show it, and try again every minute")
	cmd.Flags().BoolVar(&workers, "workers", false, "have \"pgdeid work\" processes make copies: see 'pgdeid snapshot --help'")
	return cmd
}
