// Package models has the command that lists, compares, selects and verifies models.
package models

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the command with its subcommands.
func Commands(_ *command.Globals) []*cobra.Command {
	return []*cobra.Command{newModelsCmd()}
}
