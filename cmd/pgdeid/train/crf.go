package train

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/crf"
	"github.com/pgdeid/pgdeid/models"
)

type trainCRFFlags struct {
	trainData
	train     crf.TrainOptions
	templates string
	hits      bool
	version   int
	heldOut   []string
}

func newCRFCmd() *cobra.Command {
	var f trainCRFFlags
	cmd := &cobra.Command{
		Use:   "crf -o FOLDER DATA...",
		Short: "Train a conditional random field over words, forms and the lexicon",
		Long: `crf trains a linear-chain conditional random field. A part of the notes is left out to
decide when to stop. What a source does not mark everywhere, or marks more coarsely, the
model fills in itself.

100,000 sentences take about two minutes of one core and 1 GB of memory.

--types are PHI types, or the classes NAME, LOCATION, ORG, ID and CONTACT. --templates
names a file with a template of features a line, such as "lower -4 4" for a window, or
"form[0] role[-1]" for a cross. --hits adds what the rules and the patients' records
find: the model then says less that they don't.

--held-out scores the model on notes or sentences that were not learned from; the card
keeps the figures.`,
		Example: `  pgdeid train crf -o out/models/crf-v1 gold.jsonl
  pgdeid train crf -o out/models/crf-v1 --synthetic 500 i2b2/training-PHI-Gold-Set1
  pgdeid train crf -o out/models/names-v1 --types NAME --l1 1 gold.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runTrainCRF(cmd, &f, args) },
	}
	f.register(cmd.Flags())
	flags, d := cmd.Flags(), crf.TrainOptions{}.WithDefaults()
	flags.StringVar(&f.train.Name, "name", d.Name, "of the model, without its version")
	flags.IntVar(&f.version, "model-version", 1, "of the model")
	flags.StringSliceVar(&f.train.Types, "types", d.Types, "`types` that the model distinguishes")
	flags.StringVar(&f.templates, "templates", "", "`file` of templates of features (default: a built-in list)")
	flags.BoolVar(&f.hits, "hits", false, "let hits of rules and records be features")
	flags.IntVar(&f.train.Epochs, "epochs", d.Epochs, "`times` to go through the data at most")
	flags.Float64Var(&f.train.L1, "l1", d.L1, "`weight` of the L1 norm: more of it makes the model smaller; negative for none")
	flags.Float64Var(&f.train.L2, "l2", d.L2, "`weight` of the L2 norm; negative for none")
	flags.Float64Var(&f.train.Rate, "rate", d.Rate, "step of AdaGrad")
	flags.IntVar(&f.train.MinCount, "min-count", d.MinCount, "`times` that a feature must be met")
	flags.IntVar(&f.train.MaxTokens, "max-tokens", d.MaxTokens, "`tokens` to keep in memory at most, at some 400 bytes each")
	flags.Float64Var(&f.train.HeldOut, "stop-share", d.HeldOut, "`share` of the notes that is held out to decide when to stop")
	flags.StringArrayVar(&f.heldOut, "held-out", nil, "`file` or folder to score on; may be said again")
	flags.Uint64Var(&f.train.Seed, "seed", 1, "of what is held out, and of the order")
	return cmd
}

func runTrainCRF(cmd *cobra.Command, f *trainCRFFlags, paths []string) error {
	if err := f.check(paths); err != nil {
		return err
	}
	t := &f.train
	if t.Epochs < 1 || t.MinCount < 1 || t.MaxTokens < 1 || !(t.Rate > 0) || !(t.HeldOut >= 0 && t.HeldOut < 1) || f.version < 1 {
		return command.UsageError("--epochs, --min-count, --max-tokens and --model-version: want 1 or more; --rate above 0; --stop-share from 0 to 1")
	}
	if err := f.readTemplates(); err != nil {
		return err
	}
	bar := newTrainBar()
	t.Progress = bar.show
	sources := map[string]int64{}
	model, report, err := crf.Train(cmd.Context(), countSources(f.read(paths), sources), *t)
	if err = command.JoinClose(err, bar); err != nil {
		return err
	}
	files, err := model.Files()
	if err != nil {
		return err
	}
	keys, weights := model.Size()
	card := models.Card{
		Name: t.Name, Version: f.version, Kind: "crf", Created: time.Now().UTC(), Parameters: int64(weights), Data: dataOf(sources),
		Description: "A linear-chain conditional random field over words, forms, places and the lexicon.",
		Seeds:       map[string]int64{"training": int64(t.Seed), "hospital": int64(f.seed)}, Config: f.config(), //nolint:gosec // a seed's bits
	}
	for _, path := range f.heldOut {
		figures, err := scoreCRF(cmd, model, path)
		if err != nil {
			return fmt.Errorf("--held-out: %w", err)
		}
		card.Figures = append(card.Figures, figures...)
	}
	if err := models.Publish(f.out, files, card); err != nil {
		return err
	}
	last := report.Epochs[report.Best-1]
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d weights of %d features, %d bytes; %s of %d tokens, best of %s: loss %.4f a "+
		"token, %.4f held out, %.4f as stored%s\n",
		f.out, weights, keys, len(files[crf.WeightsFile]), command.Plural(report.Sentences, "sentence"), report.Tokens,
		command.Plural(len(report.Epochs), "epoch"),
		last.Loss, last.HeldOut, report.Rounded, cutNote(report))
	return err
}

// scoreCRF prints what a model finds in a file, and returns it as figures.
func scoreCRF(cmd *cobra.Command, model *crf.Model, path string) ([]models.Figure, error) {
	member, err := model.Member(crf.MemberOptions{})
	if err != nil {
		return nil, err
	}
	var data trainData
	counts, err := crf.Score(cmd.Context(), member, data.read([]string{path}))
	if err != nil {
		return nil, err
	}
	set := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "%s: words\tgold\tprecision\trecall\tF1\n", set) // Flush says what went wrong
	var out []models.Figure
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		c := counts[class]
		_, _ = fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\n", class, c.Gold, c.Precision(), c.Recall(), c.F1())
		out = append(out, models.Figure{Set: set, Class: class, Precision: c.Precision(), Recall: c.Recall(), F1: c.F1(), Gold: int64(c.Gold)})
	}
	return out, w.Flush()
}

// cutNote returns a remark if not all data fitted into memory.
func cutNote(r *crf.Report) string {
	if !r.Cut {
		return ""
	}
	return "; the data had more tokens than --max-tokens, the rest was not read"
}

// readTemplates reads --templates, or takes the built-in ones.
func (f *trainCRFFlags) readTemplates() error {
	f.train.Templates = crf.DefaultTemplates()
	if f.templates != "" {
		text, err := os.ReadFile(f.templates)
		if err != nil {
			return command.UsageError("--templates: %w", err)
		}
		f.train.Templates = nil
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				f.train.Templates = append(f.train.Templates, line)
			}
		}
	}
	if f.hits {
		f.train.Templates = append(f.train.Templates, crf.HitTemplates()...)
	}
	return nil
}

// config is what the card says of the settings.
func (f *trainCRFFlags) config() map[string]json.RawMessage {
	value := func(x any) json.RawMessage { return json.RawMessage(fmt.Sprint(x)) }
	t := &f.train
	return map[string]json.RawMessage{
		"epochs": value(t.Epochs), "l1": value(t.L1), "l2": value(t.L2), "rate": value(t.Rate), "min_count": value(t.MinCount),
		"stop_share": value(t.HeldOut), "max_tokens": value(t.MaxTokens), "synthetic": value(f.notes), "records": value(f.records),
		"hits": value(f.hits),
	}
}

// countSources counts what is read, by source.
func countSources(all iter.Seq2[corpus.Labelled, error], sources map[string]int64) iter.Seq2[corpus.Labelled, error] {
	return func(yield func(corpus.Labelled, error) bool) {
		for l, err := range all {
			if err == nil {
				sources[sourceOf(l)]++
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// trainBar shows the progress of training on standard error if that is a terminal.
type trainBar struct{ bar *progressbar.ProgressBar }

func newTrainBar() *trainBar {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return &trainBar{}
	}
	return &trainBar{progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("sentences"), progressbar.OptionSetDescription("reading"), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100_000_000))}
}

func (b *trainBar) show(p crf.Progress) {
	if b.bar == nil {
		return
	}
	b.bar.Describe(fmt.Sprintf("epoch %d of %d, loss %.4f", p.Epoch, p.Epochs, p.Loss))
	b.bar.ChangeMax(p.Total)
	_ = b.bar.Set(p.Done) // nothing depends on the display
}

// Close removes the bar.
func (b *trainBar) Close() error {
	if b.bar == nil {
		return nil
	}
	return b.bar.Finish()
}
