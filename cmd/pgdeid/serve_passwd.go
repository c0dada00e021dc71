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

	"github.com/pgdeid/pgdeid/sql"
)

func newServePasswdCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "passwd NAME",
		Short: "Print a user's line for the file of --users",
		Long: `passwd reads a password, from the terminal or the first line of standard input, and
prints the line that lets NAME log in with it. What is printed tells the password to
nobody: it is what PostgreSQL stores itself, so a verifier from pg_authid fits too.`,
		Example: `  pgdeid serve passwd staging >> users && chmod 600 users
  pgdeid serve passwd staging < password-file >> users`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if name == "" || len(name) > 63 || strings.ContainsAny(name, ":#\n\r") {
				return usageError("NAME: want up to 63 characters, without : # and line breaks")
			}
			password, err := askPassword(cmd)
			if err != nil {
				return err
			}
			verifier, err := sql.ScramVerifier(password)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s:%s\n", name, verifier)
			return err
		},
	}
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
