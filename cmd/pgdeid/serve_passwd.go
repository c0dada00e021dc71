package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/tables"
	"github.com/pgdeid/pgdeid/sql"
)

// minPassword is the least length of a password: nothing else protects a login, and for such
// passwords NIST SP 800-63B-4 (3.1.1.2) asks for 15 characters.
const minPassword = 15

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
says what that alone found: for people who may see the record anyway.`, minPassword),
		Example: `  pgdeid serve passwd staging >> users && chmod 600 users
  pgdeid serve passwd staging < password-file >> users
  pgdeid serve passwd nightly --tables deidentify_batch,note_deid --limits patients=0,notes=0 >> users
  pgdeid serve passwd auditor --tables detect --steward >> users`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rights, err := login.Words(tables.Names(), f.tables, f.steward, f.limits...)
			if err != nil {
				return usageError("%s", err)
			}
			return printUser(cmd, args[0], rights)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.tables, "tables", nil, "the `tables` that NAME may ask: "+strings.Join(tables.Names().Known, ","))
	flags.BoolVar(&f.steward, "steward", false, "NAME may see what is found by the patient's record alone")
	flags.StringSliceVar(&f.limits, "limits", nil,
		"`limits` of NAME's own, in place of those of 'pgdeid serve': patients=N,notes=N,spans=N; 0 is none")
	return cmd
}

// printUser asks for a password and prints the line of a user with rights.
func printUser(cmd *cobra.Command, name, rights string) error {
	if name == "" || len(name) > 63 || strings.ContainsAny(name, ":#\n\r") {
		return usageError("NAME: want up to 63 characters, without : # and line breaks")
	}
	password, err := askPassword(cmd)
	if err != nil {
		return err
	}
	if len(password) < minPassword {
		return fault.New("take the password", fmt.Errorf("it has fewer than %d characters", minPassword),
			"take a longer one: four or five words, or 'openssl rand -base64 18'")
	}
	verifier, err := sql.ScramVerifier(password)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSpace(name+":"+verifier+" "+rights))
	return err
}

// askPassword reads a password twice from a terminal, or once from anything else.
func askPassword(cmd *cobra.Command) (string, error) {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Again: "} {
		if _, err := fmt.Fprint(cmd.ErrOrStderr(), prompt); err != nil {
			return "", err
		}
		b, err := term.ReadPassword(int(in.Fd()))
		if _, werr := fmt.Fprintln(cmd.ErrOrStderr()); err == nil {
			err = werr
		}
		if err != nil {
			return "", err
		}
		typed[i] = string(b)
	}
	if typed[0] != typed[1] {
		return "", usageError("the passwords differ")
	}
	return typed[0], nil
}
