// Package setup has the commands that prepare a site: init, check, publication, migrate and key.
package setup

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands that prepare a site.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newInitCmd(), newCheckCmd(g), newMigrateCmd(g), newPublicationCmd(g), newKeyCmd(g)}
}
