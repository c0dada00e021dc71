package eval

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/overscrub"
)

// runOverscrub reports which clinical terms the ensemble takes.
func runOverscrub(cmd *cobra.Command, f evalFlags, paths []string) (err error) {
	if len(paths) > 0 || f.synthetic > 0 {
		return command.UsageError("--over-scrub brings its own sentences: leave files and --synthetic out")
	}
	half, err := overscrub.ParseHalf(f.overScrub)
	if err != nil {
		return command.UsageError("--over-scrub: %w", err)
	}
	ens, set, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = command.JoinClose(err, set) }()
	bar := progress.NewNotes()
	report, err := eval.Overscrub(cmd.Context(), ens, half, bar.Tick)
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	if half != overscrub.Test {
		report.Hide(overscrub.Test)
	}
	if f.html != "" {
		title := "pgdeid eval: clinical terms that are taken"
		if err := writePage(f.html, func(w io.Writer) error { return report.WriteHTML(w, title) }); err != nil {
			return err
		}
	}
	if f.asJSON {
		return report.WriteJSON(cmd.OutOrStdout())
	}
	return report.WriteTable(cmd.OutOrStdout())
}
