package operate

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newReconcileCmd(g *command.Globals) *cobra.Command {
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Compare the replica with the source, and mend what differs",
		Long: `reconcile is the way back after a lost slot, a failover that lost changes or a backup
that was restored, on either side. Where the stream can't go on, it makes a new slot, so
that from there on nothing is missed. Then it reads all mapped tables once, compares each
row with what a copy would write now, and writes only the rows that differ: those that
the replica lacks, those that changed (also notes of patients whose record changed), and
those that the source does not have. Notes that stay are not de-identified again, and
analysts can read all tables meanwhile.

If it is stopped it goes on where it was, and so does "pgdeid run". Where "pgdeid run"
follows the stream, that process compares.

Where the mapping changed, all rows differ: that is what "pgdeid snapshot --resync" is for.
Notes that another version or other models made are "pgdeid reprocess"'s.

--dry-run changes nothing, makes no slot, and counts. While something follows the stream,
changes that are on their way count as well. The exit status is then 3 if rows differ.`,
		Example: `  pgdeid reconcile --dry-run
  pgdeid reconcile`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			run := replicator.Reconcile
			if dryRun {
				run = replicator.CountDifferences
			}
			var res *replicator.Reconciliation
			err := detector.OpenSession(cmd.Context(), g, func(o session.Options) (err error) {
				if term.IsTerminal(int(os.Stderr.Fd())) {
					o.Snapshot = (&progress.Tables{}).Show
				}
				res, err = run(cmd.Context(), o)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(res)
			} else {
				err = printDifferences(cmd.OutOrStdout(), res, dryRun)
			}
			if err == nil && dryRun && res.Differ() {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only count the rows that differ")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printDifferences(out io.Writer, res *replicator.Reconciliation, dryRun bool) error {
	if res.Elsewhere {
		_, err := fmt.Fprintln(out, "the process that follows the stream compares: 'pgdeid status' says how far it is")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "table\trows\tadded\tchanged\tremoved\t"
	if dryRun {
		head = "table\trows\tlacking\tchanged\tnot at the source\tset aside\t"
	}
	if _, err := fmt.Fprintln(w, head); err != nil {
		return err
	}
	for i := range res.Tables {
		t := &res.Tables[i]
		line := fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t", t.Table, t.Rows, t.Added, t.Changed, t.Removed)
		if dryRun {
			line += fmt.Sprintf("%d\t", t.Aside)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return w.Flush()
}
