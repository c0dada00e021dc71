package setup

import (
	"fmt"
	"io"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/preflight"
	"github.com/pgdeid/pgdeid/sql/finding"
)

func newCheckCmd(g *command.Globals) *cobra.Command {
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
			findings, err := preflight.Findings(cmd.Context(), g)
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
				return command.Attention(nil)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&strict, "strict", false, "end with exit status 3 for warnings too")
	cmd.Flags().BoolVar(&attention, "attention", false, "print only what needs attention")
	return cmd
}

func onlyAttention(all finding.List) finding.List {
	fs := finding.List{}
	for _, f := range all {
		if f.Level == finding.Problem || f.Level == finding.Warning {
			fs = append(fs, f)
		}
	}
	return fs
}

func printFindings(w io.Writer, fs finding.List, asJSON bool) error {
	if asJSON {
		return command.PrintJSON(w, struct {
			Attention bool         `json:"attention"`
			Findings  finding.List `json:"findings"`
		}{fs.Attention(), fs})
	}
	paint := map[finding.Level]*color.Color{
		finding.OK: color.New(color.FgGreen), finding.Note: color.New(color.Faint),
		finding.Warning: color.New(color.FgYellow), finding.Problem: color.New(color.FgRed, color.Bold),
	}
	for _, f := range fs {
		_, err := fmt.Fprintf(w, "%s %s: %s\n", paint[f.Level].Sprintf("%-8s", f.Level), f.Subject, f.Text)
		if err == nil && f.Remedy != "" {
			_, err = fmt.Fprintf(w, "%s %s\n", paint[finding.Note].Sprint("      ->"), f.Remedy)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
