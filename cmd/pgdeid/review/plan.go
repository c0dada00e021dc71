package review

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// planFlags are those of "review plan".
type planFlags struct {
	types  string
	claim  acceptance.Claim
	expect acceptance.Expectation
	notes  review.Note // whose identifiers are counted: table and column
	sample int
	asJSON bool
}

// reviewPlan is what "review plan --json" prints.
type reviewPlan struct {
	Types  string                 `json:"types"`
	Claim  acceptance.Claim       `json:"claim"`
	Expect acceptance.Expectation `json:"expect"`
	Texts  int                    `json:"texts,omitempty"` // of the replica, of which identifiers were counted
	Sizes  acceptance.Sizes       `json:"sizes"`
}

func newPlanCmd(g *command.Globals) *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say how many notes people must read for a claim",
		Long: `plan says how many notes must be drawn at random and read before it can be claimed, with
--confidence, that recall of --types is at least --recall. How many identifiers notes
have is counted in the replica's own, or said with --per-note.

Misses come in bunches: whose name is missed once is missed again. Three sizes are
printed: for bunches of any kind, which is what claims are judged by; for bunches of
--bunch identifiers; and for none. Without a single miss, it takes 299 patients for .99
and 59 for .95. A sample that bears misses is larger; --expect says how good detection is
thought to be, and --power how sure the claim is to be proven if so.

TYPES is a group of the evaluation (A, B, C, all), a class (NAME, DATE, LOCATION, CONTACT,
ID, AGE, PROFESSION) or a type (PATIENT, DOCTOR, …).`,
		Example: `  pgdeid review plan --types NAME --recall .99
  pgdeid review plan --types C --recall .97 --expect .985 --power .9
  pgdeid review plan --recall .99 --per-note 12 --spread .7     # without a replica`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			plan, err := f.plan(cmd.Context(), g)
			if err != nil {
				return err
			}
			if f.asJSON {
				return command.PrintJSON(cmd.OutOrStdout(), plan)
			}
			return plan.write(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.types, "types", "NAME", "`types` of identifiers that the claim is about")
	flags.Float64Var(&f.claim.Recall, "recall", .99, "the claim: `share` of identifiers that are found, at least")
	flags.Float64Var(&f.claim.Confidence, "confidence", .95, "`probability` of not claiming it wrongly")
	flags.Float64Var(&f.expect.Recall, "expect", 0, "the true `share`, as is thought (default: a quarter of the misses that are claimed)")
	flags.Float64Var(&f.expect.Power, "power", .8, "`probability` of proving the claim if so")
	flags.Float64Var(&f.expect.PerNote, "per-note", 0, "`identifiers` in a note (default: counted in the replica)")
	flags.Float64Var(&f.expect.Spread, "spread", 0, "their standard deviation as a `share` of --per-note")
	flags.Float64Var(&f.expect.Bunch, "bunch", 2, "`identifiers` missed together where one is missed")
	flags.StringVar(&f.notes.Table, "table", "", "`table` with notes, as schema.name, whose identifiers are counted (default the one that has them)")
	flags.StringVar(&f.notes.Column, "column", "", "its `column` (default the one text)")
	flags.IntVar(&f.sample, "count", 2000, "count identifiers in so many `notes` of the replica")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func (f *planFlags) plan(ctx context.Context, g *command.Globals) (*reviewPlan, error) {
	types, name, err := acceptance.ParseTypes(f.types)
	if err != nil {
		return nil, command.UsageError("--types: %w", err)
	}
	if f.expect.Recall == 0 {
		f.expect.Recall = 1 - (1-f.claim.Recall)/4
	}
	plan := &reviewPlan{Types: name, Claim: f.claim, Expect: f.expect}
	if f.expect.PerNote == 0 {
		if err := plan.count(ctx, g, types, f); err != nil {
			return nil, err
		}
	}
	if plan.Sizes, err = plan.Claim.Sizes(plan.Expect); err != nil {
		return nil, command.UsageError("%w", err)
	}
	return plan, nil
}

// count counts identifiers in the replica's notes.
func (p *reviewPlan) count(ctx context.Context, g *command.Globals, types acceptance.Types, f *planFlags) error {
	if f.sample < 1 {
		return command.UsageError("--count %d: want 1 or more", f.sample)
	}
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return err
	}
	if f.notes.Table, f.notes.Column, err = columnOfNotes(cfg, f.notes.Table, f.notes.Column); err != nil {
		return err
	}
	return admin.OpenVault(ctx, cfg, key, func(v *vault.Reader) (err error) {
		p.Expect.PerNote, p.Expect.Spread, p.Texts, err = admin.IdentifiersPerNote(ctx, v, f.notes, types, f.sample)
		if err == nil && p.Expect.PerNote == 0 {
			err = command.UsageError("of %d notes of the replica none has identifiers of %s: say how many notes have, with --per-note", p.Texts, p.Types)
		}
		return err
	})
}

func (p *reviewPlan) write(out io.Writer) error {
	from := "as you say"
	if p.Texts > 0 {
		from = fmt.Sprintf("counted in %s of the replica", command.Plural(p.Texts, "note"))
	}
	_, _ = fmt.Fprintf(out, `To claim, with a confidence of %v, that recall of %s is at least %v,
and to be able to in %.0f of 100 samples if it is %v,
where notes have %.3g such identifiers on average (%s; spread %.2g):

`, p.Claim.Confidence, p.Types, p.Claim.Recall, 100*p.Expect.Power, p.Expect.Recall, p.Expect.PerNote, from, p.Expect.Spread)
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(w, "notes to read\tof which may be missed\t \n")
	line := func(s acceptance.Size, of string) {
		_, _ = fmt.Fprintf(w, "%d\t%s\t  %s\n", s.Notes, command.Plural(s.Missed, "identifier"), of)
	}
	line(p.Sizes.Bounded, "whatever the bunches: claims are judged so")
	line(p.Sizes.Robust, fmt.Sprintf("if misses come in bunches of %g", p.Expect.Bunch))
	line(p.Sizes.Exact, "if each is missed for itself")
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\nDraw notes of as many patients as you can: several notes of one patient count as one.")
	return err
}
