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

func newReprocessCmd(g *command.Globals) *cobra.Command {
	var q admin.Reprocess
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reprocess",
		Short: "De-identify published notes again, after an upgrade say",
		Long: `reprocess goes through the source's notes, and makes those anew that were made from
another text, record of the patient, version of pgdeid, models or configuration. Only
notes that come out otherwise than they are published are rewritten; of the others the
vault notes that this version makes them so. Notes that are up to date are passed
quickly: stopped or killed, it goes on when it is started again. Notes that the replica
does not have stay out.

It may run alongside "pgdeid run": notes are made without holding up the stream, which
waits only while those that change are written, some at a time.

The summary counts notes, and the identifiers in the changed ones that were found anew,
are not found any more, or are taken for another type. --dry-run prints it and writes
nothing. The exit status is 3 if notes had to be set aside.`,
		Example: `  pgdeid reprocess --dry-run
  pgdeid reprocess --table ehr.note
  pgdeid reprocess --json
  pgdeid reprocess --all        # also what is up to date`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b progress.Tables
			var res admin.ReprocessResult
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				res, err = q.Run(cmd.Context(), o, b.Progress())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(res)
			} else {
				_, err = fmt.Fprint(cmd.OutOrStdout(), res.Summary(q.DryRun))
			}
			if err == nil && res.Aside > 0 {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().StringSliceVar(&q.Tables, "table", nil, "only these `tables` (schema.table; default all with notes)")
	cmd.Flags().BoolVar(&q.All, "all", false, "make also notes anew that are up to date")
	cmd.Flags().BoolVar(&q.DryRun, "dry-run", false, "write nothing; say what would change")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
