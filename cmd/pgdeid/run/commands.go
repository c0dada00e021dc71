// Package run has the commands whose processes replicate: run and snapshot copy and follow, work copies with them, serve answers SQL.
package run

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands whose processes copy, stream and answer.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newRunCmd(g), newServeCmd(g), newSnapshotCmd(g), newWorkCmd(g)}
}
