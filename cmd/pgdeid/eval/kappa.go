package eval

import (
	"iter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble/eval/agreement"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// runKappa compares the marks of two annotators.
func runKappa(cmd *cobra.Command, f evalFlags, paths []string) error {
	if len(paths) != 2 {
		return command.UsageError("--kappa: want two files or folders, the same documents marked by one annotator and by another")
	}
	labels, err := marked.LoadLabels(f.labels)
	if err != nil {
		return err
	}
	format, err := marked.ParseFormat("--format", f.format)
	if err != nil {
		return err
	}
	bar := progress.NewNotes()
	read := func(path string, bar *progress.Notes) iter.Seq2[score.Document, error] {
		return score.FromAnnotated(counted(marked.Read(cmd.InOrStdin(), []string{path}, format), bar), labels)
	}
	report, err := agreement.Agree(read(paths[0], bar), read(paths[1], &progress.Notes{}))
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	if !f.asJSON {
		return report.WriteTable(cmd.OutOrStdout())
	}
	return command.PrintJSON(cmd.OutOrStdout(), report)
}
