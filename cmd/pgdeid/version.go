package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/about"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

func versionCommands(g *command.Globals) []*cobra.Command { return []*cobra.Command{newVersionCmd(g)} }

func newVersionCmd(g *command.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of pgdeid and of ONNX Runtime, and the models that come with it",
		Long: `Print the version of pgdeid and of ONNX Runtime, which only neural members of the
ensemble need, and the models that come with pgdeid. ONNX Runtime's library is looked
for at $PGDEID_ONNXRUNTIME, next to the program and in ../lib/pgdeid, and is loaded only if it
is the one that this pgdeid was made for, or has the SHA-256 in $PGDEID_ONNXRUNTIME_SHA256.`,
		Example: "  pgdeid version\n  pgdeid version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, err := about.Read(g.Version)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(info)
			}
			return info.Print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
