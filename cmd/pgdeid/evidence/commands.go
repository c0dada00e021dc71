// Package evidence has the commands whose reports go to a privacy board: risk and dossier.
package evidence

import (
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// Commands returns the commands that report to a board.
func Commands(g *command.Globals) []*cobra.Command {
	return []*cobra.Command{newRiskCmd(g), newDossierCmd(g)}
}
