package eval

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/peers"
)

// runPeer scores another tool's predictions for the gold documents.
func runPeer(cmd *cobra.Command, f evalFlags, paths []string) (err error) {
	if f.ablation {
		return command.UsageError("--ablation: another tool's predictions have no members to leave out")
	}
	docs, _, err := f.documents(cmd.InOrStdin(), paths)
	if err != nil {
		return err
	}
	labels, err := marked.LoadLabels(f.labels)
	if err != nil {
		return err
	}
	format, err := marked.ParseFormat("--format", f.format)
	if err != nil {
		return err
	}
	peer, err := peers.Read(f.predictions, format, labels, f.partial)
	if err != nil {
		return command.UsageError("--predictions: %w", err)
	}
	opts := eval.Options{Cases: f.show > 0}
	if f.errors != "" {
		if opts.Errors, err = newErrorFile(f, nil); err != nil {
			return err
		}
		defer func() { err = command.JoinClose(err, opts.Errors) }()
	}
	result, err := eval.Run(cmd.Context(), peer, peer.Documents(docs), opts)
	if err != nil {
		return err
	}
	if f.html != "" {
		if err := writeHTML(f, paths, result); err != nil {
			return err
		}
	}
	return f.print(cmd.OutOrStdout(), result)
}
