package eval

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

func newEvalCmd() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:     "eval FILE|FOLDER...",
		Short:   "Score detection against gold spans",
		Long:    evalLong,
		Example: evalExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.compare:
				return runCompare(cmd, f, args)
			case f.kappa:
				return runKappa(cmd, f, args)
			case f.overScrub != "":
				return runOverscrub(cmd, f, args)
			case f.predictions != "":
				return runPeer(cmd, f, args)
			case f.partial:
				return command.UsageError("--partial belongs to --predictions")
			}
			return runEval(cmd, f, args)
		},
	}
	f.registerAll(cmd.Flags())
	return cmd
}

func runEval(cmd *cobra.Command, f evalFlags, paths []string) (err error) {
	docs, directory, err := f.documents(cmd.InOrStdin(), paths)
	if err != nil {
		return err
	}
	ens, set, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = command.JoinClose(err, set) }()
	opts := eval.Options{Directory: directory, Blind: f.blind, Cases: f.show > 0, Ablation: f.ablation}
	opts.Lean = !f.asJSON && f.html == ""
	if opts.Replace, err = f.leakage.replacer(f.blind); err != nil {
		return err
	}
	if f.errors != "" {
		if opts.Errors, err = newErrorFile(f, ens.Names); err != nil {
			return err
		}
		defer func() { err = command.JoinClose(err, opts.Errors) }()
	}
	bar := progress.NewNotes()
	opts.Tick = func(int) { bar.Tick() }
	result, err := eval.Run(cmd.Context(), ens, docs, opts)
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	if f.errors != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s in %s: it holds identified text, keep it as you keep the notes\n",
			command.Plural(opts.Errors.Count(), "sentence"), f.errors)
	}
	if f.html != "" {
		if err := writeHTML(f, paths, result); err != nil {
			return err
		}
	}
	if err := f.print(cmd.OutOrStdout(), result); err != nil {
		return err
	}
	return f.leakage.verdict(result.Leakage)
}

func (f evalFlags) print(w io.Writer, result eval.Result) error {
	if f.asJSON {
		return result.WriteJSON(w)
	}
	if err := result.WriteTable(w, f.show); err != nil || !f.details {
		return err
	}
	return result.WriteDetails(w)
}

// documents returns the documents to score and the directory of their site.
func (f evalFlags) documents(stdin io.Reader, paths []string) (iter.Seq2[score.Document, error], *record.Gazetteer, error) {
	switch {
	case f.synthetic > 0 && len(paths) > 0:
		return nil, nil, command.UsageError("give either files or --synthetic")
	case f.synthetic > 0:
		hospital, err := synth.NewHospital(f.seed, synth.Options{Notes: f.synthetic, Patients: max(50, f.synthetic/5)})
		if err != nil {
			return nil, nil, err
		}
		if f.blind {
			return eval.Synthetic(hospital), nil, nil
		}
		return eval.Synthetic(hospital), record.NewGazetteer(hospital.Directory()), nil
	case len(paths) == 0:
		return nil, nil, command.UsageError("want files of gold, or --synthetic n")
	}
	labels, err := marked.LoadLabels(f.labels)
	if err != nil {
		return nil, nil, err
	}
	format, err := marked.ParseFormat("--format", f.format)
	if err != nil {
		return nil, nil, err
	}
	return score.FromAnnotated(marked.Read(stdin, paths, format), labels), nil, nil
}

// newErrorFile creates the file of --errors; names, if not nil, returns the names of members.
func newErrorFile(f evalFlags, names func(phi.Votes) []string) (*eval.ErrorFile, error) {
	file, err := eval.NewErrorFile(f.errors, f.force, names)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.UsageError("--errors: %s exists and may hold corrections: choose another name, or say --force", f.errors)
	}
	if err != nil {
		return nil, command.UsageError("--errors: %w", err)
	}
	return file, nil
}

func writeHTML(f evalFlags, paths []string, result eval.Result) error {
	title := "pgdeid eval: " + strings.Join(paths, ", ")
	if f.synthetic > 0 {
		title = fmt.Sprintf("pgdeid eval: %d synthetic notes, seed %d", f.synthetic, f.seed)
	}
	return writePage(f.html, func(w io.Writer) error { return result.WriteHTML(w, title, f.show) })
}
