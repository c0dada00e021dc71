package main

import (
	"errors"
	"os"
	"os/user"

	"github.com/spf13/cobra"
)

func newHarvestCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "harvest",
		Short: "Find in the source's notes what makes detection better there, and have it verified",
		Long: `harvest counts what stands in many notes of the source: sentences that hold no PHI and
may pass untouched, and templates, which tell by the form of a sentence where its PHI
is. It proposes; a person verifies; what is verified goes into the vault of the replica
and is used from the next start on.

  pgdeid harvest sentences -o proposals.jsonl    # counts the source's notes, or:
  pgdeid harvest templates -o proposals.jsonl
  pgdeid harvest review proposals.jsonl          # a person says yes or no
  pgdeid harvest import proposals.jsonl          # what got a yes goes into the vault
  pgdeid reprocess                               # notes made without it, once more

Proposals are identified text: keep them on the source's side, as you keep the notes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError("say what to do: sentences, templates, review, import or export (see '%s --help')", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newHarvestSentencesCmd(g), newHarvestTemplatesCmd(g), newHarvestReviewCmd(), newHarvestImportCmd(g), newHarvestExportCmd(g))
	return cmd
}

var errNoName = errors.New("--reviewer: say who you are")

// whoAmI returns name, or how the operating system knows the user.
func whoAmI(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "", &exitError{exitUsage, errNoName}
	}
	return u.Username, nil
}

// refuseExisting keeps a file from being written over by accident.
func refuseExisting(path string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return usageError("%s exists: choose another name, or say --force", path)
	}
	return nil
}
