package main

import (
	"encoding/json"
	"iter"

	"github.com/pgdeid/pgdeid/ensemble/eval/agreement"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"

	"github.com/spf13/cobra"
)

// runKappa compares the marks of two annotators.
func runKappa(cmd *cobra.Command, f evalFlags, paths []string) error {
	if len(paths) != 2 {
		return usageError("--kappa: want two files or folders, the same documents marked by one annotator and by another")
	}
	labels, err := loadLabels(f.labels)
	if err != nil {
		return err
	}
	format, err := parseFormat("--format", f.format)
	if err != nil {
		return err
	}
	bar := newCountBar()
	read := func(path string, bar *countBar) iter.Seq2[score.Document, error] {
		return score.FromAnnotated(counted(readMarked(cmd.InOrStdin(), []string{path}, format), bar), labels)
	}
	report, err := agreement.Agree(read(paths[0], bar), read(paths[1], &countBar{}))
	if err = joinClose(err, bar); err != nil {
		return err
	}
	if !f.asJSON {
		return report.WriteTable(cmd.OutOrStdout())
	}
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}
