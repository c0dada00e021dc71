// Package password asks for passwords and prints the lines of users' files.
package password

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/scram"
)

// MinLength is the least length of a password: nothing else protects a login, and for such
// passwords NIST SP 800-63B-4 (3.1.1.2) asks for 15 characters.
const MinLength = 15

// PrintUser asks for a password and prints the line of a user with rights.
func PrintUser(cmd *cobra.Command, name, rights string) error {
	if name == "" || len(name) > 63 || strings.ContainsAny(name, ":#\n\r") {
		return command.UsageError("NAME: want up to 63 characters, without : # and line breaks")
	}
	password, err := Ask(cmd)
	if err != nil {
		return err
	}
	if len(password) < MinLength {
		return fault.New("take the password", fmt.Errorf("it has fewer than %d characters", MinLength),
			"take a longer one: four or five words, or 'openssl rand -base64 18'")
	}
	verifier, err := scram.Generate(password)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSpace(name+":"+verifier+" "+rights))
	return err
}

// Ask reads a password twice from a terminal, or once from anything else.
func Ask(cmd *cobra.Command) (string, error) {
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
		return "", command.UsageError("the passwords differ")
	}
	return typed[0], nil
}
