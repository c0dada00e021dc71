package review

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/password"
	"github.com/pgdeid/pgdeid/internal/review/web"
)

func newPasswdCmd() *cobra.Command {
	var roles []string
	var source string
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Print a person's line for the file of 'pgdeid review serve --users'",
		Long: fmt.Sprintf(`passwd reads a password, from the terminal or the first line of standard input, and
prints the line that lets NAME log in with it. The line does not reveal the password.
A password has at least %d characters: four or five words, or 'openssl rand -base64 18'.

Roles are

  reviewer     reads notes of rounds and marks them
  adjudicator  settles what two reviewers decided differently
  steward      sees who was shown which note
  verifier     verifies harvested sentences and templates, where serve has --harvest

A note is read from the source as the role of --source-role, or else of review.source_role in
the configuration. Grant it to the role of source.dsn, and SELECT on the tables of notes to it:

  create role ehr_jlee nologin; grant select on ehr.note to ehr_jlee;
  grant ehr_jlee to pgdeid_replication;                       -- PostgreSQL 16 on: with inherit false, set true`, password.MinLength),
		Example: `  pgdeid review passwd jlee --roles reviewer --source-role ehr_jlee >> reviewers && chmod 600 reviewers
  pgdeid review passwd office --roles steward < password-file >> reviewers`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rights, err := web.Words(roles, source)
			if err != nil {
				return command.UsageError("--roles and --source-role: %s", err)
			}
			return password.PrintUser(cmd, args[0], rights)
		},
	}
	cmd.Flags().StringSliceVar(&roles, "roles", []string{string(web.Reviewer)}, "what NAME may do: `roles` with commas between them")
	cmd.Flags().StringVar(&source, "source-role", "", "`role` of the source as which notes are read for NAME")
	return cmd
}
