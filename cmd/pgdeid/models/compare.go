package models

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/models"
)

func newCompareCmd() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "compare FOLDER FOLDER",
		Short: "Print what the second version does better and worse than the first",
		Long: `compare sets the figures of two versions side by side, by set, class, type and group.
A difference is called better or worse where the 95 % intervals do not overlap (those of
the cards, or Wilson's). Figures that are the same within noise are left out, except
those of whole classes; --all prints them too.`,
		Example: `  pgdeid models compare out/models/lstm-v1 out/models/lstm-v2
  pgdeid models compare --json models/default/lstm out/models/lstm-v3`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.UsageError("say which two: pgdeid models compare FOLDER FOLDER")
			}
			a, err := models.ReadVersion(args[0])
			if err != nil {
				return err
			}
			b, err := models.ReadVersion(args[1])
			if err != nil {
				return err
			}
			changes := models.Compare(a.Card, b.Card)
			if asJSON {
				return command.PrintJSON(cmd.OutOrStdout(), changes)
			}
			return printChanges(cmd.OutOrStdout(), &a, &b, changes, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "print all figures")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printChanges(out io.Writer, a, b *models.Version, changes []models.Change, all bool) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // Flush says what went wrong
	line("set\tof\trecall %s\t%s\t\tprecision %s\t%s\t", a.ID(), b.ID(), a.ID(), b.ID())
	for _, c := range changes {
		noise := c.RecallVerdict == models.Same && c.PrecisionVerdict == models.Same
		if noise && !all && !c.Whole() {
			continue
		}
		ra, pa := shares(c.A)
		rb, pb := shares(c.B)
		line("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", c.Set, c.Of(), ra, rb, c.RecallVerdict, pa, pb, c.PrecisionVerdict)
	}
	return w.Flush()
}

func shares(f *models.Figure) (recall, precision string) {
	if f == nil {
		return "-", "-"
	}
	return fmt.Sprintf("%.3f", f.Recall), fmt.Sprintf("%.3f", f.Precision)
}
