package main

import (
	"encoding/json"
	"fmt"

	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/session"

	"github.com/spf13/cobra"
)

func newReprocessCmd(g *globals) *cobra.Command {
	var q admin.Reprocess
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reprocess",
		Short: "De-identify published notes again, after an upgrade say",
		Long: `reprocess goes through the source's notes and rewrites those in the replica that were
made from another text, record of the patient, version of pgdeid or configuration.
Notes that are up to date are passed quickly, so it can be stopped and started again,
and it may run alongside "pgdeid run". Notes that the replica does not have stay out.

--dry-run writes nothing and counts the notes whose published text would change.
The exit status is 3 if notes had to be set aside.`,
		Example: `  pgdeid reprocess --dry-run
  pgdeid reprocess --table ehr.note
  pgdeid reprocess --all`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b copyBar
			var res admin.ReprocessResult
			err := g.replicate(cmd.Context(), func(o session.Options) (err error) {
				res, err = q.Run(cmd.Context(), o, b.progress())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(res)
			} else {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d notes read, %d %s, %d set aside\n", res.Read, res.Changed, changed(q.DryRun), res.Aside)
			}
			if err == nil && res.Aside > 0 {
				err = &exitError{code: exitAttention}
			}
			return err
		},
	}
	cmd.Flags().StringSliceVar(&q.Tables, "table", nil, "only these `tables` (schema.table; default all with notes)")
	cmd.Flags().BoolVar(&q.All, "all", false, "also notes that are up to date")
	cmd.Flags().BoolVar(&q.DryRun, "dry-run", false, "only count the notes that would change")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func changed(dryRun bool) string {
	if dryRun {
		return "would change"
	}
	return "rewritten"
}
