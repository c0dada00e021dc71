package main

import "github.com/spf13/cobra"

func newReviewCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Have people look at notes, and report what they find",
		Long: `People read a random sample of notes beside what the replica shows of them. plan says how
many notes that takes before it starts, report what follows for all notes, signed if you
like, and verify that nobody changed a report. export writes the notes with the marks
that people made, for training and as regression cases of the site.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newReviewPlanCmd(g), newReviewReportCmd(g), newReviewVerifyCmd(), newReviewExportCmd(g))
	return cmd
}
