package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/export"
	"github.com/pgdeid/pgdeid/internal/review/phrases"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/session"
)

func newPhrasesCmd(g *command.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "phrases",
		Short: "Keep what is always PHI at the site, and what never is",
		Long: `A ward's nickname or a local employer is always PHI at a site; the name of a local protocol
never is. propose finds such phrases in what people decided, import puts those that a
person accepts into the vault after it has measured them on the notes that people read.

What is always PHI is found by a member "site" of the ensemble that is sure. What never is
takes nothing away that the patient's record or the directory knows, that another member
is sure of, or that is a name elsewhere in the note. Programs use phrases from their next
start on; "pgdeid reprocess" then brings notes up to date.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPhrasesProposeCmd(g), newPhrasesImportCmd(g), newPhrasesShowCmd(g), newPhrasesRetireCmd(g))
	return cmd
}

// phraseFlags are those of commands that read the notes of rounds.
type phraseFlags struct {
	role, by string
	patients int
}

func (f *phraseFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.role, "role", "", "`role` of the source with whose rights originals are read")
	flags.StringVar(&f.by, "by", "", "`name` of who does it, for the audit (default the user's)")
	flags.IntVar(&f.patients, "patients", 2, "least number of `patients` in the sample with a phrase")
}

func newPhrasesProposeCmd(g *command.Globals) *cobra.Command {
	var f phraseFlags
	var out string
	cmd := &cobra.Command{
		Use:   "propose --role ROLE --output FILE ROUND...",
		Short: "Propose phrases from what people decided",
		Long: `propose writes a line of JSON for each phrase that would help: {"accept":false, "text":…,
"type":…, "sample":…}. sample says how often the phrase is in the notes of the rounds, how
often PHI is there by what readers say, how often it was missed, and how often found
without being any. The type "never" is of what is no PHI. Set accept to true where you
agree, add lines of your own if you like, and import the file.

FILE holds words of the source: it is readable for its owner alone. Originals are read
with the rights of --role, and each note is in the audit table deid.review_view.`,
		Example: `  pgdeid review phrases propose --role ehr_reviewer --output phrases.jsonl spring
  pgdeid review phrases import --role ehr_reviewer --round spring phrases.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, rounds []string) error {
			if out == "" {
				return command.UsageError("say where to: --output FILE")
			}
			if err := command.RefuseOld(out); err != nil {
				return err
			}
			return f.over(cmd.Context(), g, rounds, func(o session.Options, s *phrases.Sample, by string) error {
				list, err := s.Propose(cmd.Context(), f.patients)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), "nothing to propose: no phrase was missed, or wrongly found, in notes of enough patients; see --patients")
					return err
				}
				if err := writeProposals(out, list); err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s written to %s: set \"accept\" to true where you agree\n", command.Plural(len(list), "proposal"), out)
				return err
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "`file` to write")
	return cmd
}

func writeProposals(path string, list []review.Phrase) error {
	file, err := command.CreateNew(path)
	if err != nil {
		return err
	}
	return errors.Join(phrases.Write(file, list), file.Close())
}

// over reads the notes of rounds, and calls do with them.
func (f *phraseFlags) over(
	ctx context.Context, g *command.Globals, rounds []string, do func(o session.Options, s *phrases.Sample, by string) error,
) error {
	if f.role == "" {
		return command.UsageError("say with whose rights originals are read: --role ROLE")
	}
	if f.patients < 1 {
		return command.UsageError("--patients %d: want 1 or more", f.patients)
	}
	by, err := command.WhoAmI(f.by)
	if err != nil {
		return err
	}
	return detector.OpenSession(ctx, g, func(o session.Options) error {
		s := &phrases.Sample{}
		if err := f.read(ctx, o, rounds, by, s); err != nil {
			return err
		}
		return do(o, s, by)
	})
}

// read adds the notes of rounds to a sample.
func (f *phraseFlags) read(ctx context.Context, o session.Options, rounds []string, by string, s *phrases.Sample) error {
	conn, err := connect.Replica(ctx, o.Config)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	d, err := desk.Open(ctx, o)
	if err != nil {
		return err
	}
	defer d.Close()
	e := &export.Export{Texts: originals{d, f.role}, Vault: store.New(conn, o.Key), By: by}
	for _, round := range rounds {
		in, err := admin.ReadRound(ctx, o.Config, o.Key, round)
		if err != nil {
			return err
		}
		slog.Info("originals are read for phrases of the site", "round", round, "role", f.role, "by", by)
		var notes []export.Note
		for n, err := range e.Notes(ctx, in, &export.Counts{}) {
			if err != nil {
				return err
			}
			notes = append(notes, n)
		}
		s.Add(round, notes)
	}
	return nil
}

