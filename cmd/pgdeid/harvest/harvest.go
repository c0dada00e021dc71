package harvest

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

func newHarvestCmd(g *command.Globals) *cobra.Command {
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
			return command.UsageError("say what to do: sentences, templates, review, import or export (see '%s --help')", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newSentencesCmd(g), newTemplatesCmd(g), newReviewCmd(), newImportCmd(g), newExportCmd(g))
	return cmd
}
