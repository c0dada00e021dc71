// Package train has the command that trains members of the ensemble.
package train

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the command with its subcommands.
func Commands(_ *command.Globals) []*cobra.Command {
	return []*cobra.Command{newTrainCmd()}
}
