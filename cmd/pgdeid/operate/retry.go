package operate

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newRetryCmd(g *command.Globals) *cobra.Command {
	var which admin.Choice
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "retry",
		Short: "Try rows again that were set aside",
		Long: `retry reads rows of the quarantine again from the source and puts them through
detection and the leak check. Rows that pass are published; rows that the source does
not have any more are struck off; the others stay, with one attempt more.

It may run alongside "pgdeid run". The exit status is 3 if rows are still set aside.`,
		Example: `  pgdeid retry
  pgdeid retry --reason detector_timeout --reason detector_error
  pgdeid retry --id 17,18`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if all && (len(which.IDs) > 0 || len(which.Reasons) > 0) {
				return command.UsageError("--all goes with neither --id nor --reason")
			}
			var res admin.RetryResult
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				res, err = admin.Retry(cmd.Context(), o, which, progress.Items("rows"))
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(res)
			} else {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d published, %d gone from the source, %d still set aside\n", res.Released, res.Gone, res.Kept)
			}
			if err == nil && res.Kept > 0 {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "try all rows (the default)")
	cmd.Flags().Int64SliceVar(&which.IDs, "id", nil, "try only the entries with these `numbers` (deid.quarantine.id)")
	cmd.Flags().StringSliceVar(&which.Reasons, "reason", nil, "try only rows set aside for this `reason`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
