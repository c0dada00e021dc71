package operate

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newReleaseCmd(g *command.Globals) *cobra.Command {
	var now, asJSON bool
	cmd := &cobra.Command{
		Use:   "release",
		Short: "Make rows visible to analysts that wait for it, where they are due",
		Long: `release makes visible what is due where "release" of the configuration says batches or
delayed. "pgdeid run" does the same by itself; this is for cron, and for a batch before
its time. It is one transaction over all tables, and may run alongside "pgdeid run".`,
		Example: `  pgdeid release
  pgdeid release --now`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var done apply.Released
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				done, err = admin.Release(cmd.Context(), o, now)
				return err
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return json.NewEncoder(cmd.OutOrStdout()).Encode(done)
			case done.Why != "":
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "nothing was released: %s\n", done.Why)
			default:
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d rows released\n", done.Rows)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&now, "now", false, "batches: don't wait for the end of the interval")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
