package harvest

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

type importFlags struct {
	marked   bool
	reviewer string
	output   string
	replace  bool
	asJSON   bool
}

func newImportCmd(g *command.Globals) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take what was verified into the vault, or into a list",
		Long: `import takes what a person has verified into the vault of the replica, as a new version
of the list: what got a yes among reviewed proposals, or a list that "harvest export"
wrote. What got a no is taken off. Programs that run use it from their next start on;
"pgdeid reprocess" then brings the notes up to date.

--marked takes documents whose PHI a person has marked (i2b2, BRAT, JSON Lines, as for
eval): their sentences without a mark, save those that are marked elsewhere. So do the
sentences that "pgdeid eval --errors" writes, once their "spans" are corrected.

--output writes a list to a file instead, for detect.inclusion or --inclusion; what is
in it already stays.`,
		Example: `  pgdeid harvest import proposals.jsonl
  pgdeid harvest import --marked --reviewer jlee errors.jsonl
  pgdeid harvest import proposals.jsonl --output verified.jsonl
  pgdeid eval --ablation --inclusion verified.jsonl gold.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.UsageError("say what to import: pgdeid harvest import FILE")
			}
			return runHarvestImport(cmd, g, f, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.marked, "marked", false, "take the unmarked sentences of marked documents")
	flags.StringVar(&f.reviewer, "reviewer", "", "`name` of who marked them, or imports (default the user's)")
	flags.StringVarP(&f.output, "output", "o", "", "add to the list in `file`, not to the vault")
	flags.BoolVar(&f.replace, "replace", false, "take everything else off the list")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func runHarvestImport(cmd *cobra.Command, g *command.Globals, f importFlags, paths []string) error {
	name, err := command.WhoAmI(f.reviewer)
	if err != nil {
		return err
	}
	change := admin.VerifiedChange{Replace: f.replace, By: name}
	if f.marked {
		docs := marked.Read(cmd.InOrStdin(), paths, corpus.Auto)
		change.Add, err = harvest.FromMarked(docs, name, time.Now().UTC().Truncate(time.Second), 0)
	} else {
		change.Add, change.Retire, err = loadAll(paths)
	}
	if err != nil {
		return err
	}
	res, err := f.store(cmd, g, change)
	if err != nil {
		return err
	}
	if f.asJSON {
		return command.PrintJSON(cmd.OutOrStdout(), res)
	}
	if f.output == "" {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "version %d: %d added, %d taken off, %d on the list\n", res.Version, res.Added, res.Retired,
			res.Listed)
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d on the list\n", res.Listed)
	return err
}

func loadAll(paths []string) (all harvest.List, refused []string, err error) {
	for _, path := range paths {
		list, no, err := harvest.Load(path)
		if err != nil {
			return nil, nil, err
		}
		all, refused = append(all, list...), append(refused, no...)
	}
	return harvest.NewList(all), refused, nil
}

// store changes the vault, or a file.
func (f importFlags) store(cmd *cobra.Command, g *command.Globals, change admin.VerifiedChange) (res admin.VerifiedResult, err error) {
	if f.output == "" {
		cfg, err := g.Load()
		if err != nil {
			return res, err
		}
		return admin.StoreVerified(cmd.Context(), cfg, change)
	}
	var before harvest.List
	if !change.Replace {
		if before, err = harvest.ReadListIfAny(f.output); err != nil {
			return res, err
		}
	}
	list := before.With(change.Add, change.Retire)
	return admin.VerifiedResult{Listed: len(list)}, harvest.WriteList(f.output, list)
}

func newExportCmd(g *command.Globals) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the list of what was verified from the vault to a file",
		Example: `  pgdeid harvest export verified.jsonl
  pgdeid detect --inclusion verified.jsonl notes.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say where to: pgdeid harvest export FILE")
			}
			if err := command.RefuseExisting(args[0], force); err != nil {
				return err
			}
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			list, version, err := admin.ReadVerified(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			if err := harvest.WriteList(args[0], list); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "version %d: %d on the list\n", version, len(list))
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "write over the file")
	return cmd
}
