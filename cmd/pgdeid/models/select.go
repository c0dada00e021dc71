package models

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/models"
)

func newSelectCmd() *cobra.Command {
	var asJSON, relative bool
	var sets []string
	floor := 0.95
	cmd := &cobra.Command{
		Use:   "select FOLDER",
		Short: "Pick the two best versions for each row of the ensemble, and print them as YAML",
		Long: `select picks, for each row of the ensemble (name, name on normalised text, location,
age, organisation), the two versions with the best recall among those whose precision
reaches the floor. The second is the best one of another kind, if there is one, since
networks that differ in kind err differently. Figures are pooled over the sets that every
version was measured on, or over those of --set.

It prints a file for --models, whose list fits under detect.models too, with the hash of
every file; what was chosen and why goes to standard error. The exit status is 3 if a row
could not be filled with two versions of different kinds.`,
		Example: `  pgdeid models select out/models > members.yaml
  pgdeid models select --floor 0.9 --set heldout-mtsamples out/models > members.yaml
  pgdeid eval --models members.yaml gold.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say which folder: pgdeid models select FOLDER")
			}
			if floor < 0 || floor > 1 {
				return command.UsageError("--floor: want a precision from 0 to 1")
			}
			versions, err := models.Scan(args[0])
			if err != nil {
				return err
			}
			picked, err := models.Select(versions, floor, sets)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return printSelection(cmd, picked, args[0], asJSON, relative)
		},
	}
	cmd.Flags().Float64Var(&floor, "floor", floor, "lowest `precision`, by words")
	cmd.Flags().StringSliceVar(&sets, "set", nil, "figures on these `sets` decide (default those that all versions have)")
	cmd.Flags().BoolVar(&relative, "relative", false, "write folders relative to FOLDER, for a file that will lie there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was chosen as JSON")
	return cmd
}

func printSelection(cmd *cobra.Command, s *models.Selection, folder string, asJSON, relative bool) error {
	for _, c := range s.Choices {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s (%s), recall %.3f, precision %.3f of %d words\n",
			c.Row.Name, c.Version.ID(), c.Version.Card.Kind, c.Recall, c.Precision, c.Gold)
	}
	for _, r := range s.Remarks {
		fmt.Fprintf(cmd.ErrOrStderr(), "attention: %s\n", r)
	}
	base, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if relative {
		base = ""
	}
	if asJSON {
		err = command.PrintJSON(cmd.OutOrStdout(), s)
	} else {
		err = models.Write(cmd.OutOrStdout(), s.Models(base))
	}
	if err == nil && len(s.Remarks) > 0 {
		err = command.Attention(nil)
	}
	return err
}
