// Package harvest has the command that finds frequent sentences of a site, which people then verify.
package harvest

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the command with its subcommands.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newHarvestCmd(g)}
}
