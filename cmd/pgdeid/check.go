package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/sql"
)

func newCheckCmd(g *globals) *cobra.Command {
	var asJSON, attention, strict bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check configuration, source and replica before a run, a line per finding",
		Long: `check looks at everything that "pgdeid run" relies on, with the logins that it uses,
and changes nothing: the configuration, the key, both servers, roles, tables and
columns, the publication, the foreign server, retention, the neural models, which it
loads. Each line is ok or says what to do about it. Before "pgdeid migrate up" it looks
at the source as the role of source.admin_dsn.

Exit status: 0 if nothing is wrong, 3 if there is a problem (with --strict: or a warning),
1 if the checks could not be made.

It prints names of tables and columns, never values of rows.`,
		Example: `  pgdeid check
  pgdeid check --attention
  pgdeid check --json | jq '.findings[] | select(.level == "problem")'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings, err := findings(cmd, g)
			if err != nil {
				return err
			}
			if attention {
				findings = onlyAttention(findings)
			}
			if err := printFindings(cmd.OutOrStdout(), findings, asJSON); err != nil {
				return err
			}
			if findings.Failed() || strict && findings.Attention() {
				return &exitError{code: exitAttention}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&strict, "strict", false, "end with exit status 3 for warnings too")
	cmd.Flags().BoolVar(&attention, "attention", false, "print only what needs attention")
	return cmd
}

// findings runs the checks. Each error in the configuration file is a finding.
func findings(cmd *cobra.Command, g *globals) (sql.Findings, error) {
	cfg, err := config.Load(g.config)
	var problems config.Problems
	if errors.As(err, &problems) {
		var fs sql.Findings
		for _, p := range problems {
			fs = append(fs, sql.Finding{Level: sql.Problem, Subject: "configuration " + g.config, Text: p.Error()})
		}
		return fs, nil
	}
	if err != nil {
		return nil, err
	}
	fs, err := sql.Preflight(cmd.Context(), cfg)
	fs = append(fs, modelFindings(cmd.Context(), cfg)...)
	return append(fs, verifiedFindings(cmd.Context(), cfg)...), err
}

// modelFindings loads the neural members once, as a run does, and asks those who work for it.
func modelFindings(ctx context.Context, cfg *config.Config) sql.Findings {
	problem := func(err error) sql.Findings {
		return sql.Findings{{Level: sql.Problem, Subject: "models", Text: err.Error(), Remedy: fault.Hint(err)}}
	}
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return problem(fault.New("choose detectors", err, "correct detect.detectors and detect.models"))
	}
	set, err := plan.Open()
	if err != nil {
		return problem(err)
	}
	var fs sql.Findings
	for _, m := range plan.Models() {
		text := "loads, and every file has the hash that was given; votes as " + strings.Join(m.Members, ", ")
		fs = append(fs, sql.Finding{Level: sql.OK, Subject: "model " + m.Name, Text: text})
	}
	if omitted := plan.Omitted(); len(omitted) > 0 {
		fs = append(fs, sql.Finding{
			Level: sql.Warning, Subject: "models", Text: "detect.detectors leaves members of the models out: " + strings.Join(omitted, ", "),
			Remedy: "name them there, or say models: none",
		})
	}
	if len(fs) == 0 {
		fs = sql.Findings{{Level: sql.Note, Subject: "models", Text: "none: detection is by rules and records"}}
	}
	if _, err := set.Ensemble(cfg.Detect.Threshold); err != nil {
		fs = append(fs, problem(fault.New("choose detectors", err, "correct detect.detectors and detect.aggregation"))...)
	}
	fs = append(fs, workerFindings(ctx, &cfg.Detect.Workers, set)...)
	if err := set.Close(); err != nil {
		fs = append(fs, problem(err)...)
	}
	return fs
}

func onlyAttention(all sql.Findings) sql.Findings {
	fs := sql.Findings{}
	for _, f := range all {
		if f.Level == sql.Problem || f.Level == sql.Warning {
			fs = append(fs, f)
		}
	}
	return fs
}

func printFindings(w io.Writer, fs sql.Findings, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Attention bool         `json:"attention"`
			Findings  sql.Findings `json:"findings"`
		}{fs.Attention(), fs})
	}
	paint := map[sql.Level]*color.Color{
		sql.OK: color.New(color.FgGreen), sql.Note: color.New(color.Faint),
		sql.Warning: color.New(color.FgYellow), sql.Problem: color.New(color.FgRed, color.Bold),
	}
	for _, f := range fs {
		_, err := fmt.Fprintf(w, "%s %s: %s\n", paint[f.Level].Sprintf("%-8s", f.Level), f.Subject, f.Text)
		if err == nil && f.Remedy != "" {
			_, err = fmt.Fprintf(w, "%s %s\n", paint[sql.Note].Sprint("      ->"), f.Remedy)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
