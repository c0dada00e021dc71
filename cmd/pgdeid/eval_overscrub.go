package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/overscrub"
)

// runOverscrub reports which clinical terms the ensemble takes.
func runOverscrub(cmd *cobra.Command, f evalFlags, paths []string) (err error) {
	if len(paths) > 0 || f.synthetic > 0 {
		return usageError("--over-scrub brings its own sentences: leave files and --synthetic out")
	}
	half, err := overscrub.ParseHalf(f.overScrub)
	if err != nil {
		return usageError("--over-scrub: %w", err)
	}
	ens, set, err := f.open()
	if err != nil {
		return err
	}
	defer func() { err = joinClose(err, set) }()
	bar := newCountBar()
	report, err := eval.Overscrub(cmd.Context(), ens, half, bar.tick)
	if err = joinClose(err, bar); err != nil {
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
