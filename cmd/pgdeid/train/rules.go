package train

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/tbed"
	"github.com/pgdeid/pgdeid/models"
)

type trainRulesFlags struct {
	trainData
	learn   tbed.LearnOptions
	sample  int
	drawing uint64
	name    string
	version int
	heldOut []string
}

func newRulesCmd() *cobra.Command {
	var f trainRulesFlags
	cmd := &cobra.Command{
		Use:   "rules -o FOLDER DATA...",
		Short: "Learn rules that mend what the patterns get wrong",
		Long: `rules learns by transformation-based error-driven learning: the patterns and a few cue
words tag the notes; then the rule that mends most wrong tags, less those it breaks, is
kept and applied, and so on until no rule mends enough.

The rules go to FOLDER/rules.txt, one a line, in the order in which they are applied:

  O -> B-DOCTOR if lower[-1] is "dr" and form[0] is Xx   # +412 -9

The file may be edited: delete lines, change them, add your own. Then it is another
model: list its new SHA-256. Rules quote no names of the notes, only words that the
lexicon knows as ordinary ones.

--held-out scores the rules, and the initial annotator alone, on notes or sentences that
were not learned from; the card keeps the figures of the rules.`,
		Example: `  pgdeid train rules -o out/models/rules-v1 gold.jsonl
  pgdeid train rules -o out/models/rules-v1 --sample 50000 --held-out heldout.jsonl train-1.jsonl
  pgdeid train rules -o out/models/rules-v1 --synthetic 2000 --held-out gold.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runTrainRules(cmd, &f, args) },
	}
	f.register(cmd.Flags())
	flags := cmd.Flags()
	flags.StringVar(&f.name, "name", "rules", "of the model, without its version")
	flags.IntVar(&f.version, "model-version", 1, "of the model")
	flags.IntVar(&f.learn.MinGain, "min-gain", tbed.DefaultMinGain, "`tags` that a rule must mend more than it breaks")
	flags.IntVar(&f.learn.MaxRules, "max-rules", tbed.DefaultMaxRules, "`rules` to learn at most")
	flags.IntVar(&f.learn.MaxCandidates, "max-candidates", tbed.DefaultMaxCandidates,
		"candidate `rules` to hold at once, at some 60 bytes each")
	flags.IntVar(&f.sample, "sample", 0, "learn from `n` sentences or notes drawn of the data (default all)")
	flags.Uint64Var(&f.drawing, "sample-seed", 1, "of the drawing")
	flags.StringArrayVar(&f.heldOut, "held-out", nil, "`file` or folder to score on; may be said again")
	return cmd
}

func runTrainRules(cmd *cobra.Command, f *trainRulesFlags, paths []string) error {
	if err := f.check(paths); err != nil {
		return err
	}
	if f.learn.MinGain < 1 || f.learn.MaxRules < 1 || f.learn.MaxCandidates < 1 || f.sample < 0 || f.version < 1 {
		return command.UsageError("--min-gain, --max-rules, --max-candidates and --model-version: want 1 or more; --sample: 0 or more")
	}
	card := models.Card{
		Name: f.name, Version: f.version, Kind: "rules", Description: "Transformation rules over patterns, learned from their errors.",
		Seeds: map[string]int64{"sample": int64(f.drawing), "hospital": int64(f.seed)}, Config: f.config(), //nolint:gosec // a seed's bits
	}
	bar := progress.NewNotes()
	learned, sources, err := f.train(cmd.Context(), paths, bar)
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	card.Data, card.Created, card.Parameters = dataOf(sources), time.Now().UTC(), int64(len(learned.Rules))
	for _, path := range f.heldOut {
		figures, err := scoreRules(cmd.Context(), cmd.OutOrStdout(), learned, path)
		if err != nil {
			return fmt.Errorf("--held-out: %w", err)
		}
		card.Figures = append(card.Figures, figures...)
	}
	files, err := learned.Files()
	if err != nil {
		return err
	}
	if err := models.Publish(f.out, files, card); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s; %d wrong tags of %d became %d\n", f.out,
		command.Plural(len(learned.Rules)-learned.Initial, "rule"),
		command.Plural(learned.Sentences, "sentence"), learned.ErrorsBefore, learned.Words, learned.ErrorsAfter)
	return err
}

// config is what the card says of the settings.
func (f *trainRulesFlags) config() map[string]json.RawMessage {
	number := func(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }
	return map[string]json.RawMessage{
		"min_gain": number(f.learn.MinGain), "max_rules": number(f.learn.MaxRules), "max_candidates": number(f.learn.MaxCandidates),
		"sample": number(f.sample), "synthetic": number(f.notes),
	}
}

// train reads the data and learns. sources counts what was learned from.
func (f *trainRulesFlags) train(ctx context.Context, paths []string, bar *progress.Notes) (tbed.Learned, map[string]int64, error) {
	trainer, sources := tbed.NewTrainer(), map[string]int64{}
	for e, err := range tbed.Sample(examples(f.read(paths)), f.sample, f.drawing) {
		if err == nil {
			err = trainer.Add(ctx, e)
		}
		if err != nil {
			return tbed.Learned{}, nil, err
		}
		sources[e.Source]++
		bar.Tick()
	}
	f.learn.Tick = showRule(bar)
	learned, err := trainer.Learn(ctx, f.learn)
	return learned, sources, err
}

// showRule shows the progress of learning.
func showRule(bar *progress.Notes) func(tbed.Progress) {
	return func(p tbed.Progress) {
		bar.Describe(fmt.Sprintf("%d rules, %d wrong tags left, last gain %d", p.Rules, p.Errors, p.Gain))
	}
}

func examples(all iter.Seq2[corpus.Labelled, error]) iter.Seq2[tbed.Example, error] {
	return func(yield func(tbed.Example, error) bool) {
		for l, err := range all {
			var covers corpus.TypeSet
			if err == nil {
				covers, err = corpus.CoverTypes(l.Covers)
			}
			if !yield(tbed.Example{Source: sourceOf(l), Note: l.Note, Tags: l.Tags, Marked: covers.Has}, err) {
				return
			}
		}
	}
}

// sourceOf returns an example's source for the card, without the document's number.
func sourceOf(l corpus.Labelled) string {
	if l.Covers == nil {
		return "notes"
	}
	return l.Source
}

func dataOf(sources map[string]int64) []models.Data {
	var out []models.Data
	for _, source := range slices.Sorted(maps.Keys(sources)) {
		out = append(out, models.Data{Source: source, Licence: "as its owner says", Sentences: sources[source]})
	}
	return out
}

// scoreRules prints what the initial annotator and all rules find in a file, and returns
// the figures of all rules.
func scoreRules(ctx context.Context, out io.Writer, learned tbed.Learned, path string) ([]models.Figure, error) {
	initial, all := map[string]tbed.Score{}, map[string]tbed.Score{}
	var data trainData
	for _, c := range []struct {
		rules []tbed.Rule
		into  map[string]tbed.Score
	}{{learned.Rules[:learned.Initial], initial}, {learned.Rules, all}} {
		model, err := tbed.New("rules", c.rules)
		if err != nil {
			return nil, err
		}
		for e, err := range examples(data.read([]string{path})) {
			if err == nil {
				err = model.Score(ctx, e, c.into)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	set := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	return figuresOf(set, all), printScores(out, set, initial, all)
}

func printScores(out io.Writer, set string, initial, all map[string]tbed.Score) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	rates := func(c tbed.Counts) string { return fmt.Sprintf("%.3f\t%.3f\t%.3f", c.Precision(), c.Recall(), c.F1()) }
	_, _ = fmt.Fprintf(w, "%s: entities\tgold\tinitial P\tR\tF1\twith rules P\tR\tF1\n", set) // Flush says what went wrong
	for _, class := range slices.Sorted(maps.Keys(all)) {
		name := class
		if class == tbed.AllClasses {
			name = "all"
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", name, all[class].Entities.Gold, rates(initial[class].Entities), rates(all[class].Entities))
	}
	return w.Flush()
}

func figuresOf(set string, scores map[string]tbed.Score) []models.Figure {
	var out []models.Figure
	for _, class := range slices.Sorted(maps.Keys(scores)) {
		c := scores[class].Words
		if class != tbed.AllClasses {
			out = append(out, models.Figure{
				Set: set, Class: class, Precision: c.Precision(), Recall: c.Recall(), F1: c.F1(), Gold: int64(c.Gold),
			})
		}
	}
	return out
}
