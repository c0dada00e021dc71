package models

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/models"
)

func newModelsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, compare, choose and verify models",
		Long: `models works on folders of models: those that 'make train' and 'pgdeid train' made, each
version with its card (figures, data, seeds, hashes), and networks of others that are to
become members of the ensemble.`,
		Example: `  pgdeid models list out/models
  pgdeid models compare out/models/lstm-v1 out/models/lstm-v2
  pgdeid models select --floor 0.95 out/models > members.yaml
  pgdeid models verify --labels obi/deid_roberta_i2b2 /opt/models/deid_roberta_i2b2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.UsageError("want list, compare, select or verify (see '%s --help')", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newListCmd(), newCompareCmd(), newSelectCmd(), newVerifyCmd())
	return cmd
}

func newListCmd() *cobra.Command {
	var asJSON, all bool
	var sets []string
	cmd := &cobra.Command{
		Use:   "list FOLDER",
		Short: "Print the versions of models below a folder, with their figures",
		Long: `list looks for versions of models below a folder (those with a card.json) and prints
what each is, what it was trained on, and its recall and precision by class, with 95 %
intervals, on the sets that training did not see. "default" is the models that come with
the program. A version whose files differ from those listed in its card is marked; the
exit status is then 3.`,
		Example: `  pgdeid models list default
  pgdeid models list --set heldout-mtsamples --all out/models
  pgdeid models list --json out/models`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say which folder: pgdeid models list FOLDER")
			}
			versions, err := models.Scan(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				err = command.PrintJSON(cmd.OutOrStdout(), versions)
			} else {
				err = printVersions(cmd.OutOrStdout(), versions, sets, all)
			}
			if err == nil && slices.ContainsFunc(versions, func(v models.Version) bool { return v.Problem != "" }) {
				err = command.Attention(nil)
			}
			return err
		},
	}
	cmd.Flags().StringSliceVar(&sets, "set", nil, "only figures on these `sets`")
	cmd.Flags().BoolVar(&all, "all", false, "figures by type and by group of names too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printVersions prints a line for each version and below it one for each figure.
func printVersions(out io.Writer, versions []models.Version, sets []string, all bool) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // Flush says what went wrong
	for i := range versions {
		v := &versions[i]
		if v.Card == nil {
			line("%s\t%s", v.Folder, v.Problem)
			continue
		}
		line("%s\t%s\t%s\t%s\t%s", v.ID(), v.Card.Kind, v.Card.Created.Format("2006-01-02"), command.Size(v.Bytes), v.Folder)
		if v.Problem != "" {
			line("  attention: %s", v.Problem)
		}
		line("  %s; %s; %s %.12s", v.Card.DataLine(), v.Card.SpeedLine(), models.MainFile(v.Sums), v.Sums[models.MainFile(v.Sums)])
		line("  set\tclass\trecall\tprecision\twords")
		for _, f := range v.Card.Own() {
			if f.Gold == 0 || len(sets) > 0 && !slices.Contains(sets, f.Set) || !all && (f.Type != "" || f.Group != "") {
				continue // what a set does not mark says nothing
			}
			line("  %s\t%s\t%s\t%s\t%d", f.Set, f.Of(), interval(f.Recall, f.RecallInterval()), interval(f.Precision, f.PrecisionInterval()), f.Gold)
		}
	}
	if len(versions) == 0 {
		line("no version is there: folders with a model and card.json are looked for")
	}
	return w.Flush()
}

// interval writes a share with its confidence interval.
func interval(x float64, ci [2]float64) string {
	return fmt.Sprintf("%.3f (%.3f-%.3f)", x, ci[0], ci[1])
}
