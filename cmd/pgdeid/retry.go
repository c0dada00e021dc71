package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func newRetryCmd(g *globals) *cobra.Command {
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
				return usageError("--all goes with neither --id nor --reason")
			}
			var res admin.RetryResult
			err := g.replicate(cmd.Context(), func(o session.Options) (err error) {
				res, err = admin.Retry(cmd.Context(), o, which, bar("rows"))
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
				err = &exitError{code: exitAttention}
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

// bar returns a function that draws a progress bar, or nil without a terminal.
func bar(what string) func(done, total int) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	var b *progressbar.ProgressBar
	return func(done, total int) {
		if b == nil {
			b = progressbar.NewOptions(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		}
		_ = b.Set(done) // errors of the display are ignored
	}
}
