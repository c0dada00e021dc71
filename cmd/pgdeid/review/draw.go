package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/queue"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// drawnKinds are the kinds of rounds that can be drawn.
var drawnKinds = []review.Kind{review.Acceptance, review.Disagreement, review.Doubt, review.Rare, review.Quarantine, review.Clusters}

func newDrawCmd(g *command.Globals) *cobra.Command {
	spec := queue.Spec{}
	var kind string
	var over map[string]string
	var claims []string
	var confidence float64
	cmd := &cobra.Command{
		Use:   "draw NAME",
		Short: "Draw a round of notes for people to review",
		Long: `draw puts notes into a round that people work through with 'pgdeid review serve'. --kind says which:

  acceptance    at random, from each stratum of --by in proportion to its notes; figures about
                all notes follow from these alone
  disagreement  of --among notes drawn at random, those in which most was found by one member
                of the ensemble alone
  doubt         of --among notes drawn at random, those in which most was proposed and not
                taken, or found with a probability below .9
  rare          of --among notes drawn at random, those whose lines have the rarest forms
  quarantine    what the leak check or another failure set aside

--by divides the notes by columns of the same table that the mapping names, in their order;
"written:year" is the year of a date. With --readers 2 two people read each note, neither
seeing what the other one found. The same --seed draws the same notes.

--over draws more of a stratum than its share, which figures make up for. --claim says what
the round is to prove, before anybody has read a note; 'pgdeid review plan' says how many
notes that takes.`,
		Example: `  pgdeid review draw spring --table ehr.note --notes 640 --by kind --claim NAME=.99 --over radiology=3
  pgdeid review draw first --table ehr.note --notes 300 --by kind,written:year --readers 2
  pgdeid review draw doubts-may --kind doubt --table ehr.note --notes 100 --among 5000
  pgdeid review draw aside --kind quarantine`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Name, spec.Kind = args[0], review.Kind(kind)
			var err error
			if spec.Claims, err = parseClaims(claims, confidence); err != nil {
				return err
			}
			if spec.Over, err = parseOver(over); err != nil {
				return err
			}
			if err := checkDraw(&spec); err != nil {
				return err
			}
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			if err := chooseNotes(cfg, &spec); err != nil { // before the models are opened
				return err
			}
			return detector.OpenSession(cmd.Context(), g, func(o session.Options) error { return drawRound(cmd, o, spec) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", string(review.Acceptance), "which notes: "+kindList(drawnKinds))
	flags.StringVar(&spec.Table, "table", "", "`table` with notes, as schema.name (default the one that has them)")
	flags.StringVar(&spec.Column, "column", "", "its `column` (default the one text)")
	flags.StringSliceVar(&spec.By, "by", nil, "`columns` that divide the notes")
	flags.IntVar(&spec.Notes, "notes", 300, "how many notes")
	flags.IntVar(&spec.Among, "among", 2000, "for disagreement, doubt, rare and cluster: how many notes are looked at")
	flags.IntVar(&spec.Readers, "readers", 1, "how many people read each note: 1 or 2")
	flags.StringVar(&spec.Seed, "seed", "", "`words` that decide the draw (default made up)")
	flags.StringToStringVar(&over, "over", nil, "draw `STRATUM=TIMES` its share, where a stratum is what --by says, with \" / \" between")
	flags.StringArrayVar(&claims, "claim", nil, "`TYPES=RECALL` that the round is to prove, as NAME=.99; may be given several times")
	flags.Float64Var(&confidence, "confidence", .95, "`probability` of not making a claim wrongly")
	return cmd
}

// parseOver reads how many times its share is drawn of a stratum.
func parseOver(words map[string]string) (map[string]float64, error) {
	over := map[string]float64{}
	for stratum, times := range words {
		x, err := strconv.ParseFloat(times, 64)
		if err != nil || !(x > 0 && x <= 1000) {
			return nil, command.UsageError("--over %s=%s: want how many times its share, above 0 and up to 1000", stratum, times)
		}
		over[stratum] = x
	}
	return over, nil
}

func kindList(kinds []review.Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

// checkDraw returns an error for flags that can't be, and fills in what they leave open.
func checkDraw(s *queue.Spec) error {
	switch {
	case !slices.Contains(drawnKinds, s.Kind):
		return command.UsageError("--kind: want one of %s, not %q", kindList(drawnKinds), s.Kind)
	case s.Kind != review.Acceptance && len(s.Over)+len(s.Claims) > 0:
		return command.UsageError("--over and --claim are for rounds of kind acceptance")
	case s.Notes < 1 || s.Notes > 100_000:
		return command.UsageError("--notes: want 1 to 100000")
	case s.Readers < 1 || s.Readers > 2:
		return command.UsageError("--readers: want 1 or 2")
	case strings.TrimSpace(s.Name) == "" || len(s.Name) > 100:
		return command.UsageError("NAME: want up to 100 characters")
	}
	if s.Seed == "" {
		s.Seed = rand.Text()
	}
	s.DrawnBy = "unknown"
	if u, err := user.Current(); err == nil {
		s.DrawnBy = u.Username
	}
	return nil
}

func drawRound(cmd *cobra.Command, o session.Options, spec queue.Spec) error {
	d, err := desk.Open(cmd.Context(), o)
	if err != nil {
		return err
	}
	defer d.Close()
	conn, err := connect.Replica(cmd.Context(), o.Config)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	id, notes, err := queue.Draw(cmd.Context(), d, store.New(conn, o.Key), spec)
	if err != nil {
		return err
	}
	fewer := ""
	if notes < spec.Notes {
		fewer = fmt.Sprintf(", since there are no %d of that kind in the replica", spec.Notes)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "round %d, %s: %s%s\n", id, spec.Name, command.Plural(notes, "note"), fewer)
	return err
}

// chooseNotes finds the table and column of notes where there is one choice alone.
func chooseNotes(cfg *config.Config, s *queue.Spec) error {
	if s.Kind == review.Quarantine && s.Table == "" {
		return nil
	}
	var err error
	s.Table, s.Column, err = columnOfNotes(cfg, s.Table, s.Column)
	return err
}

// columnOfNotes returns the one column of notes that a table and a column leave, of which either may be "".
func columnOfNotes(cfg *config.Config, table, column string) (string, string, error) {
	var found [][2]string
	var names []string
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		for j := range t.Columns {
			c := &t.Columns[j]
			if c.Publish != config.Text {
				continue
			}
			names = append(names, "--table "+t.FullName()+" --column "+c.Name)
			if (table == "" || table == t.FullName()) && (column == "" || column == c.Name) {
				found = append(found, [2]string{t.FullName(), c.Name})
			}
		}
	}
	switch {
	case len(names) == 0:
		return "", "", command.UsageError("the mapping has no column of notes, with policy text")
	case len(found) != 1:
		return "", "", command.UsageError("say which notes: %s", strings.Join(names, ", or "))
	}
	return found[0][0], found[0][1], nil
}

// withRounds calls do with the rounds of the configuration's replica.
func withRounds(ctx context.Context, g *command.Globals, do func(*store.Store) error) error {
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return err
	}
	conn, err := connect.Replica(ctx, cfg)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	return do(store.New(conn, key))
}

func newStatusCmd(g *command.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the rounds, and how far they have come",
		Example: `  pgdeid review status
  pgdeid review status --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRounds(cmd.Context(), g, func(s *store.Store) error {
				list, err := s.Rounds(cmd.Context(), "")
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
				}
				if len(list) == 0 {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), "no round was drawn yet: 'pgdeid review draw' draws one")
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				_, _ = fmt.Fprintln(w, "round\tkind\tnotes\treaders\tfinished\tdrawn\tstate") // errors show when it is flushed
				for _, r := range list {
					state := "open"
					if !r.ClosedAt.IsZero() {
						state = "closed"
					}
					_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", r.Name, r.Kind, r.Items, r.Readers, r.Finished, r.DrawnAt.UTC().Format("2006-01-02"), state)
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newCloseCmd(g *command.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "close NAME",
		Short:   "Close a round: nothing of it is handed out or changed any more",
		Example: `  pgdeid review close first`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRounds(cmd.Context(), g, func(s *store.Store) error {
				id, err := s.Named(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if err := s.Close(cmd.Context(), id); err != nil {
					return err
				}
				return sayClosed(cmd, s, id)
			})
		},
	}
}

// sayClosed says how far a round had come.
func sayClosed(cmd *cobra.Command, s *store.Store, id int64) error {
	list, err := s.Rounds(cmd.Context(), "")
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.ID == id {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "round %s is closed: %d of %s finished\n", r.Name, r.Finished, command.Plural(r.Items, "note"))
		}
	}
	return err
}
