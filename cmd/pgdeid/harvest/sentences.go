package harvest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

type harvestFlags struct {
	from     []string
	models   []string
	output   string
	author   string
	opts     harvest.Options
	thorough bool
	restart  bool
	force    bool
	asJSON   bool
}

func newSentencesCmd(g *command.Globals) *cobra.Command {
	var f harvestFlags
	cmd := &cobra.Command{
		Use:   "sentences",
		Short: "Propose sentences that occur in many notes and contain no PHI",
		Long: `sentences reads the notes of the mapping, or files of JSON Lines, twice: first to find
out which sentences may be frequent, in bounded memory, then to count those exactly. It
proposes those that occur in many notes, of many patients, by many authors: the most
frequent ones, and more that have a disease or drug term. It never proposes one in which a
patient's record, the directory or a pattern matches in any note, nor, without --suspects,
one in which any member of the ensemble finds PHI.

It keeps its state next to the output and resumes from there after it was stopped or
killed; the result is the same. Lines of --from are
{"text","patient_id","author","patient"?}.

Output and state are identified text: only their owner can read them. Keep them on the
source's side, as you keep the notes.`,
		Example: `  pgdeid harvest sentences -o proposals.jsonl
  pgdeid harvest sentences --from notes.jsonl --models none -o proposals.jsonl
  pgdeid harvest sentences --author author_id --patients 20 -o proposals.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHarvest(cmd, g, f) },
	}
	f.register(cmd.Flags(), harvest.Sentence)
	cmd.Flags().IntVar(&f.opts.Top, "top", 1600, "sentences to propose")
	cmd.Flags().IntVar(&f.opts.Clinical, "clinical", 25_000, "further ones with a disease or drug term")
	cmd.Flags().BoolVar(&f.opts.Suspects, "suspects", false, "propose also where only names, places or models see PHI, and say so")
	cmd.Flags().BoolVar(&f.thorough, "thorough", false, "let the models read all notes, not just what is proposed: slow")
	return cmd
}

// register registers the flags common to all kinds, with their defaults.
func (f *harvestFlags) register(flags *pflag.FlagSet, kind harvest.Kind) {
	f.opts.Kind = kind
	flags.StringArrayVar(&f.from, "from", nil, "read this `file` of JSON Lines instead of the source; may be said again")
	flags.StringArrayVar(&f.models, "models", nil, "models that look at what is proposed, as for eval (default those of the "+
		"configuration, or of the program)")
	flags.StringVarP(&f.output, "output", "o", "", "`file` of proposals to write: identified text")
	flags.StringVar(&f.author, "author", "", "`column` with the author of a note (default those with a provider's name or login)")
	flags.IntVar(&f.opts.Notes, "notes", 20, "propose what occurs in at least so many notes")
	flags.IntVar(&f.opts.Patients, "patients", 11, "of so many patients at least; 0: do not ask")
	flags.IntVar(&f.opts.Authors, "authors", 5, "by so many authors at least; 0: do not ask")
	flags.IntVar(&f.opts.MaxBytes, "longest", 400, "`bytes` of the longest sentence")
	flags.IntVar(&f.opts.Counters, "counters", 4<<20, "what to keep in mind in the first pass, 24 bytes each")
	flags.IntVar(&f.opts.Workers, "workers", 0, "batches of notes at a time (default one a core)")
	flags.DurationVar(&f.opts.Every, "checkpoint", time.Minute, "time between states")
	flags.BoolVar(&f.restart, "restart", false, "forget the state of a run before, and start over")
	flags.BoolVar(&f.force, "force", false, "write over the output")
	flags.BoolVar(&f.asJSON, "json", false, "print the summary as JSON")
}

func (f *harvestFlags) check() error {
	switch {
	case f.output == "":
		return command.UsageError("say where the proposals go: -o FILE")
	case f.opts.Notes < 1:
		return command.UsageError("--notes: want 1 or more")
	case f.opts.Counters < 2 || f.opts.MaxBytes < 1 || f.opts.Workers < 0 || f.opts.Every <= 0:
		return command.UsageError("--counters, --longest, --workers and --checkpoint: want more than 0")
	}
	for _, n := range []*int{&f.opts.Patients, &f.opts.Authors, &f.opts.Top, &f.opts.Clinical} {
		switch {
		case *n < 0:
			return command.UsageError("--patients, --authors, --top and --clinical: want 0 or more")
		case *n == 0:
			*n = -1 // none, as 0 means the default
		}
	}
	f.opts.State = f.output + ".state"
	return command.RefuseExisting(f.output, f.force)
}

func runHarvest(cmd *cobra.Command, g *command.Globals, f harvestFlags) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	src, cfg, closeSource, err := f.open(cmd.Context(), g)
	if err != nil {
		return err
	}
	defer closeSource()
	free, err := f.detectors(cfg, g.Version)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, free()) }()
	if f.restart {
		if err := harvest.Finish(f.opts.State); err != nil {
			return err
		}
	}
	bar := &harvestBar{}
	f.opts.Progress = bar.show
	list, sum, err := harvest.Run(cmd.Context(), src, f.opts)
	bar.finish()
	if errors.Is(err, harvest.ErrOtherState) {
		return fault.New("go on with a harvest", err, "say --restart to start over, or choose the notes and options of before")
	}
	if err != nil {
		return err
	}
	if err := harvest.WriteProposals(f.output, list); err != nil {
		return err
	}
	if err := harvest.Finish(f.opts.State); err != nil {
		return err
	}
	return f.report(cmd, sum)
}

// open opens the files, or the source of the configuration.
func (f *harvestFlags) open(ctx context.Context, g *command.Globals) (harvest.Source, *config.Config, func(), error) {
	if len(f.from) > 0 {
		src, err := harvest.NewLines(f.from)
		if err != nil {
			return nil, nil, nil, command.UsageError("--from: %w", err)
		}
		return src, nil, func() {}, nil
	}
	cfg, err := g.Load()
	if err != nil {
		return nil, nil, nil, err
	}
	src, err := admin.OpenNotes(ctx, cfg, f.author, f.opts.Authors < 0, slog.Default())
	if err != nil {
		return nil, nil, nil, err
	}
	return src, cfg, src.Close, nil
}

// detectors returns the ensembles that look for PHI: all built-in members for the notes, and
// the models, if there are any, for the proposals.
func (f *harvestFlags) detectors(cfg *config.Config, version string) (free func() error, err error) {
	rules, err := ensemble.Default()
	if err != nil {
		return nil, err
	}
	plan, err := planOf(f.models, cfg)
	if err != nil {
		return nil, err
	}
	set, err := plan.Open()
	if err != nil {
		return nil, err
	}
	whole, err := set.Ensemble(1)
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	f.opts.InNotes = rules
	f.opts.Detectors = version + " " + plan.Digest()
	switch {
	case len(plan.Models()) == 0:
	case f.thorough || f.opts.Kind == harvest.Template:
		f.opts.InNotes = whole
		f.opts.Detectors += " thorough"
	default:
		f.opts.Alone = whole
	}
	return set.Close, nil
}

func (f *harvestFlags) report(cmd *cobra.Command, sum harvest.Summary) error {
	if f.asJSON {
		return command.PrintJSON(cmd.OutOrStdout(), sum)
	}
	w := cmd.ErrOrStderr()
	if f.opts.Kind == harvest.Template {
		fmt.Fprintf(w, "pgdeid: %d notes, %d sentences with PHI; %d forms are prevalent, of which %d are ambiguous, %d suspect\n",
			sum.Notes, sum.Sentences, sum.Prevalent, sum.Ambiguous, sum.Suspect)
	} else {
		fmt.Fprintf(w, "pgdeid: %d notes, %d sentences; %d are prevalent, of which %d are barred, %d suspect, %d suspect by themselves\n",
			sum.Notes, sum.Sentences, sum.Prevalent, sum.Barred, sum.Suspect, sum.Alone)
	}
	if sum.Lost >= int64(f.opts.Notes) {
		fmt.Fprintf(w, "pgdeid: attention: what occurs in up to %d notes may be missing: raise --notes to %d, or --counters\n", sum.Lost,
			sum.Lost+1)
	}
	_, err := fmt.Fprintf(w, "pgdeid: %s in %s: it is identified text, keep it as you keep the notes. Next: pgdeid harvest review %s\n",
		command.Plural(sum.Proposed, "proposal"), f.output, f.output)
	return err
}

// harvestBar draws a bar for each pass, with rate and time left.
type harvestBar struct {
	pass int
	bar  *progressbar.ProgressBar
}

var passNames = [...]string{"", "1/3 which sentences", "2/3 how often", "3/3 proposals"}

func (b *harvestBar) show(p harvest.Progress) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return
	}
	if b.pass != p.Pass {
		b.finish()
		total := p.Total
		if total == 0 {
			total = -1 // a spinner
		}
		b.pass = p.Pass
		b.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(passNames[p.Pass]),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionOnCompletion(func() { _, _ = os.Stderr.WriteString("\n") }))
	}
	if p.Done > b.bar.GetMax64() && b.bar.GetMax64() >= 0 {
		b.bar.ChangeMax64(p.Done) // the estimate was too low
	}
	_ = b.bar.Set64(p.Done) // errors of the display are ignored
}

func (b *harvestBar) finish() {
	if b.bar != nil {
		_ = b.bar.Finish()
	}
}

// planOf chooses all members: those of the named models, otherwise of the configuration's,
// otherwise of the built-in ones.
func planOf(specs []string, cfg *config.Config) (*models.Plan, error) {
	var defs []config.Model
	switch {
	case len(specs) > 0:
		var err error
		if defs, err = detector.ReadModels(specs); err != nil {
			return nil, err
		}
	case cfg != nil:
		defs = cfg.Detect.Models
	default:
		defs = []config.Model{{Default: true}}
	}
	return models.NewPlan(defs, nil)
}
