// Package operate has the commands for a site that runs: what is its state, and what a person can do about it.
package operate

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands with which a running site is operated.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{
		newStatusCmd(g), newRetryCmd(g), newReprocessCmd(g), newReconcileCmd(g), newPurgeCmd(g), newMaintainCmd(g), newVaultCmd(g), newReleaseCmd(g),
	}
}
