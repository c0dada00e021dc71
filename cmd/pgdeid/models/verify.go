package models

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

func newVerifyCmd() *cobra.Command {
	var asJSON bool
	var labels string
	cmd := &cobra.Command{
		Use:   "verify FOLDER",
		Short: "Load a model, run it, and print the lines that make it a member",
		Long: `verify loads a model as 'pgdeid run' does, runs it over a made-up sentence and over its
parity.json, if it has one, and prints the definition with the hash of every file, ready
for a file of --models or, without its first line, for detect.models. What was seen goes
before it as comments.

FOLDER holds config.json and a network (model.onnx with tokenizer.json, the layout that
optimum-cli exports, with words.txt, or with both), a CRF (crf.bin), learned rules (rules.txt) or a
stacking model (stacking.json), whose lines are for detect.aggregation. It may also be
what --models takes: "default", a folder with members.yaml, or a YAML file.

--labels says what the labels mean, where they are not PHI types: the name of a built-in
map, one of ` + strings.Join(config.LabelMaps(), ", ") + `.
A map of one's own is written into the YAML: labels: {PER: PATIENT, MISC: ignore}.`,
		Example: `  pgdeid models verify --labels obi/deid_roberta_i2b2 /opt/models/deid_roberta_i2b2
  pgdeid models verify default
  pgdeid models verify out/models/lstm-v3 > members.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say which folder: pgdeid models verify FOLDER")
			}
			if a, err := models.StackingOf(args[0]); err == nil {
				return verifyStacking(cmd, a, asJSON)
			}
			defs, err := verifyDefinitions(args[0], labels)
			if err != nil {
				return err
			}
			plan, err := models.NewPlan(defs, nil)
			if err != nil {
				return command.UsageError("%w", err)
			}
			set, err := plan.Open()
			if err != nil {
				return err
			}
			seen, err := set.Verify(cmd.Context())
			if err = command.JoinClose(err, set); err != nil {
				return err
			}
			if asJSON {
				return command.PrintJSON(cmd.OutOrStdout(), seen)
			}
			for i := range seen {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "# %s\n", seen[i].Remark()); err != nil {
					return err
				}
			}
			return models.Write(cmd.OutOrStdout(), defs)
		},
	}
	cmd.Flags().StringVar(&labels, "labels", "", "built-in `map` of the model's labels")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verifyDefinitions reads what is to be verified, with absolute folders.
func verifyDefinitions(spec, labels string) ([]config.Model, error) {
	defs, err := models.ReadSpec(spec)
	if err != nil {
		return nil, command.UsageError("%w", err)
	}
	for i := range defs {
		if defs[i].Folder == "" {
			continue
		}
		if defs[i].Folder, err = filepath.Abs(defs[i].Folder); err != nil {
			return nil, err
		}
		if labels != "" {
			known, ok := config.LabelMap(labels)
			if !ok {
				return nil, command.UsageError("--labels: unknown map (one of %s)", strings.Join(config.LabelMaps(), ", "))
			}
			defs[i].Labels = known
		}
	}
	return defs, nil
}

// verifyStacking loads a stacking model and prints the lines that make it decide.
func verifyStacking(cmd *cobra.Command, a config.Aggregation, asJSON bool) error {
	var err error
	if a.Folder, err = filepath.Abs(a.Folder); err != nil {
		return err
	}
	seen, err := models.VerifyStacking(a)
	if err != nil {
		return err
	}
	if asJSON {
		return command.PrintJSON(cmd.OutOrStdout(), seen)
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "# %s\n", seen.Remark()); err != nil {
		return err
	}
	return models.WriteAggregation(cmd.OutOrStdout(), a)
}
