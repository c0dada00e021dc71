// Package bench has the commands that need no site: demo, bench and plan show and measure pgdeid on made-up data.
package bench

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands that need no site.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newDemoCmd(g), newBenchCmd(g), newPlanCmd(g)}
}
