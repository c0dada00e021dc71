package main

import (
	"errors"
	"io/fs"
	"os"
	"os/user"

	"github.com/spf13/cobra"
)

func newHarvestCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "harvest",
		Short: "Find frequent sentences in the source's notes, and have them verified",
		Long: `harvest counts what occurs in many notes of the source: sentences without PHI, which may
pass untouched, and templates, which locate PHI by the form of a sentence. It proposes;
a person verifies; what is verified goes into the vault of the replica and is used from
the next start on.

  pgdeid harvest sentences -o proposals.jsonl    # counts the source's notes, or:
  pgdeid harvest templates -o proposals.jsonl
  pgdeid harvest review proposals.jsonl          # a person says yes or no
  pgdeid harvest import proposals.jsonl          # what got a yes goes into the vault
  pgdeid reprocess                               # notes made without it, again

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

// whoAmI returns name or, if it is empty, the user name of the operating system.
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

// refuseOld returns an error if a file exists that a command without --force would write.
func refuseOld(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return usageError("%s exists: choose another name", path)
	}
	return nil
}

// createNew makes a file that only its owner can read, unless there is one.
func createNew(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		err = refuseOld(path)
	}
	return file, err
}

// refuseExisting returns an error if a file exists, so that it is not overwritten by accident.
func refuseExisting(path string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return usageError("%s exists: choose another name, or say --force", path)
	}
	return nil
}
