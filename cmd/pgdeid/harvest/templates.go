package harvest

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

func newTemplatesCmd(g *command.Globals) *cobra.Command {
	var f harvestFlags
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "Propose forms of sentences that locate their PHI",
		Long: `templates reads the notes of the mapping, or files of JSON Lines, twice, as sentences
does, and has the whole ensemble find the PHI in them. Of each sentence that has any it
takes the form: words of PHI become W, numbers N, words with digits A, and the rest
stays.

  Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>

It proposes forms that occur in many notes, of many patients, by many authors, if all their
sentences have PHI of the same kind at the same places. A verified template tags every
sentence of its form, with any names in it. Without --suspects, a form that has a word where
a more frequent one has PHI is left out: that word may be a missed name.

It keeps its state next to the output and resumes from there after it was stopped; lines of
--from are {"text","patient_id","author","patient"?}. Models read all notes, twice, which
takes hours where the rules take minutes: --models none leaves them out.

Output and state are identified text: only their owner can read them. Keep them on the
source's side, as you keep the notes.`,
		Example: `  pgdeid harvest templates -o templates.jsonl
  pgdeid harvest templates --from notes.jsonl --models none -o templates.jsonl
  pgdeid harvest review templates.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHarvest(cmd, g, f) },
	}
	f.register(cmd.Flags(), harvest.Template)
	cmd.Flags().IntVar(&f.opts.Top, "top", 10_000, "templates to propose")
	cmd.Flags().BoolVar(&f.opts.Suspects, "suspects", false, "propose also what may hold a name that was missed, and say so")
	return cmd
}
