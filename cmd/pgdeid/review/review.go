package review

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

func newReviewCmd(g *command.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Have people look at notes, and report what they find",
		Long: `People read notes beside what the replica shows of them. plan says how many notes a claim
takes, draw puts notes into a round, at random or where the program is in doubt, serve
shows them in the browser to people whom passwd lets in, and status says how far they
have come. report says what follows for all notes, signed if you like, and verify that
nobody changed a report. export writes the notes with the marks that people made, for
training and as regression cases of the site; phrases keeps what is always PHI at the
site, and what never is; repairs lists what people had changed of what is published.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newPlanCmd(g), newDrawCmd(g), newServeCmd(g), newPasswdCmd(), newStatusCmd(g), newCloseCmd(g),
		newReportCmd(g), newVerifyCmd(), newExportCmd(g), newPhrasesCmd(g), newRepairsCmd(g),
	)
	return cmd
}