func newPhrasesImportCmd(g *command.Globals) *cobra.Command {
	var f phraseFlags
	var rounds []string
	cmd := &cobra.Command{
		Use:   "import --role ROLE --round ROUND FILE",
		Short: "Measure accepted phrases on what people read, and let them count",
		Long: `import measures each accepted phrase of FILE on the notes of --round, and puts those that
hold there into the vault, sealed with the key, as a new version. Refused is what fewer
than --patients patients have, what is said never to be PHI and is PHI in a single place,
and what is said always to be and is none in more than one of ten. A round from which
phrases were proposed flatters them; measure on another one where you have it.

Nothing is stored if any phrase is refused: correct the file. The exit status is then 3.`,
		Example: `  pgdeid review phrases import --role ehr_reviewer --round spring,summer phrases.jsonl
  pgdeid reprocess --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(rounds) == 0 {
				return command.UsageError("say on which notes phrases are measured: --round ROUND")
			}
			list, err := readProposals(args[0])
			if err != nil {
				return err
			}
			return f.over(cmd.Context(), g, rounds, func(o session.Options, s *phrases.Sample, by string) error {
				return f.take(cmd, o, s, list, by)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringSliceVar(&rounds, "round", nil, "measure on the notes of these `rounds`")
	return cmd
}

func readProposals(path string) ([]review.Phrase, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := phrases.Read(file)
	if err != nil {
		return nil, command.UsageError("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, command.UsageError("%s: no phrase is accepted: set \"accept\" to true where you agree", path)
	}
	return list, nil
}

// take measures phrases and stores them, if all of them hold.
func (f *phraseFlags) take(cmd *cobra.Command, o session.Options, s *phrases.Sample, list []review.Phrase, by string) error {
	refused := 0
	for i := range list {
		p := &list[i]
		var err error
		p.By, p.At = by, time.Now().UTC().Truncate(time.Second)
		if p.Sample, err = s.Measure(cmd.Context(), p); err == nil {
			err = phrases.Fit(p, f.patients)
		}
		if err != nil {
			refused++
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: accepted phrase %d, %s: %v\n", i+1, p.Type, err)
		}
	}
	if refused > 0 {
		return command.Attention(fmt.Errorf("%s refused, and none stored", command.Plural(refused, "phrase")))
	}
	_, err := review.SiteList(list)
	if err != nil {
		return fault.New("put the phrases together", err, "correct the file")
	}
	res, err := admin.ChangePhrases(cmd.Context(), o.Config, o.Key, store.PhraseChange{Add: list, By: by})
	if err != nil {
		return err
	}
	return sayPhrases(cmd.OutOrStdout(), res)
}

func sayPhrases(out io.Writer, res store.PhraseResult) error {
	_, err := fmt.Fprintf(out, "version %d: %d added, %d taken off. Restart 'pgdeid run', then 'pgdeid reprocess' brings notes up to date\n",
		res.Version, res.Added, res.Retired)
	return err
}

func newPhrasesShowCmd(g *command.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Print the phrases that count, and what they came to when they were measured",
		Example: "  pgdeid review phrases show\n  pgdeid review phrases show --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, key, err := g.LoadWithKey()
			if err != nil {
				return err
			}
			list, version, err := admin.ReadPhrases(cmd.Context(), cfg, key)
			if err != nil {
				return err
			}
			if asJSON {
				return command.PrintJSON(cmd.OutOrStdout(), list)
			}
			return showPhrases(cmd.OutOrStdout(), list, version)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func showPhrases(out io.Writer, list []review.Phrase, version int) error {
	_, _ = fmt.Fprintf(out, "version %d: %s\n", version, command.Plural(len(list), "phrase"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range list {
		p, m := &list[i], &list[i].Sample
		says := fmt.Sprintf("PHI in %d of %d places, %d of them missed", m.PHI, m.Found, m.Missed)
		if p.Type == review.Never {
			says = fmt.Sprintf("no PHI in %d places, found there in %d; PHI in %.1f%% of them at most", m.Found, m.Alarms, 100*phrases.Bound(*m))
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s, %s\n", p.Type, p.Text, says, command.Plural(m.Patients, "patient"), p.By, p.At.Format(time.DateOnly))
	}
	return w.Flush()
}

func newPhrasesRetireCmd(g *command.Globals) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:     "retire PHRASE...",
		Short:   "Take phrases off",
		Example: `  pgdeid review phrases retire "the rookery"`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := command.WhoAmI(by)
			if err != nil {
				return err
			}
			cfg, key, err := g.LoadWithKey()
			if err != nil {
				return err
			}
			res, err := admin.ChangePhrases(cmd.Context(), cfg, key, store.PhraseChange{Retire: args, By: name})
			if err != nil {
				return err
			}
			return sayPhrases(cmd.OutOrStdout(), res)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "`name` of who does it (default the user's)")
	return cmd
}
