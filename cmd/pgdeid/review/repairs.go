package review

import (
	"context"
	"encoding/json"
	"fmt"
	"os/user"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// shownRepair is a repair as the command prints it: nothing of its note.
type shownRepair struct {
	ID      int64      `json:"id"`
	Scope   string     `json:"scope"`
	Table   string     `json:"table"`
	Column  string     `json:"column"`
	Row     string     `json:"row"`
	Patient string     `json:"patient"`
	By      string     `json:"by"`
	At      time.Time  `json:"at"`
	Verdict string     `json:"verdict"`
	Type    string     `json:"type"`
	Void    bool       `json:"void,omitempty"`
	TakenBy string     `json:"taken_by,omitempty"`
	TakenAt *time.Time `json:"taken_at,omitempty"`
}

func showRepair(r *review.Repair) shownRepair {
	when := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	return shownRepair{
		ID: r.ID, Scope: string(r.Scope), Table: r.Note.Table, Column: r.Note.Column, Row: r.Note.Row, Patient: r.Patient, By: r.By, At: r.At,
		Verdict: string(r.Mark.Verdict), Type: r.Mark.Type, Void: r.Void, TakenBy: r.TakenBy, TakenAt: when(r.TakenAt),
	}
}

func (r *shownRepair) state() string {
	switch {
	case r.TakenBy != "":
		return "taken back by " + r.TakenBy
	case r.Void:
		return "no effect: the text has changed"
	default:
		return "holds"
	}
}

// repairsListed is how many repairs are listed at most.
const repairsListed = 100_000

func newRepairsCmd(g *command.Globals) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "repairs",
		Short: "List what reviewers had changed of what is published, or take it back",
		Long: `repairs lists what people decided about single places of notes and had repaired there, and
which words they had remembered of patients: who, when, in which note, and whether it has
an effect. A repair that adds PHI holds while the same words are where they were; one that
takes PHI away holds while the whole text is the one that was read.

take-back undoes one: notes of the patient are made anew without it by 'pgdeid run', or by
'pgdeid reprocess'. Who took it back stays in the list.`,
		Example: `  pgdeid review repairs
  pgdeid review repairs --all --json
  pgdeid review repairs take-back 17`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRounds(cmd.Context(), g, func(s *store.Store) error { return listRepairs(cmd, s, all, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that were taken back")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	cmd.AddCommand(&cobra.Command{
		Use:     "take-back ID",
		Short:   "Undo one repair",
		Example: `  pgdeid review repairs take-back 17`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return command.UsageError("ID: want a number of 'pgdeid review repairs'")
			}
			return takeBackRepair(cmd.Context(), g, id)
		},
	})
	return cmd
}

func listRepairs(cmd *cobra.Command, s *store.Store, all, asJSON bool) error {
	list, err := s.Repairs(cmd.Context(), all, repairsListed)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(cmd.OutOrStdout())
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	if !asJSON {
		_, _ = fmt.Fprintln(w, "id\tmade\tby\tpatient\tnote\twhat\tstate") // errors show when it is flushed
	}
	for i := range list {
		r := showRepair(&list[i])
		if asJSON {
			if err := lines.Encode(r); err != nil {
				return err
			}
			continue
		}
		what := r.Verdict + " " + r.Type
		if r.Scope == string(review.Everywhere) {
			what = "words, everywhere"
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s %s\t%s\t%s\n", r.ID, r.At.UTC().Format(time.DateOnly), r.By, r.Patient, r.Table, r.Row, what, r.state())
	}
	return w.Flush()
}

// takeBackRepair undoes a repair in the name of who runs the command.
func takeBackRepair(ctx context.Context, g *command.Globals, id int64) error {
	by := "unknown"
	if u, err := user.Current(); err == nil {
		by = u.Username
	}
	return detector.OpenSession(ctx, g, func(o session.Options) error {
		d, err := desk.Open(ctx, o)
		if err != nil {
			return err
		}
		defer d.Close()
		return d.TakeBack(ctx, id, by, nil)
	})
}
