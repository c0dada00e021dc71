package train

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/merge/fit"
)

// trainMergeFlags are the command line of 'pgdeid train merge'.
type trainMergeFlags struct {
	detector.Flags
	out    string
	labels string
	stages []string
	opts   fit.Options
}

func newMergeCmd() *cobra.Command {
	var f trainMergeFlags
	cmd := &cobra.Command{
		Use:   "merge [flags] -o FILE GOLD...",
		Short: "Fit how the models' probabilities are combined",
		Long: `train merge runs the models over notes whose PHI is marked, as 'pgdeid eval' reads them, and
fits the weights of their log-odds, a threshold for each class of PHI, and measures the
gates. The file that it writes is what --weights and detect.weights take.

A stage is the set of models that have read a token: say --stage for each, first that of
the models that read everything, then those that read what these leave in doubt. A found
word of PHI is worth --worth false alarms.

It prints three tables in Markdown: how true the probabilities are, recall and precision
by recall_bias, and what gates spare and lose.`,
		Example: `  pgdeid train merge -o merge.json --stage crf --stage crf,lstm,minilm notes.jsonl`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	f.Flags.Register(flags)
	flags.StringVarP(&f.out, "output", "o", "", "`file` to write")
	flags.StringVar(&f.labels, "labels", "", "`file` of LABEL = TYPE[,TYPE] or LABEL = ignore lines")
	flags.StringArrayVar(&f.stages, "stage", nil, "`models` of a stage, with commas; may be said three times (default crf, then all)")
	flags.Float64Var(&f.opts.Worth, "worth", 2, "false alarms that a found word is worth")
	flags.Float64Var(&f.opts.L2, "l2", 1, "how hard weights are pulled to a plain mean")
	flags.Float64Var(&f.opts.Gate.Low, "gate-low", 0.002, "`probability` from which the second stage reads a sentence")
	flags.Float64Var(&f.opts.Gate.High, "gate-high", 0.99, "`probability` up to which the second stage reads a sentence, 0 for no bound")
	flags.Float64Var(&f.opts.Gate.AgainLow, "again-low", 0.02, "lowest `probability` of the second stage that the third reads")
	flags.Float64Var(&f.opts.Gate.AgainHigh, "again-high", 0.98, "highest `probability` of the second stage that the third reads")
	return cmd
}

func (f *trainMergeFlags) run(cmd *cobra.Command, paths []string) error {
	switch {
	case f.out == "":
		return command.UsageError("say where the weights go: -o FILE")
	case !(f.opts.Worth > 0) || !(f.opts.L2 > 0):
		return command.UsageError("--worth and --l2: want more than 0")
	case f.Aggregates():
		return command.UsageError("--aggregation, --stacking and --recall-floor are for other ways of aggregation")
	}
	ens, set, err := f.Open()
	if err != nil {
		return err
	}
	settings, fitter, err := f.fit(cmd, paths, ens.Models(), func() (*fit.Fitter, error) { return fit.New(ens) })
	if err = command.JoinClose(err, set); err != nil {
		return err
	}
	data, err := settings.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.out, data, 0o600); err != nil {
		return command.UsageError("-o: %w", err)
	}
	return writeMergeReport(cmd.OutOrStdout(), fitter, settings)
}

// fit runs the models over the notes and fits.
func (f *trainMergeFlags) fit(cmd *cobra.Command, paths, models []string, open func() (*fit.Fitter, error)) (*merge.Settings, *fit.Fitter,
	error,
) {
	fitter, err := open()
	if err != nil {
		return nil, nil, command.UsageError("%w", err)
	}
	labels, err := marked.LoadLabels(f.labels)
	if err != nil {
		return nil, nil, err
	}
	format, err := marked.ParseFormat("--format", "")
	if err != nil {
		return nil, nil, err
	}
	bar := progress.NewNotes()
	err = fitter.Gather(cmd.Context(), score.FromAnnotated(marked.Read(cmd.InOrStdin(), paths, format), labels), bar.Tick)
	if err = command.JoinClose(err, bar); err != nil {
		return nil, nil, err
	}
	f.opts.Stages = stagesOf(f.stages, models)
	settings, err := fitter.Fit(f.opts)
	return settings, fitter, err
}

// stagesOf reads the flag --stage; without it the CRF reads first, then all models.
func stagesOf(flags, models []string) [][]string {
	var stages [][]string
	for _, s := range flags {
		stages = append(stages, strings.Split(s, ","))
	}
	if len(stages) > 0 {
		return stages
	}
	for _, m := range models {
		if m == "crf" && len(models) > 1 {
			stages = append(stages, []string{m})
		}
	}
	return append(stages, models)
}

func writeMergeReport(w io.Writer, fitter *fit.Fitter, s *merge.Settings) error {
	for _, stage := range s.Stages {
		fmt.Fprintf(w, "%s: weights %v, bias %v, vocabulary %v, thresholds %v %v\n",
			strings.Join(stage.Models, " "), stage.Weights, stage.Bias, stage.Vocabulary, stage.Threshold, stage.Thresholds)
	}
	return fitter.WriteReport(w, s)
}
