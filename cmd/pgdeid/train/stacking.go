package train

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/stacking"
	"github.com/pgdeid/pgdeid/models"
)

// trainStackingFlags are the command line of 'pgdeid train stacking'.
type trainStackingFlags struct {
	trainData
	detector.Flags
	opts    stacking.TrainOptions
	name    string
	version int
}

func newStackingCmd() *cobra.Command {
	f := trainStackingFlags{opts: stacking.TrainOptions{}.WithDefaults()}
	cmd := &cobra.Command{
		Use:   "stacking [flags] -o FOLDER [DATA...]",
		Short: "Train the classifier that decides which words of the members' proposals are PHI",
		Long: `train stacking runs the members of the ensemble over notes whose PHI is marked, and learns
which of the words that they propose are PHI. The model then decides in their stead:
--stacking FOLDER, or detect.aggregation in the configuration. It belongs to the members
that it was trained over: say --models and --detectors as they will be.

DATA is what 'pgdeid eval' reads: whole notes, best with their patients' records. Notes on
which the members themselves were trained teach it to trust them too much.

Notes are left out in turn to measure which share of the words with PHI that votes would
find stays at which threshold. The highest threshold that keeps --keep of them is the
model's own, and --recall-floor chooses another one later. What votes would not find, a
word that one source alone proposes and is unsure of, counts from --admit.`,
		Example: `  pgdeid train stacking --synthetic 800 --synthetic-records -o out/models/stacking-v1 notes.jsonl
  pgdeid eval --stacking out/models/stacking-v1 gold.jsonl
  pgdeid models verify out/models/stacking-v1`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	f.trainData.register(flags)
	f.Flags.Register(flags)
	flags.Float64Var(&f.opts.RecallFloor, "keep", f.opts.RecallFloor,
		"least `share` that has to stay of the words with PHI that votes would find")
	flags.Float64Var(&f.opts.Admit, "admit", f.opts.Admit, "`probability` from which a word counts that votes would not find, 1: none does")
	flags.IntVar(&f.opts.Folds, "folds", f.opts.Folds, "parts of the notes that are left out in turn")
	flags.IntVar(&f.opts.Boost.Trees, "trees", f.opts.Boost.Trees, "trees of the model")
	flags.IntVar(&f.opts.Boost.Leaves, "leaves", f.opts.Boost.Leaves, "leaves of a tree, at most")
	flags.StringVar(&f.name, "name", "stacking", "of the model, without its version")
	flags.IntVar(&f.version, "model-version", 1, "of the model")
	flags.Uint64Var(&f.opts.Boost.Seed, "seed", 1, "of chance")
	return cmd
}

func (f *trainStackingFlags) run(cmd *cobra.Command, paths []string) error {
	switch err := f.check(paths); {
	case err != nil:
		return err
	case f.Aggregates():
		return command.UsageError("--aggregation, --stacking and --recall-floor are for the model that will be trained, not for its training")
	case f.opts.RecallFloor < 0.5 || f.opts.RecallFloor > 1:
		return command.UsageError("--keep: want 0.5 to 1")
	case f.opts.Admit <= 0 || f.opts.Admit > 1:
		return command.UsageError("--admit: want more than 0, and 1 at most")
	case f.version < 1:
		return command.UsageError("--model-version: want 1 or more")
	case f.opts.Folds < 2 || f.opts.Boost.Trees < 1 || f.opts.Boost.Leaves < 2:
		return command.UsageError("--folds: want 2 or more; --trees: 1 or more; --leaves: 2 or more")
	}
	f.Unite()
	ens, set, err := f.Open()
	if err != nil {
		return err
	}
	learner := stacking.NewLearner(ens.Names(ens.Members()))
	if err := command.JoinClose(f.gather(cmd.Context(), ens, learner, paths), set); err != nil {
		return err
	}
	bar := progress.NewNotes()
	f.opts.Tick = bar.Tick
	model, err := learner.Train(cmd.Context(), f.opts)
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	if err := f.publish(model, learner.Notes(), paths); err != nil {
		return err
	}
	words, phi := learner.Size()
	fmt.Fprintf(cmd.OutOrStdout(), "%s: learned from %d words, %d of them PHI; keeps words from a probability of %g\n", f.out, words,
		phi, model.Threshold())
	return printCurve(cmd.OutOrStdout(), model.Curve())
}

// gather runs the ensemble over all notes.
func (f *trainStackingFlags) gather(ctx context.Context, ens *ensemble.Ensemble, learner *stacking.Learner, paths []string) error {
	bar := progress.NewNotes()
	return command.JoinClose(learner.Gather(ctx, ens, f.read(paths), bar.Tick), bar)
}

// publish writes the model's folder with its card.
func (f *trainStackingFlags) publish(model *stacking.Model, notes int, paths []string) error {
	files, err := model.Files()
	if err != nil {
		return err
	}
	var sources []string
	for _, path := range paths {
		sources = append(sources, filepath.Base(path))
	}
	if f.notes > 0 {
		sources = append(sources, "hospital")
	}
	number := func(v any) json.RawMessage { return json.RawMessage(fmt.Sprint(v)) }
	o := f.opts
	return models.Publish(f.out, files, models.Card{
		Name: f.name, Version: f.version, Kind: "stacking",
		Description: "Boosted trees that decide which words of the members' proposals are PHI.",
		Created:     time.Now().UTC(), Parameters: int64(model.Nodes()),
		Data:  []models.Data{{Source: strings.Join(sources, ", "), Licence: "as its owner says", Sentences: int64(notes)}},
		Seeds: map[string]int64{"chance": int64(o.Boost.Seed), "hospital": int64(f.seed)}, //nolint:gosec // a seed's bits
		Config: map[string]json.RawMessage{
			"trees": number(o.Boost.Trees), "leaves": number(o.Boost.Leaves), "rate": number(o.Boost.Rate), "columns": number(o.Boost.Columns),
			"keep": number(o.RecallFloor), "admit": number(o.Admit), "folds": number(o.Folds), "synthetic": number(f.notes),
		},
	})
}

// printCurve prints the effect of each threshold on the words that the members propose.
func printCurve(out io.Writer, curve []stacking.Point) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "threshold\tPHI kept\tothers dropped\t") // Flush says what went wrong
	for _, p := range curve {
		_, _ = fmt.Fprintf(w, "%g\t%.4f\t%.4f\t\n", p.Threshold, p.Kept, p.Dropped)
	}
	return w.Flush()
}
