package run

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/password"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/tables"
)

// passwdFlags are the permissions of a new user.
type passwdFlags struct {
	tables, limits []string
	steward        bool
}

func newServePasswdCmd() *cobra.Command {
	var f passwdFlags
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Print a user's line for the file of --users",
		Long: fmt.Sprintf(`passwd reads a password, from the terminal or the first line of standard input, and
prints the line that lets NAME log in with it. The line does not reveal the
password: it is the verifier that PostgreSQL stores, so one from pg_authid works too.

A password has at least %d characters: four or five words, or 'openssl rand -base64 18'.

Without --tables NAME may ask deidentify, deidentify_batch, inbox and outbox. Other tables
are detect, which shows what is found in a text, and note_deid, which reads notes of the
source by their keys. With --steward detect also searches with the patient's record, and
says what that alone found: for people who may see the record anyway.`, password.MinLength),
		Example: `  pgdeid serve passwd staging >> users && chmod 600 users
  pgdeid serve passwd staging < password-file >> users
  pgdeid serve passwd nightly --tables deidentify_batch,note_deid --limits patients=0,notes=0 >> users
  pgdeid serve passwd auditor --tables detect --steward >> users`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rights, err := login.Words(tables.Names(), f.tables, f.steward, f.limits...)
			if err != nil {
				return command.UsageError("%s", err)
			}
			return password.PrintUser(cmd, args[0], rights)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.tables, "tables", nil, "the `tables` that NAME may ask: "+strings.Join(tables.Names().Known, ","))
	flags.BoolVar(&f.steward, "steward", false, "NAME may see what is found by the patient's record alone")
	flags.StringSliceVar(&f.limits, "limits", nil,
		"`limits` of NAME's own, in place of those of 'pgdeid serve': patients=N,notes=N,spans=N; 0 is none")
	return cmd
}
