// Package review has the command with which people review notes, and its reports.
package review

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the command with its subcommands.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newReviewCmd(g)}
}
