package setup

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/signature"
	"github.com/pgdeid/pgdeid/surrogate"
)

func newKeyCmd(g *command.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make, check and change the key file",
		Long: `Pseudonyms, surrogates and date shifts are derived from one key. It lives in a file
that only the service's user can read, and in neither database. Keep a copy in a safe
place: a replica can be continued with its own key only, and who has the key can link
pseudonyms to patients.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeyNewCmd(), newKeyCheckCmd(), newKeySigningCmd(), newKeyRotateCmd(g))
	return cmd
}

func newKeyNewCmd() *cobra.Command {
	after := ""
	cmd := &cobra.Command{
		Use:   "new [FILE]",
		Short: "Make a key file",
		Long: `Make a key file of 32 random bytes with mode 0600. A file that exists is never overwritten.
With --after it is the key that "pgdeid key rotate" puts in the place of another one.`,
		Example: `  pgdeid key new /etc/pgdeid/key
  pgdeid key new --after /etc/pgdeid/key /etc/pgdeid/key-2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := keyPath(args)
			if err != nil {
				return err
			}
			if err := makeKey(path, after); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s made. Keep a copy in a safe place: no other key fits what is made with it.\n", path)
			return err
		},
	}
	cmd.Flags().StringVar(&after, "after", "", "key `file` of the epoch before")
	return cmd
}

// makeKey makes a key file, of the epoch after that of another one if that is named.
func makeKey(path, after string) error {
	if after == "" {
		return surrogate.NewKeyFile(path)
	}
	old, err := surrogate.ReadKey(after)
	if err != nil {
		return err
	}
	return surrogate.NextKeyFile(path, old)
}

func newKeyCheckCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a key file and print its check value",
		Long: `Check that a key file is complete and readable only by its owner, and print its epoch
and check value: the value that a replica stores to recognise its own key. It reveals
nothing about the key.`,
		Example: "  pgdeid key check /etc/pgdeid/key",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := keyPath(args)
			if err != nil {
				return err
			}
			key, err := surrogate.ReadKey(path)
			if err != nil {
				return err
			}
			check := hex.EncodeToString(key.Check())
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
					Path  string `json:"path"`
					Epoch int    `json:"epoch"`
					Check string `json:"check"`
				}{path, key.Epoch(), check})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, epoch %d, check value %s\n", path, key.Epoch(), check)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newKeySigningCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "signing FILE",
		Short: "Make a key that signs reports",
		Long: `Make a key that signs reports of reviews: the secret one in FILE, with mode 0600, and
the public one in FILE.pub, which goes to those who check signatures. It has nothing to
do with the key of pseudonyms. Files that exist are never overwritten.`,
		Example: `  pgdeid key signing board.key
  pgdeid review report spring --output spring --sign board.key`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := signature.NewKeyFile(args[0]); err != nil {
				return err
			}
			key, err := signature.ReadKey(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s made, and %s%s for those who check; its fingerprint is %s\n",
				args[0], args[0], signature.PublicSuffix, key.Public().Fingerprint())
			return err
		},
	}
}

// keyPath returns the path of the key file, from an argument or the environment.
func keyPath(args []string) (string, error) {
	if len(args) > 0 && args[0] != "" {
		return args[0], nil
	}
	if path := os.Getenv(command.KeyFileEnv); path != "" {
		return path, nil
	}
	return "", command.UsageError("which key file? Give its path, or set %s", command.KeyFileEnv)
}
